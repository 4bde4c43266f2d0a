using System;
using System.Linq;
using TcpDiag.Scores.Cards;
using TcpDiag.Scores.Tests.Replays;
using TcpDiag.Simulator.Flows;
using Xunit;

namespace TcpDiag.Scores.Tests.Congestion;

/// <summary>The congestion window's components on simulated transfers, whose senders are known to do what their names say.</summary>
public sealed class CongestionTraceTests
{
    static readonly string[] Lossy = ["rate 50mbit", "rtt 60ms", "buffer 2bdp", "loss out:0.03pct"];
    static readonly string[] Early = ["rate 100mbit", "rtt 100ms", "buffer 1bdp", "reorder out:1pct:replace:5ms"];

    // RFC 9937, RFC 9438: evenly in recovery, 0.7 of the flight left, CUBIC's curve in between.
    [Fact]
    public void Reference_OverALossyPath_DoesWhatTheRfcsSay()
    {
        Scorecard card = SimulatedTrace.CardOf(SimulatedTrace.Flow("rfc", 60_000_000), 5, Lossy);
        Assert.True(RateOf(card, "reduction-cause") is { Rate: 1, Trials: >= 5 }, Text(card));
        Assert.True(RateOf(card, "reduction-size") is { Rate: >= 0.8, Trials: >= 4 }, Text(card));
        Assert.True(RateOf(card, "recovery-bursts") is { Rate: >= 0.98 }, Text(card));
        Assert.True(RateOf(card, "recovery-silence") is { Rate: 1 }, Text(card));
        Assert.True(RateOf(card, "growth") is { Rate: >= 0.9, Trials: >= 30 }, Text(card));
        Assert.Null(RateOf(card, "idle-restart"));
    }

    // Without PRR a sender waits until what is in flight has come down to the new window: the better part of half a round trip.
    [Fact]
    public void SenderWithoutPrr_IsSilentInRecovery()
    {
        Scorecard without = SimulatedTrace.CardOf(SimulatedTrace.Flow("windows-17763", 60_000_000), 5, Lossy);
        Scorecard with = SimulatedTrace.CardOf(SimulatedTrace.Flow("windows-19041", 60_000_000), 5, Lossy);
        Assert.True(RateOf(with, "recovery-bursts")!.Value.Rate > RateOf(without, "recovery-bursts")!.Value.Rate
            || RateOf(with, "recovery-silence")!.Value.Rate > RateOf(without, "recovery-silence")!.Value.Rate, Text(without) + Text(with));
    }

    // Seen alone, needless reductions would look like a fault of the sender: an adapting one undoes them, and what was left early was slow start.
    [Theory]
    [InlineData("adaptive", 1, 0)]
    [InlineData("adaptive", 2, 0)]
    [InlineData("adaptive", 10, 0)]
    [InlineData("rfc", 3, null)]
    public void SlowStart_AfterOneEarlyPacket(string sender, ulong seed, int? hits)
    {
        Scorecard card = SimulatedTrace.CardOf(SimulatedTrace.Flow(sender, 40_000_000), seed, Early);
        Proportion? early = RateOf(card, "slow-start-not-early");
        Assert.True(hits is null ? early?.Hits != 0 : early == new Proportion(hits.Value, 1), Text(card));
    }

    // A path without any disturbance exercises neither reductions nor recoveries, and the path is used: HyStart leaves at three quarters of it, 264 segments,
    // and CUBIC needs some 40 of 240 round trips to nine tenths (RFC 9438 §4.3: half a segment each).
    [Fact]
    public void PlainPath_ExercisesFew()
    {
        string[] path = ["rate 100mbit", "rtt 40ms", "buffer 4bdp"];
        Scorecard card = SimulatedTrace.CardOf(SimulatedTrace.Flow("adaptive", 150_000_000), 3, path);
        Assert.True(RateOf(card, "reduction-cause") is null, Text(card));
        Assert.True(RateOf(card, "recovery-bursts") is null, Text(card));
        Assert.True(RateOf(card, "slow-start-not-early") == new Proportion(1, 1), Text(card));
        Assert.True(RateOf(card, "slow-start-not-late") == new Proportion(1, 1), Text(card));
        Assert.True(RateOf(card, "utilisation") is { Rate: >= 0.8 }, Text(card));
    }

    // Linux begins anew after a pause; what is sent again by half a megabyte every two seconds.
    [Fact]
    public void Pauses_WithABurstBehind_ShowTheRestart()
    {
        SimulatedFlow flow = SimulatedTrace.Flow("adaptive", 4_000_000) with { BurstBytes = 500_000, BurstNanos = 2_000_000_000 };
        Scorecard card = SimulatedTrace.CardOf(flow, 3, "rate 100mbit", "rtt 60ms");
        Assert.True(RateOf(card, "idle-restart") is { Trials: >= 5, Rate: 1 }, Text(card));
    }

    static Proportion? RateOf(Scorecard card, string id) => card.Components.Single(one => string.Equals(one.Id, id, StringComparison.Ordinal)).Rate;

    // Names and words are what a report prints.
    static string Text(Scorecard card)
    {
        Assert.All(card.Components, component => Assert.InRange(component.Name.Length, 1, 40));
        Assert.All(card.Components, component => Assert.NotEqual(component.Rate is null, component.NotExercised is null));
        return (card.NotScored ?? string.Empty) + string.Join('\n', card.Components.Select(one => FormattableString.Invariant(
            $"{one.Id} {one.Rate?.Hits}/{one.Rate?.Trials} {one.NotExercised} {one.Evidence} [{string.Join(' ', one.Worst.Select(place => place.Packet))}]")));
    }
}
