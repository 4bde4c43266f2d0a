using System.Linq;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.RunSets;
using TcpDiag.Scores.Statistics;
using Xunit;

namespace TcpDiag.Scores.Tests.Comparisons;

/// <summary>Runs count for an experiment that goes on until it is decided as they do for <c>compare</c>.</summary>
public sealed class SequentialJudgeTests
{
    // SequentialPairsTests has the arithmetic: at 5 % eleven pairs of ratio 1.2 decide, at 0.5 % they do not.
    [Theory]
    [InlineData(10, 1, SequentialVerdict.Open)]
    [InlineData(11, 1, SequentialVerdict.Higher)]
    [InlineData(11, 10, SequentialVerdict.Open)]
    [InlineData(16, 10, SequentialVerdict.Higher)]
    public void Judge_SharesTheErrorAmongItsQuestions(int pairs, int questions, SequentialVerdict verdict)
    {
        SequentialJudgement judgement = Judge(Same(pairs, 100), Same(pairs, 120), questions);
        Assert.Equal((verdict, pairs, 0), (judgement.Verdict, judgement.Pairs, judgement.LeftOut));
        Assert.Equal(1.2, judgement.Ratio, 9);
    }

    // Faster until it was cut short: below all the same, in most pairs, so that no ratio is left but 0.
    [Fact]
    public void Judge_RunsThatWereCutShort_AreLower()
    {
        Run[] cut = [.. Same(20, 200).Select(run => run with { End = RunEnd.CutShort })];
        SequentialJudgement judgement = Judge(Same(20, 100), cut, 1);
        Assert.Equal((SequentialVerdict.Lower, 0.0), (judgement.Verdict, judgement.Ratio));
    }

    [Fact]
    public void Judge_BothReset_OrOneVoid_IsNoPair()
    {
        Run[] reset = [.. Same(3, 0).Select(run => run with { End = RunEnd.Reset })];
        Run[] a = [.. reset, .. Same(8, 100).Skip(3)];
        Run[] b = [.. reset, .. Same(8, 100).Skip(4)];
        SequentialJudgement judgement = Judge(a, b, 1, voidOfB: 1);

        // Of eight iterations three were reset on both sides, and the fourth has no run of B.
        Assert.Equal((4, 4), (judgement.Pairs, judgement.LeftOut));
    }

    [Fact]
    public void Judge_NoRuns_IsOpen()
    {
        SequentialJudgement judgement = Judge([], [], 1);
        Assert.Equal((SequentialVerdict.Open, 0, double.NaN), (judgement.Verdict, judgement.Pairs, judgement.Ratio));
        Assert.Equal(new Interval(0, double.PositiveInfinity), judgement.Interval);
    }

    static Run[] Same(int runs, double goodput) => TestRuns.Seeded(1, [.. Enumerable.Repeat(goodput, runs)]);

    static SequentialJudgement Judge(Run[] a, Run[] b, int questions, int voidOfB = 0)
    {
        RunSet two = TestRuns.Set("b", [b]);
        two = two with { Cells = [.. two.Cells.Select(cell => cell with { VoidRuns = voidOfB })] };
        return new SequentialJudge(0.05, 0.05, questions).Judge([TestRuns.Set("a", [a]), two], "0").Single();
    }
}
