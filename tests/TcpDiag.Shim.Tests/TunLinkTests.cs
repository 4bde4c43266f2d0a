using System;
using System.Net.Sockets;
using System.Runtime.Versioning;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Shim.Tests;

/// <summary>The suite of links through TUN devices, and what only they can do.</summary>
[SupportedOSPlatform("linux")]
public class TunLinkTests : LinkConformance
{
    private protected override ILinkLab NewLink(bool isIpv6, string match, params string[] options) => new LinkLab(isIpv6, match, options);

    // A cable brings everything; only what the match means is impaired.
    [RootFact]
    public void Packets_NotMatched_AreCounted()
    {
        using ILinkLab lab = NewLink(isIpv6: false, "udp port 9", "loss 100pct");
        lab.SendNumbered(10);

        Assert.True(lab.Finish().Report.Figures.Passed >= 10);
    }

    [RootFact]
    public void Datagrams_DeviceQueueOverflows_AreCountedInFiguresAndLog()
    {
        // 2,000 more than the queue of the device holds.
        const int Count = 12_000;
        using LinkLab lab = LinkLab.Closed("udp port 5001", "delay 1ms");
        using (Socket near = lab.NearSocket(SocketType.Dgram, ProtocolType.Udp))
        {
            near.Connect(lab.FarAddress, Port);
            for (int i = 0; i < Count; i++)
            {
                near.Send([1]);
            }
        }

        lab.Open();
        (ShimReport report, _) = lab.Finish(out RunLosses losses);

        // A few packets of the system's own may be among them: what came while the queue was full was lost, too.
        long own = report.Figures.Offered + report.Figures.Passed + report.Figures.Lost - Count;
        Assert.InRange(own, 0, 50);
        Assert.InRange(report.Figures.Lost, 2000, 2000 + own);
        Assert.Equal(new RunLosses(0, report.Figures.Lost, 0), losses);
        Assert.Contains("the system lost 20", report.Fault, StringComparison.Ordinal);
    }
}

/// <summary>The suite of links through a packet queue (NFQUEUE) of the near host.</summary>
[SupportedOSPlatform("linux")]
public class QueueLinkTests : LinkConformance
{
    private protected override ILinkLab NewLink(bool isIpv6, string match, params string[] options) => new QueueLinkLab(isIpv6, match, options);
}

/// <summary>A fact of <see cref="LinkConformance"/>: here through TUN devices.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class LinkFactAttribute : FactAttribute
{
    public LinkFactAttribute() => Skip = SkipReason.Root();
}
