using System;
using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Scores.Cards;
using TcpDiag.Scores.Congestion;
using TcpDiag.Tcp.Congestion;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Scores.Tests.Congestion;

/// <summary>The congestion window's components on streams made by hand: segments of 1000 bytes, round trips of 100 ms.</summary>
public sealed class CongestionScoreTests
{
    const int Smss = 1000;
    const long Millisecond = 1_000_000;
    const long Rtt = 100 * Millisecond;

    // 20 kB in flight; one retransmission that was needed, the other not. What is left: 14 kB of 20 after the loss (CUBIC's 0.7), all of it after the other.
    [Fact]
    public void Reductions_ByCauseAndSize_AreCounted()
    {
        Reduction loss = Reduced(packet: 10, necessary: 1, needless: 0, after: 14_000);
        Reduction undone = Reduced(packet: 20, necessary: 0, needless: 2, after: 20_000);
        Reduction kept = Reduced(packet: 30, necessary: 0, needless: 1, after: 10_000);
        ScoreComponent[] components = [.. ReductionScore.Of([loss, undone, kept], Rtt, Smss)];
        Assert.Equal([new Proportion(1, 3), new Proportion(1, 2), new Proportion(1, 1)], components.Select(one => one.Rate!.Value));
        Assert.Equal([30, 20], components[0].Worst.Select(place => place.Packet)); // half an RTT lost, and none
        Assert.Equal(50 * Millisecond, components[0].Worst[0].Nanos);
    }

    // 0.4 … 0.85 of the flight (RFC 5681 §3.1: 0.5; RFC 9438 §4.6: 0.7), and half a segment.
    [Theory]
    [InlineData(7_400, 0)]
    [InlineData(7_500, 1)]
    [InlineData(17_500, 1)]
    [InlineData(17_600, 0)]
    public void ReductionSize_Bounds(long after, int hits) => Assert.Equal(new Proportion(hits, 1), SizeOf(Reduced(1, 1, 0, after)));

    // Of 20 segments seven lost are more than 0.3; of what was needless too, part may have been taken back; and of three in flight two are left at least.
    [Theory]
    [InlineData(6, 0, 20_000, true)]
    [InlineData(7, 0, 20_000, false)]
    [InlineData(1, 1, 20_000, false)]
    [InlineData(1, 0, 4_000, true)]
    [InlineData(1, 0, 3_000, false)]
    public void ReductionSize_WhereItShowsTheSendersFactor(int necessary, int needless, long before, bool isShown) =>
        Assert.Equal(isShown, SizeOf(Reduced(1, necessary, needless, after: before / 2, before)) is not null);

    [Fact]
    public void NoReduction_IsNotExercised() => Assert.All(
        ReductionScore.Of([], Rtt, Smss), component =>
            Assert.True(component.Rate is null && component.NotExercised!.Contains("exercises", StringComparison.Ordinal)));

    // The verdict of packet 25 belongs to the recovery that began with packet 20.
    [Fact]
    public void Verdict_GoesToTheRecoveryOfItsPacket()
    {
        Reductions reductions = new();
        reductions.OnAcked(Ack(0, 1, una: 0, next: 20_000, delivered: 0, flight: 20_000));
        Assert.True(reductions.OnSent(Sent(1, 10, RepairKind.Fast, 20_000, next: 20_000)));
        Assert.False(reductions.OnSent(Sent(2, 11, RepairKind.Fast, 20_000, next: 20_000)));
        reductions.OnAcked(Ack(100, 12, una: 20_000, next: 30_000, delivered: 20_000, flight: 10_000));
        Assert.Null(reductions.Current);
        Assert.True(reductions.OnSent(Sent(150, 20, RepairKind.Fast, 10_000, next: 30_000)));
        reductions.OnVerdict(25, RetransmissionNeed.Spurious);
        reductions.OnVerdict(11, RetransmissionNeed.Necessary);
        Assert.Equal([(1, 0), (0, 1)], reductions.All.Select(one => (one.Necessary, one.Needless)));
        Assert.Equal([20_000, 10_000], reductions.All.Select(one => one.BeforeBytes));
    }

