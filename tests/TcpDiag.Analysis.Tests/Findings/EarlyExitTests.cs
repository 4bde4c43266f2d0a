using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using TcpDiag.Testing;
using TcpDiag.Wire;
using Xunit;
using static TcpDiag.Analysis.Tests.Findings.ConstructedConnection;
using static TcpDiag.Analysis.Tests.Segments;

namespace TcpDiag.Analysis.Tests.Findings;

/// <summary>
/// Slow starts that ended too early, and what looks alike. Packets: captured at the client, 100 ms from the server over a link of 100 Mbit/s, which holds
/// 1.25 MB, 860 segments of 1460 bytes; instants in microseconds.
/// </summary>
public sealed class EarlyExitTests
{
    const int RoundTrip = 100_000;
    const int Mss = 1460;
    const int SegmentTime = 120; // of 1500 bytes at 100 Mbit/s
    const int AllRounds = 30;
    const ushort Window = 3000; // of 512 bytes: 1.5 MB

    // Constructed: bursts at 100 Mbit/s and 40 ms hold 500 kB, of which 40 % are 200 kB.
    [Theory]
    [InlineData(199_000, true)]
    [InlineData(201_000, false)]
    public void Exit_BelowTwoFifthsOfThePath_IsEarly(int bytes, bool isFound) =>
        Assert.Equal(isFound ? FindingIds.SlowStartLeftEarly : FindingIds.CwndLimited, Judge(Exit(start => start with { ExitBytes = bytes })).Single().Id);

    // Five round trips of 40 ms.
    [Theory]
    [InlineData(200, true)]
    [InlineData(199, false)]
    public void Window_ThatDoublesSoon_WasNotLeftEarly(int milliseconds, bool isFound) => Assert.Equal(
        isFound, Judge(Exit(start => start with { DoublingTime = milliseconds * Millisecond })).Any(found => found.Id is FindingIds.SlowStartLeftEarly));

    [Theory]
    [InlineData(SlowStartCause.Unknown, 0)]
    [InlineData(SlowStartCause.Reduction, 0)]
    [InlineData(SlowStartCause.Delay, 3)]
    public void Exit_ThatSomethingElseExplains_IsNotBlamed(SlowStartCause cause, int reductions) =>
        Assert.Equal(FindingIds.CwndLimited, Judge(Exit(start => start with { Cause = cause, Reductions = reductions })).Single().Id);

    // 30 needless retransmissions, all undone: reordering is there, and the window is small because slow start was left.
    [Fact]
    public void Reordering_WhoseReductionsWereUndone_IsNotBlamed()
    {
        Connection connection = Exit(start => start);
        connection = connection with
        {
            FromClient = connection.FromClient with { Retransmissions = 30, Repairs = RetransmissionCounts.Of(default, new(0, 30, 0, 0)), Dsacks = 30 },
        };
        string[] ids = [.. Judge(connection).Select(found => found.Id)];
        Assert.Contains(FindingIds.SlowStartLeftEarly, ids);
        Assert.DoesNotContain(FindingIds.CwndLimitedByReordering, ids);
    }

    // 10, 20, 40, 80 segments, one of which overtakes all before it; from 160 on the window grows by a segment in each round trip.
    [Fact]
    public void Packet_ThatOvertookOthers_IsNamedWithItsRtt()
    {
        TraceAnalysis analysis = Transfer(doublings: 4, early: true).Analyze();
        SlowStartSummary start = analysis.Connections[0].FromClient.SlowStart!;
        Assert.Equal((SlowStartCause.EarlyPacket, 0), (start.Cause, start.Reductions));
        Assert.InRange(start.ExitBytes!.Value, 120 * Mss, 170 * Mss);
        Assert.InRange(start.EarlyRtt!.Value, 55_000_000, 57_000_000);
        Finding finding = analysis.Findings.Single(found => found.Id is FindingIds.SlowStartLeftEarly);
        Assert.Contains("One packet that overtook others made it too small", finding.Cause, StringComparison.Ordinal);
        Assert.Equal(0.9, finding.Confidence);
    }

