using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Testing;
using Xunit;
using static TcpDiag.Analysis.Tests.Segments;

namespace TcpDiag.Analysis.Tests.Findings;

/// <summary>
/// One end falls silent, and what looks alike. Captured at the client, 40 ms from the server; instants in microseconds. 1000 bytes are sent at 1 s, and again
/// 0.3, 0.9, 2.1 and 4.5 s later.
/// </summary>
public sealed class DeadPeerTests
{
    static readonly long[] Timeouts = [1_300_000, 1_900_000, 3_100_000, 5_500_000];

    [Fact]
    public void Retransmissions_WithoutAnswer_ThenAReset_AreADeadPeer()
    {
        TraceAnalysis analysis = Unanswered().Packet(10_300_000, FromClient(1101, 1, flags: FrameBuilder.Rst | FrameBuilder.Ack)).Analyze();
        Finding finding = analysis.Findings.Single(found => found.Id is FindingIds.DeadPeer);
        Assert.Equal("The server fell silent: 4 retransmissions of the client got no answer, and the client reset the connection.", finding.Title);
        Assert.Equal((9.0, true), (finding.SecondsLost, finding.IsFromClient)); // 1.3 to 10.3 s
        Assert.Equal([7L, 11L], finding.Evidence.Select(shown => shown.FirstPacket!.Value));
        Assert.Equal(0, analysis.Findings.SingleOrDefault(found => found.Id is FindingIds.RtoStalls)?.SecondsLost ?? 0);
    }

    // 4.2 s of retransmissions, and nothing for twice as long.
    [Fact]
    public void Retransmissions_ThatEnd_AreADeadPeer() => Assert.EndsWith(
        "and the client gave up.",
        Unanswered().Packet(30_000_000, FromClient(1, 1).Tcp(50001, 443)).Analyze().Findings.Single(found => found.Id is FindingIds.DeadPeer).Title,
        System.StringComparison.Ordinal);

    // The capture ends with the fourth: the server may yet answer.
    [Fact]
    public void Retransmissions_AtTheEndOfTheCapture_MayBeAnOutage() => Assert.DoesNotContain(FindingIds.DeadPeer, Ids(Unanswered()));

    // All data has arrived; what gets no answer is the end of the connection, for which nobody waits.
    [Fact]
    public void Fin_WithoutAnswer_IsANote()
    {
        MemoryTrace trace = Opened().Packet(30_000, FromClient(1, 1, 100)).Packet(70_000, FromServer(1, 101));
        foreach (long time in (long[])[1_000_000, .. Timeouts, 10_300_000])
        {
            trace.Packet(time, FromClient(101, 1, flags: FrameBuilder.Fin | FrameBuilder.Ack));
        }

        Finding finding = trace.Analyze().Findings.Single(found => found.Id is FindingIds.DeadPeer);
        Assert.Equal((FindingSeverity.Note, null), (finding.Severity, finding.SecondsLost));
    }

    // The path was dead for five seconds.
    [Fact]
    public void Outage_ThatEnds_IsNoDeadPeer() => Assert.DoesNotContain(FindingIds.DeadPeer, Ids(Unanswered()
        .Packet(5_540_000, FromServer(1, 1101))
        .Packet(40_000_000, FromClient(1101, 1, flags: FrameBuilder.Rst | FrameBuilder.Ack))));

    // Both have closed; the last acknowledgment was lost, and nobody is there any more who could repeat it.
    [Fact]
    public void Fins_OfAClosedConnection_AreNone()
    {
        MemoryTrace trace = Opened()
            .Packet(30_000, FromClient(1, 1, flags: FrameBuilder.Fin | FrameBuilder.Ack))
            .Packet(50_000, FromServer(1, 2, flags: FrameBuilder.Fin | FrameBuilder.Ack));
        foreach (long time in Timeouts)
        {
            trace.Packet(time, FromServer(1, 2, flags: FrameBuilder.Fin | FrameBuilder.Ack));
        }

        Assert.DoesNotContain(FindingIds.DeadPeer, Ids(trace.Packet(60_000_000, FromClient(1, 1).Tcp(50001, 443))));
    }

    // Keep-alives that are answered, on a connection nobody uses.
    [Fact]
    public void KeepAlives_Answered_AreNone()
    {
        MemoryTrace trace = Opened().Packet(30_000, FromClient(1, 1, 100)).Packet(70_000, FromServer(1, 101));
        for (int i = 1; i <= 9; i++)
        {
            trace.Packet(75_000_000L * i, FromClient(100, 1)).Packet((75_000_000L * i) + 40_000, FromServer(1, 101));
        }

        Assert.DoesNotContain(trace.Analyze().Findings, found => found.Id is FindingIds.DeadPeer or FindingIds.ResetByPeer);
    }

    static MemoryTrace Unanswered()
    {
        MemoryTrace trace = new MemoryTrace()
            .Packet(0, FromClient(0, 0, flags: FrameBuilder.Syn).AckNumber(0).Mss(1460).WindowScale(7))
            .Packet(40_000, FromServer(0, 1, flags: FrameBuilder.Syn | FrameBuilder.Ack).Mss(1460).WindowScale(7))
            .Packet(40_010, FromClient(1, 1))
            .Packet(50_000, FromClient(1, 1, 100))
            .Packet(90_000, FromServer(1, 101))
            .Packet(1_000_000, FromClient(101, 1, 1000));
        foreach (long time in Timeouts)
        {
            trace.Packet(time, FromClient(101, 1, 1000));
        }

        return trace;
    }

    static string[] Ids(MemoryTrace trace) => [.. trace.Analyze().Findings.Select(found => found.Id)];
}
