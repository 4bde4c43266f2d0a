using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Threading.Tasks;
using TcpDiag.Impairment;
using TcpDiag.Impairment.Decisions;
using Xunit;

namespace TcpDiag.Shim.Tests;

/// <summary>
/// What every way of diverting has to do with datagrams, said once for all of them: TUN devices and packet queues here, with real sockets; in
/// TcpDiag.Wine.Tests the win-x64 build, on a stand-in for WinDivert that is bridged to TUN devices, or that replays packets.
/// </summary>
[SupportedOSPlatform("linux")]
public abstract class PathConformance
{
    /// <summary>Two hosts and what is emulated between them.</summary>
    private protected abstract IPathLab NewPath(bool isIpv6, string match, params string[] options);

    IPathLab NewPath(string match, params string[] options) => NewPath(isIpv6: false, match, options);

    [LinkFact]
    public void Datagrams_ListedOnes_AreLost()
    {
        using IPathLab lab = NewPath("udp port 5001", "delay 1ms", "loss out:list:2+5-7");
        List<int> arrived = lab.SendNumbered(10);
        (ShimReport report, List<ImpairmentDecision> decisions) = lab.Finish();

        Assert.Equal([1, 3, 4, 8, 9, 10], arrived);
        Assert.Equal(4, decisions.Count(d => d.Action == ImpairmentAction.DropLoss));
        Assert.Equal((10, 6, 4), (report.Figures.Offered, report.Figures.Forwarded, report.Figures.Dropped));
    }

    [LinkFact]
    public void Datagrams_LostAtRandom_AreThoseOfTheLog()
    {
        using IPathLab lab = NewPath("udp port 5001", "delay 5ms", "loss out:5pct", "seed 9");
        List<int> arrived = lab.SendNumbered(4_000);
        (ShimReport report, List<ImpairmentDecision> decisions) = lab.Finish();

        Assert.Equal(decisions.Where(d => d.Action == ImpairmentAction.Forward).Select(d => (int)d.PacketId), arrived);
        Assert.Equal(0, report.Figures.Lost);
        Assert.All(decisions.Where(d => d.Action == ImpairmentAction.Forward), d => Assert.True(d.DelayAskedNanos == 5_000_000 && d.DelayErrorNanos >= 0));

        // 4,000 × 5 % = 200, five standard deviations are 69.
        Assert.InRange(report.Figures.Dropped, 131, 269);
    }

    [LinkFact]
    public void Datagrams_Reordered_ArriveInTheOrderOfTheLog()
    {
        using IPathLab lab = NewPath("udp port 5001", "delay 200ms", "reorder out:every:4:replace:1ms", "duplicate out:every:7");
        List<int> arrived = lab.SendNumbered(20);
        (_, List<ImpairmentDecision> decisions) = lab.Finish();

        int[] logged = decisions.Where(d => d.Action is ImpairmentAction.Forward or ImpairmentAction.ForwardCopy).Select(d => (int)d.PacketId).ToArray();
        Assert.Equal(logged, arrived);
        Assert.Equal([4, 8, 12, 16, 20, 1, 2, 3, 5, 6, 7, 7], arrived.Take(12));
    }

    [LinkFact]
    public void Datagrams_Corrupted_AreRefusedByTheReceiver()
    {
        using IPathLab lab = NewPath("udp port 5001", "corrupt out:every:2");

        Assert.Equal([1, 3, 5, 7, 9], lab.SendNumbered(10));
    }

    // 32 bytes take 25.6 ms at this rate: most of them find others in front of them.
    [LinkFact]
    public void Datagrams_EcnCapable_AreMarkedWhereTheQueueIsLong()
    {
        using IPathLab lab = NewPath("udp port 5001", "rate 10kbit", "ecn 2pkt");
        List<int> marked = lab.SendCapable(10);
        (ShimReport report, List<ImpairmentDecision> decisions) = lab.Finish();

        Assert.Equal(decisions.Where(d => d.Action == ImpairmentAction.MarkEcn).Select(d => (int)d.PacketId), marked);
        Assert.InRange(marked.Count, 1, 9);
        Assert.Equal((10, 10), (report.Figures.Offered, report.Figures.Forwarded));
    }

    // Six are left after the loss; the third and the sixth of these are sent twice.
    [LinkFact]
    public void Datagrams_OverIpv6_AreLostAndDuplicated()
    {
        using IPathLab lab = NewPath(isIpv6: true, "udp port 5001 ip6", "delay 1ms", "loss out:list:2", "duplicate out:every:3");
        List<int> arrived = lab.SendNumbered(7);
        (ShimReport report, _) = lab.Finish();

        Assert.Equal([1, 3, 4, 4, 5, 6, 7, 7], arrived);
        Assert.Equal((7, 8, 1, 0), (report.Figures.Offered, report.Figures.Forwarded, report.Figures.Dropped, report.Figures.Lost));
    }

