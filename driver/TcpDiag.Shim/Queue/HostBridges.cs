using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using TcpDiag.Platform;
using TcpDiag.Platform.Linux;

namespace TcpDiag.Shim.Queue;

/// <summary>
/// Bridges of this host. What they pass between their ports meets the hook of what is forwarded only where the kernel is told so (br_netfilter): else nobody
/// can count it, and the user has to know.
/// </summary>
[SupportedOSPlatform("linux")]
static class HostBridges
{
    // Of the thread's namespace. There is no such file before br_netfilter is loaded.
    const string MeetsHooks = "/proc/sys/net/bridge/bridge-nf-call-iptables";
    const string Interfaces = "/proc/thread-self/net/dev";
    const int HeadingLines = 2;

    /// <summary>Names the ports between which packets of a match go by unseen.</summary>
    /// <returns>A sentence for each such bridge; none where the hooks see all.</returns>
    public static IReadOnlyList<string> Notes()
    {
        if (File.Exists(MeetsHooks) && File.ReadAllText(MeetsHooks).TrimEnd() is not "0")
        {
            return [];
        }

        var bridges = new Dictionary<uint, List<string>>(); // the names of its ports that are up
        foreach (string name in File.ReadLines(Interfaces).Skip(HeadingLines).Select(line => line.Split(':')[0].Trim()))
        {
            if (FactsOf(name) is { IsUp: true, IsBridgePort: true } facts)
            {
                bridges.TryAdd(facts.Master, []);
                bridges[facts.Master].Add(name);
            }
        }

        return
        [
            .. bridges.Values.Where(ports => ports.Count > 1).Select(ports =>
                $"What a bridge of this machine passes between {string.Join(", ", ports)} is neither impaired nor counted: for that is --bridge, in its "
                    + "place."),
        ];
    }

    static LinkFacts? FactsOf(string name)
    {
        try
        {
            return LinkFacts.Read((uint)InterfaceControl.FindIndex(name));
        }
        catch (PlatformException)
        {
            return null; // it went away meanwhile
        }
    }
}
