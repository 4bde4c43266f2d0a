using System.Linq;
using TcpDiag.Scores.Cards;
using TcpDiag.Scores.Counterfactuals;
using TcpDiag.Scores.Tests.Replays;
using TcpDiag.Simulator;
using Xunit;

namespace TcpDiag.Scores.Tests.Counterfactuals;

public sealed class CounterfactualTests
{
    const double Ms = 1e6;

    // What is not known of the path is read from a sender that never fills it: of 1 % of the packets each comes 20 ms late, and the rate is that of its trains.
    [Fact]
    public void Path_OfASenderThatDoesNotAdapt_IsTheOneItHad()
    {
        PathEstimate path = CardOf("not-adapting", "rate 20mbit", "rtt 60ms", "reorder out:1pct:add:20ms").Path!;

        Assert.InRange(path.RttNanos / Ms, 60, 62);
        Assert.InRange(path.SegmentsPerNano * 1e9 * 8 * 1500, 19.4e6, 20.6e6);
        Assert.InRange(path.Displaced.Count, 0.005 * path.Segments, 0.015 * path.Segments);
        Assert.InRange(path.Displaced.Values.Order().ElementAt(path.Displaced.Count / 2) / Ms, 19, 21);
        Assert.Empty(path.Lost);
    }

    // Of 60 ms 30 lie on the way there, and 5 are left of them: 25 ms early. Some that overtook nothing are known by their round trip.
    [Fact]
    public void Path_WithEarlyPackets_KeepsItsRoundTrip()
    {
        PathEstimate path = CardOf("not-adapting", "rate 20mbit", "rtt 60ms", "reorder out:1pct:replace:5ms").Path!;

        Assert.InRange(path.RttNanos / Ms, 60, 62);
        Assert.InRange(path.Displaced.Values.Order().ElementAt(path.Displaced.Count / 2) / Ms, -26, -24);
    }

    // 0.5 % of 2800 are 14.
    [Fact]
    public void Path_ThatLoses_LosesAsMany() =>
        Assert.InRange(CardOf("adaptive", "rate 20mbit", "rtt 40ms", "loss out:0.5pct").Path!.Lost.Count, 8, 22);

    // What a full queue drops is the sender's doing.
    [Fact]
    public void Path_WithAShortQueue_LosesAlmostNothing()
    {
        Scorecard card = CardOf("adaptive", "rate 20mbit", "rtt 40ms", "buffer 0.5bdp");

        Assert.InRange(card.Path!.Lost.Count, 0, card.Facts!.Retransmissions / 10);
    }

    // Where nothing else holds the sender, the reference's goodput is that of a real one with the same seed, within 15 %.
    [Theory]
    [InlineData("reorder out:1pct:add:20ms")]
    [InlineData("reorder out:1pct:replace:5ms")]
    [InlineData("loss out:0.3pct")]
    public void Reference_IsAsFastAsOneOnTheSamePath(string fault)
    {
        string[] path = ["rate 10mbit", "rtt 40ms", "buffer 1bdp", fault];
        Counterfactual predicted = SimulatedTrace.PredictedCardOf(SimulatedTrace.Flow("not-adapting", 4_000_000), 7, path).Reference!;
        SimulationResult real = SimulatedTrace.Run(SimulatedTrace.Flow("adaptive", 4_000_000), 7, path).Result;

        Assert.InRange(predicted.BitsPerSecond / real.GoodputBitsPerSecond, 0.85, 1.15);
        Assert.InRange(real.GoodputBitsPerSecond, predicted.Low, predicted.High);
    }

    [Fact]
    public void Reference_OfAProgramThatPauses_IsNotTold() =>
        Assert.Null(SimulatedTrace.PredictedCardOf(
            SimulatedTrace.Flow("adaptive", 2_000_000) with { BurstBytes = 50_000, BurstNanos = 200_000_000 }, 1, "rate 20mbit", "rtt 40ms").Reference);

    static Scorecard CardOf(string sender, params string[] path) => SimulatedTrace.PredictedCardOf(SimulatedTrace.Flow(sender, 4_000_000), 3, path);
}