    // The same growth without a reason that HyStart has: a send buffer, or a window that is clamped.
    [Fact]
    public void Growth_ThatStopsForNoReason_IsNotNamed() =>
        Assert.DoesNotContain(Transfer(doublings: 4, early: false).Analyze().Findings, found => found.Id is FindingIds.SlowStartLeftEarly);

    // 640 segments fill three quarters of the path, and HyStart is right to leave. The flight is sent at twice the rate of the link: its acknowledgments come a
    // segment's time apart for 640 · 0.12 = 77 ms, so the train is (100 + 1) / 2 ms long before it ends; the first samples of the round have not waited, so
    // that no delay shows.
    [Fact]
    public void Exit_NearTheFullPath_IsRight()
    {
        TraceAnalysis analysis = Transfer(doublings: 6, early: false).Analyze();
        Assert.Equal(SlowStartCause.AckTrain, analysis.Connections[0].FromClient.SlowStart!.Cause);
        Assert.DoesNotContain(analysis.Findings, found => found.Id is FindingIds.SlowStartLeftEarly);
    }

    static Connection Exit(Func<SlowStartSummary, SlowStartSummary> change) => Upload(up => up with
    {
        Limits = Spent((LimitState.CongestionWindow, 10 * Second)),
        FirstData = new TraceTime(0),
        Delivery = new DeliverySummary { BestBitsPerSecond = 12e6, BurstBitsPerSecond = 100e6 },
        SlowStart = change(new SlowStartSummary
        {
            Cause = SlowStartCause.Delay,
            ExitBytes = 50_000,
            Exit = new TracePosition(100, new TraceTime(Second)),
            ExitRtt = 50 * Millisecond,
        }),
    });

    // Each acknowledgment is answered at once: with twice what it covers while the window doubles, later with as much, and one segment more in a round trip
    // where congestion avoidance follows (RFC 5681 §3.1). A window that stays to the byte would be a buffer's.
    static MemoryTrace Transfer(int doublings, bool early)
    {
        MemoryTrace trace = new MemoryTrace()
            .Packet(0, FromClient(0, 0, flags: FrameBuilder.Syn).AckNumber(0).Mss(Mss).WindowScale(9).SackPermitted())
            .Packet(RoundTrip, FromServer(0, 1, flags: FrameBuilder.Syn | FrameBuilder.Ack).Mss(Mss).WindowScale(9).SackPermitted())
            .Packet(RoundTrip + 10, FromClient(1, 1));
        uint seq = 1;
        long link = 0; // when it is free
        (long Time, uint Acked)[] acks = [];
        for (int round = 0; round <= AllRounds; round++)
        {
            int factor = round == 0 ? 1 : round <= doublings ? 2 : 1;
            (long Time, uint Acked)[] events = round == 0 ? [(RoundTrip + 20, 0)] : acks;
            int grown = early ? round - doublings : 0;
            acks = [.. events.SelectMany((ack, i) => Answer(ack, round == 0 ? 10 : (2 * factor) + (i < grown ? 1 : 0)))];
            if (early && round == doublings - 1)
            {
                // the last one, 55 ms after it was sent
                trace.Packet(events[^1].Time + 55_000,
                    FromServer(1, events[^1].Acked).Window(Window).Sack(unchecked(ClientIsn + seq - Mss), unchecked(ClientIsn + seq)));
            }
        }

        return trace;

        (long Time, uint Acked)[] Answer((long Time, uint Acked) ack, int segments)
        {
            if (ack.Acked > 0)
            {
                trace.Packet(ack.Time, FromServer(1, ack.Acked).Window(Window));
            }

            var answers = new List<(long, uint)>();
            for (int i = 0; i < segments; i++, seq += Mss)
            {
                trace.Packet(ack.Time + 1 + i, FromClient(seq, 1, Mss));
                link = Math.Max(link, ack.Time) + SegmentTime;
                if (i % 2 == 1)
                {
                    answers.Add((link + RoundTrip, seq + Mss));
                }
            }

            return [.. answers];
        }
    }
}
