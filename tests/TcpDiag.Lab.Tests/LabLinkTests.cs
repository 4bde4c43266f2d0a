using System.IO;
using System.Runtime.Versioning;
using TcpDiag.Lab.Topology;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Lab.Tests;

[SupportedOSPlatform("linux")]
public sealed class LabLinkTests
{
    // A run of which only the namespace's name is left, without a lease: nobody will remove it, and nobody has to wait for that.
    [RootFact]
    public void Open_NameLeftWithoutALease_TakesTheNextNumber()
    {
        using LabLink first = LabLink.Open("adaptive", isIpv6: false);
        string left = "/run/netns/" + Following(first.SenderNamespace);
        using (new FileStream(left, FileMode.CreateNew))
        {
        }

        try
        {
            using LabLink second = LabLink.Open("adaptive", isIpv6: false);
            Assert.NotEqual(Following(first.SenderNamespace), second.SenderNamespace);
            Assert.NotEqual(first.Network, second.Network);
        }
        finally
        {
            File.Delete(left);
        }
    }

    // tcpdiag-lab-7s → tcpdiag-lab-8s
    static string Following(string name)
    {
        int dash = name.LastIndexOf('-');
        int number = int.Parse(name[(dash + 1)..^1], System.Globalization.CultureInfo.InvariantCulture);
        return System.FormattableString.Invariant($"{name[..(dash + 1)]}{number + 1}s");
    }
}
