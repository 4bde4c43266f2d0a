using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Runtime.Versioning;

namespace TcpDiag.Shim.Queue;

/// <summary>
/// Two interfaces between which this host forwards packets. Whether it does is looked at and never changed, so that there is nothing to be undone: a process
/// that is killed leaves routes and settings as they were.
/// </summary>
/// <param name="Near">The number of the near interface.</param>
/// <param name="Far">The number of the far interface.</param>
/// <param name="Notes">What the user should know of them, in whole sentences.</param>
[SupportedOSPlatform("linux")]
sealed record ForwardedPair(uint Near, uint Far, IReadOnlyList<string> Notes)
{
    /// <summary>Finds the two.</summary>
    /// <param name="near">Name of the near interface.</param>
    /// <param name="far">Name of the far interface.</param>
    /// <returns>The pair.</returns>
    /// <exception cref="ShimException">There is no such interface, they are one, or IPv4 is not forwarded between them.</exception>
    public static ForwardedPair Find(string near, string far)
    {
        (uint nearIndex, uint farIndex) = InterfacePair.Find("--route", near, far);
        if (!Forwards("ipv4", near) || !Forwards("ipv4", far))
        {
            throw new ShimException(
                $"--route: this machine forwards nothing between {near} and {far}. "
                + $"sysctl -w {Setting(near)}=1 {Setting(far)}=1, or --bridge, which needs no addresses.");
        }

        // IPv6 looks at this setting alone, whatever those of its interfaces are.
        IReadOnlyList<string> notes = Forwards("ipv6", "all") ? [] : ["This machine forwards IPv4 only: net.ipv6.conf.all.forwarding is 0."];
        return new ForwardedPair(nearIndex, farIndex, notes);
    }

    // sysctl(8) takes a dot in a name for its own.
    static string Setting(string name) => $"net.ipv4.conf.{name.Replace('.', '/')}.forwarding";

    // /proc/sys/net is that of the thread's namespace. A system without IPv6 has no such file.
    static bool Forwards(string family, string name)
    {
        string path = string.Create(CultureInfo.InvariantCulture, $"/proc/sys/net/{family}/conf/{name}/forwarding");
        return File.Exists(path) && File.ReadAllText(path).TrimEnd() is not "0";
    }
}