    // A lower bound only: how late this machine is depends on its load.
    [LinkFact]
    public void RoundTrip_TakesTheDelayAsked()
    {
        using IPathLab lab = NewPath("udp port 5001", "rtt 30ms");

        Assert.True(lab.RoundTrip() >= TimeSpan.FromMilliseconds(30));
    }

    [LinkFact]
    public void Packets_NotMatched_PassUntouched()
    {
        using IPathLab lab = NewPath("udp port 9", "loss 100pct");
        List<int> arrived = lab.SendNumbered(10);
        (ShimReport report, _) = lab.Finish();

        Assert.Equal(Enumerable.Range(1, 10), arrived);
        Assert.Equal(0, report.Figures.Offered);
    }

    // What has come gets its time; what comes later passes untouched, and may overtake it.
    [LinkFact]
    public void Stop_WithPacketsUnderWay_LosesNone()
    {
        using IPathLab lab = NewPath("udp port 5001", "delay 300ms");
        ShimReport? report = null;
        List<int> arrived = lab.SendNumbered(100, () => report = lab.Finish().Report);

        Assert.Equal(Enumerable.Range(1, 100), arrived.Order());
        Assert.Equal(report!.Figures.Offered, report.Figures.Forwarded);
        Assert.Equal((0, 0, 0), (report.Figures.Dropped, report.Figures.Lost, report.Figures.RecordsLost));
    }
}

/// <summary>What every way of diverting has to do between two network namespaces: the datagrams, and real TCP.</summary>
[SupportedOSPlatform("linux")]
public abstract class LinkConformance : PathConformance
{
    private protected const int Port = NumberedDatagrams.Port;

    /// <summary>Two hosts and what is emulated between them.</summary>
    private protected abstract ILinkLab NewLink(bool isIpv6, string match, params string[] options);

    private protected override IPathLab NewPath(bool isIpv6, string match, params string[] options) => NewLink(isIpv6, match, options);

    [LinkFact]
    public async Task Tcp_OverAReorderingLossyLink_ArrivesWhole()
    {
        byte[] sent = new byte[4_000_000];
        new Random(1).NextBytes(sent);
        using ILinkLab lab = NewLink(
            isIpv6: false, "tcp port 5001", "rate 100mbit", "rtt 10ms", "buffer 1bdp", "loss 0.1pct", "reorder out:1pct:replace:1ms", "ecn 20pkt", "seed 3");
        using Socket listener = lab.FarSocket(SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(lab.FarAddress, Port));
        listener.Listen();
        Task<byte[]> receiving = ReceiveAll(listener);
        using (Socket near = lab.NearSocket(SocketType.Stream, ProtocolType.Tcp))
        {
            await near.ConnectAsync(lab.FarAddress, Port);
            await using NetworkStream stream = new(near);
            await stream.WriteAsync(sent);
            near.Shutdown(SocketShutdown.Send);
            Assert.Equal(sent, await receiving);
        }

        (ShimReport report, List<ImpairmentDecision> decisions) = lab.Finish();
        AssertCounted(report, decisions);
    }

    static async Task<byte[]> ReceiveAll(Socket listener)
    {
        using Socket connection = await listener.AcceptAsync();
        await using NetworkStream stream = new(connection);
        using MemoryStream all = new();
        await stream.CopyToAsync(all);
        return all.ToArray();
    }

    // What left and what was dropped is what came, by the log and by the figures; reordering lies within five standard deviations.
    static void AssertCounted(ShimReport report, List<ImpairmentDecision> decisions)
    {
        int left = decisions.Count(d => d.Action == ImpairmentAction.Forward);
        int dropped = decisions.Count(d => d.Action.IsDrop());
        int out1 = decisions.Count(
            d => d.Direction == LinkDirection.Out && d.Action is ImpairmentAction.Forward or ImpairmentAction.DropLoss or ImpairmentAction.DropQueue);
        double reordered = decisions.Count(d => d.Action == ImpairmentAction.ReorderReplace);
        double sigma = Math.Sqrt(out1 * 0.01);

        Assert.Equal((report.Figures.Forwarded, report.Figures.Dropped), (left, dropped));
        Assert.Equal(report.Figures.Offered, left + dropped);
        Assert.True(left > 4_000_000 / 1460, $"{left} packets left");
        Assert.InRange(reordered, (out1 * 0.01) - (5 * sigma), (out1 * 0.01) + (5 * sigma));
        Assert.Equal(0, report.Figures.RecordsLost);
    }
}
