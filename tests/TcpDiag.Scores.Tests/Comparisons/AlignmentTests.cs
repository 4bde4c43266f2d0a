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
        Assert.Equal(("001", "007"), (alignment.Pairs.Single().A.Name, alignment.Pairs.Single().B.Name));
        Assert.Empty(alignment.LeftOut);
    }

    [Fact]
    public void LeftOut_UnknownValue_IsNamed()
    {
        Alignment alignment = Align([Cell("001", "rtt 25ms", "scale 1")], [Cell("001", "rtt 50ms", "scale 0.1")]);
        Assert.Empty(alignment.Pairs);
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
        Alignment alignment = Align([cell with { GoodputBitsPerSecond = new double[a] }], [cell with { GoodputBitsPerSecond = new double[b] }]);
        Assert.Empty(alignment.Pairs);
        Assert.All(alignment.LeftOut, left => Assert.Equal(reason, left.Reason));
    }

    [Fact]
    public void Pairs_ConditionsGivenTwice_AreOneCell()
    {
        RunCell cell = Cell("001", "rtt 25ms");
        Alignment alignment = Align([cell, cell with { Name = "002", VoidRuns = 2 }], [cell]);
        Assert.Equal(2, alignment.Pairs.Single().A.GoodputBitsPerSecond.Count);
        Assert.Equal(2, alignment.Pairs.Single().A.VoidRuns);
    }

    static Alignment Align(RunCell[] a, RunCell[] b) => new(new RunSetPair(Set(a), Set(b)));

    static RunSet Set(RunCell[] cells) => new("x", "x", [], "6.18", true, cells);

    static RunCell Cell(string name, params string[] conditions) =>
        new(name, [.. conditions.Select(text => new Setting(text.Split(' ')[0], text.Split(' ')[1]))], [1], 0);
}
