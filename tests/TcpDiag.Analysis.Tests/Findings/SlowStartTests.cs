using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using TcpDiag.Testing;
using Xunit;
using static TcpDiag.Analysis.Tests.Findings.ConstructedConnection;
using static TcpDiag.Analysis.Tests.Segments;

namespace TcpDiag.Analysis.Tests.Findings;

/// <summary>
/// Bursts that begin with a small window after pauses, transfers that end before the window has opened, and what looks alike. Captured at the client, 40 ms
/// from the server, unless said otherwise; instants in microseconds.
/// </summary>
public sealed class SlowStartTests
{
    const int RoundTrip = 40_000;

    // 10, 20, 40 and 80 segments in four rounds; the same again after each of three pauses of 3 s.
    [Fact]
    public void Bursts_ThatBeginAnewAfterPauses_AreRestarts()
    {
        Finding finding = Bursts(RoundTrip, 10, 20, 40, 80).Analyze().Findings.Single(found => found.Id is FindingIds.IdleRestart);
        Assert.Equal("After pauses the client began anew with a small congestion window, 3 times.", finding.Title);
        Assert.Equal((FindingSeverity.Note, 0.6), (finding.Severity, finding.Confidence));
        Assert.InRange(finding.SecondsLost!.Value, 0.1, 3 * 3 * 0.04); // of three bursts at most three round trips each
        Assert.Equal("14.6 kB and 117 kB", finding.Evidence[1].Value);
    }

    // The window is kept: what there is leaves at once.
    [Fact]
    public void Bursts_ThatLeaveAtOnce_AreNone() => Assert.DoesNotContain(FindingIds.IdleRestart, Ids(Bursts(RoundTrip, 80, 70)));

    // Chunks of ten segments, as a program writes them: what follows does not grow.
    [Fact]
    public void Chunks_ThatDoNotGrow_AreNone() =>
        Assert.DoesNotContain(FindingIds.IdleRestart, Ids(Bursts(RoundTrip, [.. Enumerable.Repeat(10, 8)], first: 80)));

    // A small message after each pause.
    [Fact]
    public void Messages_AfterPauses_AreNone() => Assert.DoesNotContain(FindingIds.IdleRestart, Ids(Bursts(RoundTrip, [1, 2], first: 80)));

    // Linux halves the window for each RTO of the pause: what is left is more than an initial window. What data echoes shows it at both ends.
    [Theory]
    [InlineData(RoundTrip)]
    [InlineData(100)]
    public void Window_HalvedInPauses_ShowsInEchoes(int toServer)
    {
        Finding finding = Bursts(toServer, [22, 44, 80], first: 0, hasTimestamps: true).Analyze().Findings
            .Single(found => found.Id is FindingIds.IdleRestart);
        Assert.Equal("After pauses the client began anew with a small congestion window, 3 times.", finding.Title);
        Assert.StartsWith("31.9 kB", finding.Evidence[1].Value, System.StringComparison.Ordinal); // 22 segments of 1448 bytes
    }

    // Begun late, of a stack that leaves every segment to its adapter to cut: no segment tells the size of a full one.
    [Fact]
    public void Burst_OfOffloadedSegmentsAlone_IsNoneWithoutTheSyns()
    {
        var trace = new MemoryTrace();
        uint seq = 1;
        long acknowledged = 1000;
        for (int burst = 0; burst < 3; burst++)
        {
            long time = 100_000 + (burst * 3_000_000L);
            foreach (int segments in (int[])[8, 16, 32, 64])
            {
                for (int i = 0; i < segments; i++, seq += 2896)
                {
                    trace.Packet(time + i, FromClient(seq, 1, 2896).Timestamps((uint)(time / 1000), (uint)(acknowledged / 1000)));
                }

                acknowledged = time + RoundTrip;
                trace.Packet(acknowledged, FromServer(1, seq).Timestamps((uint)(acknowledged / 1000), (uint)(time / 1000)));
                time = acknowledged + 20;
            }
        }

        Assert.DoesNotContain(FindingIds.IdleRestart, Ids(trace));
    }

    // A window is full segments; a write that ends before the next one is ready is not.
    [Fact]
    public void Writes_LargerThanAnInitialWindow_AreNone() =>
        Assert.DoesNotContain(FindingIds.IdleRestart, Ids(Bursts(RoundTrip, [22, 44, 80], first: 0, hasTimestamps: true, lastBytes: 500)));

