using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Scores.Cards;
using TcpDiag.Scores.Congestion;
using TcpDiag.Scores.Tests.Replays;
using TcpDiag.Simulator.Flows;
using TcpDiag.Simulator.Paths;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Scores.Tests.Congestion;

/// <summary>Which congestion control sent: rounds of 100 ms made by hand, segments of 1000 bytes; and simulated senders, whose name is known.</summary>
public sealed class ControlEvidenceTests
{
    const int Smss = 1000;
    const long RttNanos = 100_000_000;

    // RFC 9438 §4.6 and §4.2: 280 of 400 are left, K = cbrt(120 / 0.4) = 6.694 s, and after 19 rounds the curve has 400 - 0.4 · 4.794³ = 355.9, where Reno
    // would have 299.
    [Fact]
    public void Cubic_LevelAndCurve_SpeakAgainstTheOthers()
    {
        double k = Math.Cbrt(120 / 0.4);
        ControlFingerprint control = Judge(2, _ => 400, (_, i) => 400 + (0.4 * Math.Pow((i * 0.1) - k, 3)));
        Assert.Equal((ControlFingerprint.Cubic, null), (control.Verdict, control.Reason));
        Assert.Equal(0, Against(control, ControlFingerprint.Cubic));
        Assert.Equal(4, Against(control, ControlFingerprint.Reno)); // level and growth of two stages
        Assert.Equal(4, Against(control, ControlFingerprint.Bbr)); // each level, and growth by more than a quarter
    }

    // RFC 5681 §3.1: 10 of 20 are left, a segment more each round trip. CUBIC in its Reno-friendly region (RFC 9438 §4.3) adds 0.53: too much alike to count.
    [Fact]
    public void Reno_Level_SpeaksAgainstTheOthers()
    {
        ControlFingerprint control = Judge(2, _ => 20, (_, i) => 10 + i);
        Assert.Equal(ControlFingerprint.Reno, control.Verdict);
        Assert.Equal((0, 2), (Against(control, ControlFingerprint.Reno), Against(control, ControlFingerprint.Cubic)));
    }

    // What neither leaves after a loss.
    [Fact]
    public void Flight_KeptThroughLosses_IsBbrs()
    {
        ControlFingerprint control = Judge(3, _ => 50, (_, _) => 47);
        Assert.Equal(ControlFingerprint.Bbr, control.Verdict);
        Assert.Equal((0, 3, 3), (Against(control, ControlFingerprint.Bbr), Against(control, ControlFingerprint.Cubic),
            Against(control, ControlFingerprint.Reno)));
    }

    // One loss alone: a rate of one.
    [Theory]
    [InlineData(70)]
    [InlineData(50)]
    public void OneLoss_TellsTooLittle(double left)
    {
        ControlFingerprint control = Judge(1, _ => 100, (_, _) => left, rounds: 3);
        Assert.Equal(ControlFingerprint.Unknown, control.Verdict);
        Assert.StartsWith("there were too few losses", control.Reason, StringComparison.Ordinal);
    }

    // A third is left: LEDBAT, a policer of the host, whatever it is.
    [Fact]
    public void LevelsOfNobody_AreUnknown()
    {
        ControlFingerprint control = Judge(3, _ => 100, (_, i) => 85 - (i % 3));
        Assert.Equal(ControlFingerprint.Unknown, control.Verdict);
    }

    // What a program leaves in flight before a loss is not what a window was.
    [Fact]
    public void Rounds_HeldByTheProgram_SayNothing()
    {
        ControlFingerprint control = Judge(3, _ => 50, (_, _) => 47, isHeld: false);
        Assert.Equal((ControlFingerprint.Unknown, 0), (control.Verdict, control.Stages));
    }

