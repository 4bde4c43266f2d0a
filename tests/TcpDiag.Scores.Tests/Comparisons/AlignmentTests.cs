using System.Linq;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.RunSets;
using Xunit;

namespace TcpDiag.Scores.Tests.Comparisons;

public sealed class AlignmentTests
{
    [Fact]
    public void Pairs_SameConditionsInAnotherOrder_Align()
    {
        Alignment alignment = Align([Cell("001", "rtt 25ms", "rate 10mbit")], [Cell("007", "rate 10MBIT", "rtt 25ms")]);
        Assert.Equal(("001", "007"), (alignment.Cells.Single().A.Name, alignment.Cells.Single().B.Name));
        Assert.Empty(alignment.LeftOut);
    }

    [Fact]
    public void LeftOut_UnknownValue_IsNamed()
    {
        Alignment alignment = Align([Cell("001", "rtt 25ms", "scale 1")], [Cell("001", "rtt 50ms", "scale 0.1")]);
        Assert.Empty(alignment.Cells);
        Assert.Equal(["B has no rtt 25ms and no scale 1", "A has no rtt 50ms and no scale 0.1"], alignment.LeftOut.Select(left => left.Reason));
        Assert.Equal([true, false], alignment.LeftOut.Select(left => left.IsOfA));
    }

    [Fact]
    public void LeftOut_NotRunYet_IsNoUnknownValue()
    {
        RunSet whole = Set([Cell("001", "rtt 25ms"), Cell("002", "rtt 50ms")]);
        RunSet cut = Set([Cell("001", "rtt 25ms")]) with { IsComplete = false };
        Assert.Equal("B was interrupted, and has no finished run under these conditions", new Alignment(new RunSetPair(whole, cut)).LeftOut.Single().Reason);
        Assert.Equal("A was interrupted, and has no finished run under these conditions", new Alignment(new RunSetPair(cut, whole)).LeftOut.Single().Reason);
        Assert.Equal("A has no rtt 50ms", new Alignment(new RunSetPair(cut with { IsComplete = true }, whole)).LeftOut.Single().Reason);
    }

    [Fact]
    public void LeftOut_UnknownCombination_IsNamed()
    {
        Alignment alignment = Align([Cell("001", "rtt 25ms", "rate 1mbit")], [Cell("001", "rtt 25ms", "rate 2mbit"), Cell("002", "rtt 50ms", "rate 1mbit")]);
        Assert.Equal("B has no cell with all of these conditions and no other", alignment.LeftOut[0].Reason);
    }

    [Theory]
    [InlineData(0, 0, "no run of either side counts")]
    [InlineData(0, 3, "no run of A counts")]
    [InlineData(3, 0, "no run of B counts")]
    public void LeftOut_NothingCounts_IsNamed(int a, int b, string reason)
    {
        RunCell cell = Cell("001", "rtt 25ms");
        Alignment alignment = Align([cell with { Runs = Runs(a) }], [cell with { Runs = Runs(b) }]);
        Assert.Empty(alignment.Cells);
        Assert.All(alignment.LeftOut, left => Assert.Equal(reason, left.Reason));
    }

    [Fact]
    public void Pairs_ConditionsGivenTwice_AreOneCell()
    {
        RunCell cell = Cell("001", "rtt 25ms");
        Alignment alignment = Align([cell, cell with { Name = "002", VoidRuns = 2 }], [cell]);
        Assert.Equal(2, alignment.Cells.Single().A.Runs.Count);
        Assert.Equal(2, alignment.Cells.Single().A.VoidRuns);
    }

    [Fact]
    public void Pairs_SeedAndIteration_FindTheirPartner()
    {
        RunCell a = Cell("001", "rtt 25ms") with { Runs = [TestRuns.Of(1, 7, 1), TestRuns.Of(2, 8, 2), TestRuns.Of(3, 9, 3)] };
        RunCell b = a with { Runs = [TestRuns.Of(6, 8, 2), TestRuns.Of(7, 9, 4), TestRuns.Of(5, 7, 1)] };
        Assert.Equal([(1, 5), (2, 6)], Align([a], [b]).Cells.Single().Pairs.Select(pair => ((int)TestRuns.Goodput(pair.A), (int)TestRuns.Goodput(pair.B))));
    }

    [Fact]
    public void Pairs_NoSeedsOrOneTwice_AreNotMade()
    {
        RunCell without = Cell("001", "rtt 25ms");
        Assert.Empty(Align([without], [without]).Cells.Single().Pairs);

        RunCell twice = without with { Runs = [TestRuns.Of(1, seed: 7, iteration: 1), TestRuns.Of(2, seed: 7, iteration: 1)] };
        RunCell once = without with { Runs = [TestRuns.Of(3, seed: 7, iteration: 1)] };
        Assert.Single(Align([twice], [once]).Cells.Single().Pairs);
    }

    static Alignment Align(RunCell[] a, RunCell[] b) => new(new RunSetPair(Set(a), Set(b)));

    static RunSet Set(RunCell[] cells) => new("x", "x", [], "6.18", true, cells);

    static RunCell Cell(string name, params string[] conditions) =>
        new(name, [.. conditions.Select(text => new Setting(text.Split(' ')[0], text.Split(' ')[1]))], Runs(1), 0);

    static Run[] Runs(int count) => [.. Enumerable.Range(0, count).Select(_ => TestRuns.Of(1))];
}
