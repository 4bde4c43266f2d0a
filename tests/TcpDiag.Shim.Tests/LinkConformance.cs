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
        using ILinkLab lab = NewLink(isIpv6: false, "tcp port 5001", "rate 100mbit", "rtt 10ms", "buffer 1bdp", "loss 0.1pct", "reorder out:1pct:replace:1ms", "ecn 20pkt", "seed 3");
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
        AssertAccounted(report, decisions);
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
    static void AssertAccounted(ShimReport report, List<ImpairmentDecision> decisions)
    {
        int left = decisions.Count(d => d.Action == ImpairmentAction.Forward);
        int dropped = decisions.Count(d => d.Action.IsDrop());
        int out1 = decisions.Count(d => d.Direction == LinkDirection.Out && d.Action is ImpairmentAction.Forward or ImpairmentAction.DropLoss or ImpairmentAction.DropQueue);
        double reordered = decisions.Count(d => d.Action == ImpairmentAction.ReorderReplace);
        double sigma = Math.Sqrt(out1 * 0.01);

        Assert.Equal((report.Figures.Forwarded, report.Figures.Dropped), (left, dropped));
        Assert.Equal(report.Figures.Offered, left + dropped);
        Assert.True(left > 4_000_000 / 1460, $"{left} packets left");
        Assert.InRange(reordered, (out1 * 0.01) - (5 * sigma), (out1 * 0.01) + (5 * sigma));
        Assert.Equal(0, report.Figures.RecordsLost);
    }
}