    // The burst before had not three times as much behind its first round: nothing shows that its window was larger.
    [Fact]
    public void Bursts_NotMuchLargerThanTheirFirstRound_AreNone() =>
        Assert.DoesNotContain(FindingIds.IdleRestart, Ids(Bursts(RoundTrip, [22, 30], first: 0, hasTimestamps: true)));

    // Captured at the receiver, each acknowledgment follows at once: without timestamps what leaves in a round trip does not show.
    [Fact]
    public void Bursts_SeenAtTheReceiver_AreNotJudged() => Assert.DoesNotContain(FindingIds.IdleRestart, Ids(Bursts(100, 10, 20, 40, 80)));

    [Theory]
    [InlineData(150_000, 60_000, true, true)] // 10, 20, 40 and 33 segments
    [InlineData(150_000, 60_000, false, false)] // how it began was not captured
    [InlineData(151_000, 60_000, true, false)]
    [InlineData(20_000, 14_000, true, false)] // no more than an initial window at a time
    public void Transfer_EndingInSlowStart_IsANote(long bytes, int inFlight, bool hasSyn, bool isFound)
    {
        var findings = Judge(Upload(up => up with
        {
            HasSyn = hasSyn,
            UniqueBytes = bytes,
            MaxInFlightBytes = inFlight,
            Limits = Spent((LimitState.CongestionWindow, 9 * Second), (LimitState.Application, Second)),
        }));
        Assert.Equal(isFound ? FindingIds.SlowStart : FindingIds.CwndLimited, findings.Single().Id);
        Assert.Equal(isFound, findings[0] is { Severity: FindingSeverity.Note, SecondsLost: null });
    }

    [Fact]
    public void Transfer_WithLosses_DidNotEndInSlowStart() => Assert.DoesNotContain(FindingIds.SlowStart, Judge(Upload(up => up with
    {
        UniqueBytes = 100_000,
        MaxInFlightBytes = 60_000,
        Retransmissions = 1,
        Limits = Spent((LimitState.CongestionWindow, 10 * Second)),
    })).Select(found => found.Id));

    static MemoryTrace Bursts(int toServer, params int[] rounds) => Bursts(toServer, rounds, first: 0);

    // Four bursts, 3 s apart; before the first, a round of so many segments.
    // With timestamps, ticks of a millisecond, the client echoes the latest acknowledgment; the last segment of a first round may be a smaller one.
    static MemoryTrace Bursts(int toServer, int[] rounds, int first, bool hasTimestamps = false, int lastBytes = 0)
    {
        FrameBuilder Stamped(FrameBuilder frame, long time, long echo) =>
            hasTimestamps ? frame.Timestamps((uint)(1000 + (time / 1000)), echo < 0 ? 0 : (uint)(1000 + (echo / 1000))) : frame;

        MemoryTrace trace = new MemoryTrace()
            .Packet(0, Stamped(FromClient(0, 0, flags: FrameBuilder.Syn).AckNumber(0).Mss(1460).WindowScale(9), 0, -1))
            .Packet(toServer, Stamped(FromServer(0, 1, flags: FrameBuilder.Syn | FrameBuilder.Ack).Mss(1460).WindowScale(9), toServer, 0))
            .Packet(RoundTrip + 10, Stamped(FromClient(1, 1), RoundTrip + 10, toServer));
        int mss = hasTimestamps ? 1448 : 1460;
        long acknowledged = toServer;
        uint seq = 1;
        long time = 100_000;
        for (int burst = 0; burst < 4; burst++)
        {
            foreach (int segments in burst == 0 && first > 0 ? [first] : rounds)
            {
                for (int i = 0; i < segments; i++)
                {
                    int length = lastBytes > 0 && segments == rounds[0] && i == segments - 1 ? lastBytes : mss;
                    trace.Packet(time + i, Stamped(FromClient(seq, 1, length), time, acknowledged));
                    seq += (uint)length;
                }

                acknowledged = time + toServer + segments;
                trace.Packet(acknowledged, Stamped(FromServer(1, seq), acknowledged, time));
                time += RoundTrip + segments + 20;
            }

            time += 3_000_000;
        }

        return trace;
    }

    static string[] Ids(MemoryTrace trace) => [.. trace.Analyze().Findings.Select(found => found.Id)];
}
