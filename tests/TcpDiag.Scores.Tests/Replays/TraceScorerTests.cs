using System.Linq;
using TcpDiag.Scores.Cards;
using TcpDiag.Simulator.Flows;
using TcpDiag.Simulator.Paths;
using Xunit;

namespace TcpDiag.Scores.Tests.Replays;

public sealed class TraceScorerTests
{
    static readonly string[] Path = ["rate 20mbit", "rtt 40ms", "reorder out:3pct:add:20ms"];

    [Fact]
    public void SenderSide_IsScored()
    {
        TraceScores scores = SimulatedTrace.Score(SimulatedTrace.Flow("windows-22000", 1_000_000), seed: 1, Path);
        Scorecard card = Assert.Single(scores.Cards);
        Assert.Null(card.NotScored);
        Assert.True(card.IsFromClient);
        Assert.Equal(9, card.Components.Count(component => component.Family == ScoreFamily.LossDetection));
        Assert.Equal(685 + card.Facts!.Retransmissions, card.Facts.Segments); // 1,000,000 / 1460 = 684.9
        Assert.Contains("Simulated by tcpdiag", scores.Analysis.Simulation, System.StringComparison.Ordinal);
    }

    [Fact]
    public void ReceiverSide_CannotTell()
    {
        SimulatedFlow flow = SimulatedTrace.Flow("windows-22000", 500_000);
        Scorecard card = Assert.Single(SimulatedTrace.Score(flow, seed: 1, Path, SegmentPoint.Receiver).Cards);
        Assert.Contains("at the receiver", card.NotScored!, System.StringComparison.Ordinal);
        Assert.Null(card.Fingerprint);
        Assert.Empty(card.Components);
    }

    [Fact]
    public void Build_IsHeldAgainstWhatWasObserved()
    {
        string[] early = ["rate 50mbit", "rtt 60ms", "reorder out:1pct:replace:5ms"]; // many DSACKs, and reordering is seen: the window could grow
        Scorecard card = SimulatedTrace.CardOf(SimulatedTrace.Flow("windows-22000", 20_000_000), seed: 2, early);
        Assert.Equal(Fingerprint.RackFixed, card.Fingerprint!.Verdict);
        Assert.True(BuildExpectation.Find(22_000)!.Compare(card)[0].Agrees);
        Assert.False(BuildExpectation.Find(22_621)!.Compare(card)[0].Agrees);
        Assert.False(BuildExpectation.Find(10_586)!.Compare(card)[0].Agrees);
        Assert.Null(BuildExpectation.Find(9_600));
    }

    [Fact]
    public void SameTrace_HasTheSameScores()
    {
        SimulatedFlow flow = SimulatedTrace.Flow("rfc", 500_000);
        string[] one = Texts(SimulatedTrace.Score(flow, 5, Path));
        Assert.Equal(one, Texts(SimulatedTrace.Score(flow, 5, Path)));
        Assert.NotEmpty(one);
    }

    static string[] Texts(TraceScores scores) => [.. scores.Cards[0].Components.Select(one => $"{one.Id} {one.Rate} {one.Evidence} {one.NotExercised}")];
}