    // One reduction per round however many echoes (RFC 3168 §6.1.2).
    [Fact]
    public void Marks_OfOneRound_AreOneReduction()
    {
        Reductions reductions = new();
        Assert.True(reductions.OnAcked(Ack(0, 1, una: 1000, next: 9000, delivered: 1000, flight: 8000) with { HasEcnEcho = true }));
        Assert.False(reductions.OnAcked(Ack(10, 2, una: 8000, next: 15_000, delivered: 7000, flight: 7000) with { HasEcnEcho = true }));
        Assert.True(reductions.OnAcked(Ack(100, 3, una: 9000, next: 16_000, delivered: 1000, flight: 7000) with { HasEcnEcho = true }));
    }

    // 20 kB in flight, the first segment resent. Two acknowledgments deliver 1 kB each and are answered with 1 kB: within PRR's bound. The third delivers 1 kB
    // and is answered with 6 kB: allowed are max(3 − 3, 1) + 1 = 2 kB, so 4 kB of 20 are too much: a fifth of the window, 20 ms of 100.
    [Fact]
    public void Recovery_WithABurst_IsAPlace()
    {
        RecoveryPace pace = Recovering();
        for (int i = 0; i < 2; i++)
        {
            pace.OnAcked(Ack(10 + (10 * i), 20 + i, 0, 20_000, 1000, 20_000), isOver: false);
            pace.OnSent(Sent(10 + (10 * i), 30 + i, RepairKind.None, 20_000, 21_000));
        }

        pace.OnAcked(Ack(40, 50, 0, 20_000, 1000, 20_000), isOver: false);
        pace.OnSent(Sent(40, 51, RepairKind.None, 20_000, 27_000, bytes: 6000));
        pace.OnAcked(Ack(110, 60, 20_000, 27_000, 16_000, 7000), isOver: true);
        ScoreComponent bursts = pace.Components().First();
        Assert.Equal(new Proportion(2, 3, Independent: 1), bursts.Rate);
        Assert.Equal((50, 20 * Millisecond), (bursts.Worst.Single().Packet, bursts.Worst.Single().Nanos));
    }

    // An acknowledgment that delivers nothing releases nothing.
    [Fact]
    public void Recovery_AnswerToNothing_IsABurst()
    {
        RecoveryPace pace = Recovering();
        pace.OnAcked(Ack(10, 20, 0, 20_000, 0, 20_000), isOver: false);
        pace.OnSent(Sent(10, 21, RepairKind.None, 20_000, 21_000));
        pace.OnAcked(Ack(110, 60, 20_000, 21_000, 20_000, 1000), isOver: true);
        Assert.Equal(new Proportion(0, 1), pace.Components().First().Rate);
    }

    // Of 20 segments in flight an acknowledgment each 5 ms delivers one. Without PRR nothing is sent until 0.3 or half of it is delivered: six segments are
    // more than a quarter of the flight, five are not. The last were never answered: there may have been nothing to send.
    [Theory]
    [InlineData(7, 0)]
    [InlineData(6, 1)]
    [InlineData(1, 1)]
    [InlineData(100, 1)]
    public void Recovery_SilentForAQuarterOfTheFlight(int firstAnswered, int even)
    {
        ScoreComponent silence = SilenceOf(firstAnswered, everyMilliseconds: 5, pauseMilliseconds: 0);
        Assert.Equal(new Proportion(even, 1), silence.Rate);
        Assert.Equal(even == 1 ? [] : [35 * Millisecond], silence.Worst.Select(place => place.Nanos));
    }

    // The window fills a fifth of the path: its acknowledgments come within 20 ms, and 80 ms of every 100 bring none. Nobody could have sent in them.
    [Fact]
    public void Recovery_WithoutAcknowledgments_IsNotSilent() =>
        Assert.Equal(new Proportion(1, 1), SilenceOf(firstAnswered: 5, everyMilliseconds: 1, pauseMilliseconds: 80).Rate);

    // W_cubic(t) = 0.4·(t − 4.217)³ + 100 (RFC 9438 §4.2, the example of W_max = 100: 70 at t = 0), a round each 100 ms for 8 s.
    [Fact]
    public void Growth_OnTheCurve_FitsCubic()
    {
        ScoreComponent growth = GrowthScore.Of(Rounds(80, i => 100 + (0.4 * Math.Pow((i * 0.1) - 4.217, 3))), 1, 0, Smss);
        Assert.Equal(new Proportion(80, 80, Independent: 1), growth.Rate);
        Assert.Contains("80 of 80 rounds fit CUBIC better", growth.Evidence, StringComparison.Ordinal);
    }