    // Probes for bandwidth every eight rounds, a quarter above the level, and the path goes on to deliver: without a loss.
    [Theory]
    [InlineData(1.0, 5)]
    [InlineData(0.6, 0)] // a program that slackens lowers the rate as well
    public void Falls_WithoutALoss_CountWhileThePathIsFull(double rate, int falls)
    {
        WindowRound[] rounds = [.. Enumerable.Range(0, 40).Select(i => Round(i, (i % 8) is 0 or 1 ? 125 : 100, stage: 0, rate: (i % 8) is 0 or 1 ? 1 : rate))];
        Assert.Equal(falls, ModelledFalls.Of(rounds, Smss).Count());
    }

    // 200 ms and a round trip with four segments, then as many as before.
    [Theory]
    [InlineData(3, true)]
    [InlineData(8, false)] // 800 ms: a program that pauses
    public void Probe_ForTheSmallestRtt_IsKnownByItsLength(int low, bool expected)
    {
        WindowRound[] rounds = [.. Enumerable.Range(0, 20).Select(i => Round(i, i >= 8 && i < 8 + low ? 4 : i == 7 ? 20 : 40, stage: 0))];
        Assert.Equal(expected, MinRttProbes.Any(rounds, Smss));
    }

    [Theory]
    [InlineData("rfc", "cubic")]
    [InlineData("adaptive", "cubic")]
    [InlineData("windows-22621", "cubic")]
    [InlineData("reno", "reno")]
    public void SimulatedSenders_OverALossyPath_AreTold(string sender, string expected)
    {
        for (ulong seed = 1; seed <= 3; seed++)
        {
            SimulatedFlow flow = SimulatedTrace.Flow(sender, 40_000_000);
            Scorecard card = SimulatedTrace.CardOf(flow, seed, "rate 50mbit", "rtt 60ms", "buffer 2bdp", "loss out:0.05pct");
            Assert.True(string.Equals(card.Control!.Verdict, expected, StringComparison.Ordinal),
                $"{seed}: {card.Control.Verdict}, {card.Control.Reason}, {string.Join(' ', card.Control.Candidates)}");
        }
    }

    [Fact]
    public void Receiver_DoesNotTell() => Assert.Null(
        SimulatedTrace.Score(SimulatedTrace.Flow("rfc", 10_000_000), 1, ["rate 50mbit", "rtt 60ms", "loss out:0.1pct"], SegmentPoint.Receiver)
            .Cards.First(card => card.NotScored is not null).Control);

    // Twenty rounds before each reduction with so many segments in flight, and as many behind it.
    static ControlFingerprint Judge(
        int reductions, Func<int, double> before, Func<int, int, double> after, int rounds = 20, bool isHeld = true)
    {
        List<WindowRound> all = [];
        List<Reduction> reduced = [];
        for (int stage = 0; stage <= reductions; stage++)
        {
            int length = stage == 0 ? 2 : rounds;
            for (int i = 0; i < length; i++)
            {
                all.Add(Round(all.Count, stage == 0 ? before(0) : after(stage, i), stage, isHeld));
            }

            if (stage < reductions)
            {
                all.Add(Round(all.Count, before(stage), stage) with { IsClean = false });
                reduced.Add(new()
                {
                    Packet = all.Count,
                    Time = all[^1].Start,
                    BeforeBytes = (long)(before(stage) * Smss),
                    Kind = RepairKind.Fast,
                    Necessary = 1,
                });
            }
        }

        Reduction.Complete(reduced, all);
        return ControlEvidence.Judge(all, reduced, exit: null, Smss);
    }

    static WindowRound Round(int index, double segments, int stage, bool isHeld = true, double rate = 1) => new(
        new TraceTime(index * RttNanos), index + 1, RttNanos, (long)(segments * Smss), (long)(rate * 100_000), RttNanos, isHeld, IsClean: true, stage);

    static int Against(ControlFingerprint control, string name) =>
        control.Candidates.Single(one => string.Equals(one.Name, name, StringComparison.Ordinal)).Contradictions;
}