    // A segment each round trip (RFC 5681 §3.1).
    [Fact]
    public void Growth_OfReno_FitsTheLine()
    {
        ScoreComponent growth = GrowthScore.Of(Rounds(40, i => 20 + i), 1, 0, Smss);
        Assert.Equal(new Proportion(40, 40, Independent: 1), growth.Rate);
        Assert.Contains(" 0 of 40 rounds fit CUBIC better", growth.Evidence, StringComparison.Ordinal);
    }

    // A window that jumps between 20 and 80 segments follows neither.
    [Fact]
    public void Growth_OfNeither_IsOff() => Assert.True(GrowthScore.Of(Rounds(40, i => i % 4 < 2 ? 20 : 80), 1, 0, Smss).Rate!.Value.Rate < 0.5);

    [Fact]
    public void Growth_OfSevenRounds_IsNotExercised() => Assert.Null(GrowthScore.Of(Rounds(7, i => 20 + i), 1, 0, Smss).Rate);

    // 10, 20, 40, 80 and then 81 … segments: left in round 4. The path later holds 300 without a queue, of which 80 are less than two fifths.
    [Theory]
    [InlineData(300, 0)]
    [InlineData(190, 1)] // 81 of 190 are more
    public void SlowStart_LeftFarBelowWhatThePathHolds_IsEarly(int later, int hits)
    {
        WindowRound[] rounds = Rounds(20, i => i < 4 ? 10 << i : i < 18 ? 77 + i : later, stage: 0);
        SlowStartSummary exit = new() { Cause = SlowStartCause.Delay, ExitBytes = 81_000, Exit = new(rounds[4].Packet, rounds[4].Start) };
        Assert.Equal(4, SlowStartScore.ExitOf(rounds, exit));
        ScoreComponent early = SlowStartScore.Of(rounds, exit, [], HyStartTrigger.Delay, 80_000).First();
        Assert.Equal(new Proportion(hits, 1), early.Rate);
        Assert.Equal(ScoreFamily.SlowStartExit, early.Family);
    }

    // HyStart would have left with 80 kB in flight; losses came at 200.
    [Theory]
    [InlineData(80_000, 0)]
    [InlineData(150_000, -1)] // hardly before the loss: no chance
    public void SlowStart_EndedByLosses_IsLate(long trigger, int hits)
    {
        Reduction loss = new() { Packet = 9, Time = new(0), BeforeBytes = 200_000, Kind = RepairKind.Fast, Necessary = 3 };
        ScoreComponent late = SlowStartScore.Of(Rounds(5, i => 10 << i, stage: 0), null, [loss], HyStartTrigger.Delay, trigger).Last();
        Assert.Equal(hits < 0 ? (Proportion?)null : new Proportion(hits, 1), late.Rate);
    }

    // Ten rounds deliver 100 kB in 100 ms, ten half of it.
    [Fact]
    public void Use_HalfOfTheRounds_IsHalf() => Assert.Equal(new Proportion(10, 20, Independent: 1), UseScore.Of(Rounds(20, i => i < 10 ? 100 : 50)).Rate);

    // 40 kB had been in flight; after 3 s, longer than the timeout of 300 ms, an initial window is ten segments: 10 kB.
    [Theory]
    [InlineData(10_000, 1)]
    [InlineData(40_000, 0)]
    [InlineData(5_000, -1)] // all there was
    public void Pause_ThenBurst(int burst, int hits)
    {
        IdleRestarts restarts = new(Smss);
        restarts.OnSent(Sent(0, 1, RepairKind.None, 40_000, 40_000, bytes: 40_000));
        restarts.OnAcked(Ack(100, 2, 40_000, 40_000, 40_000, flight: 0));
        restarts.OnSent(Sent(3100, 3, RepairKind.None, burst, 40_000 + burst, bytes: burst));
        restarts.OnAcked(Ack(3200, 4, 41_000, 40_000 + burst, 1000, burst - 1000));
        Assert.Equal(hits < 0 ? (Proportion?)null : new Proportion(hits, 1), restarts.Component().Rate);
    }

    // A round ends with the first acknowledgment beyond what had been sent when it began.
    [Fact]
    public void Rounds_AreCutByWhatWasSent()
    {
        WindowRounds rounds = new(Smss);
        rounds.OnSent(Sent(0, 1, RepairKind.None, 2000, 2000));
        rounds.OnAcked(Ack(100, 2, 1000, 2000, 1000, 1000), isRepairing: false); // opens: 2000 sent
        rounds.OnSent(Sent(100, 3, RepairKind.None, 3000, 4000));
        rounds.OnAcked(Ack(110, 4, 2000, 4000, 1000, 2000), isRepairing: false);
        rounds.OnSent(Sent(110, 5, RepairKind.None, 4000, 6000));
        rounds.OnAcked(Ack(200, 6, 3000, 6000, 1000, 3000), isRepairing: false); // beyond 2000
        WindowRound round = Assert.Single(rounds.All);
        Assert.Equal((4000, 2000, 100 * Millisecond, true), (round.PeakBytes, round.DeliveredBytes, round.Nanos, round.IsClean));
    }

    // A FIN alone in flight, a byte, is no window.
    [Theory]
    [InlineData(1, false)]
    [InlineData(1000, true)]
    public void Round_OfLessThanASegment_IsNotHeld(int flight, bool isHeld)
    {
        WindowRounds rounds = new(Smss);
        rounds.OnAcked(Ack(0, 1, una: 1000, next: 1000 + flight, delivered: 1000, flight), isRepairing: false);
        rounds.OnAcked(Ack(100, 2, una: (uint)(1001 + flight), next: 1001 + flight, delivered: flight, flight: 0), isRepairing: false);
        Assert.Equal(isHeld, Assert.Single(rounds.All).IsHeld);
    }

    static Proportion? SizeOf(Reduction reduction) => ReductionScore.Of([reduction], Rtt, Smss).Single(one => one.Id is "reduction-size").Rate;

    static ScoreComponent SilenceOf(int firstAnswered, int everyMilliseconds, int pauseMilliseconds)
    {
        RecoveryPace pace = Recovering();
        for (int i = 1; i <= 19; i++)
        {
            long now = (everyMilliseconds * i) + (i > 2 ? pauseMilliseconds : 0);
            pace.OnAcked(Ack(now, 20 + i, 0, 20_000, 1000, 20_000), isOver: false);
            if (i >= firstAnswered)
            {
                pace.OnSent(Sent(now, 40 + i, RepairKind.None, 20_000, 21_000));
            }
        }

        pace.OnAcked(Ack(150, 60, 20_000, 21_000, 1000, 1000), isOver: true);
        return pace.Components().Last();
    }

    static Reduction Reduced(long packet, int necessary, int needless, long after, long before = 20_000) => new()
    {
        Packet = packet,
        Time = new(0),
        BeforeBytes = before,
        Kind = RepairKind.Fast,
        Necessary = necessary,
        Needless = needless,
        After = after == 0 ? null : new WindowRound(default, packet, Rtt, after, after, Rtt, IsHeld: true, IsClean: true, Stage: 1),
    };

    static RecoveryPace Recovering()
    {
        RecoveryPace pace = new(Smss);
        pace.Begin(Reduced(10, 0, 0, 0), Sent(0, 10, RepairKind.Fast, 20_000, 20_000), Rtt);
        return pace;
    }

    static WindowRound[] Rounds(int count, Func<int, double> segments, int stage = 1) => [.. Enumerable.Range(0, count).Select(i => new WindowRound(
        new(i * Rtt), 100 + i, Rtt, (long)(segments(i) * Smss), (long)(segments(i) * Smss), Rtt, IsHeld: true, IsClean: true, stage))];

    static DataSent Sent(long milliseconds, long packet, RepairKind repair, long flight, int next, int bytes = Smss) =>
        new(new(milliseconds * Millisecond), packet, bytes, repair, flight, new SequenceNumber((uint)next));

    static DataAcked Ack(long milliseconds, long packet, uint una, int next, long delivered, long flight) => new(
        new(milliseconds * Millisecond), packet, new SequenceNumber(una), new SequenceNumber((uint)next), delivered, delivered > 0, flight, 0, Rtt, Rtt,
            3 * Rtt,
        100_000, HasEcnEcho: false);
}
