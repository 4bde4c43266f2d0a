using System;
using System.Linq;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.RunSets;
using Xunit;
using Xunit.Abstractions;

namespace TcpDiag.Scores.Tests.Comparisons;

/// <summary>Many builds beside one: what is found, what is not, and what they are called.</summary>
public sealed class MatrixComparerTests(ITestOutputHelper output)
{
    [Fact]
    [Trait("Needs", "time")]
    public void Compare_NoDifference_HasHardlyEverAVerdict()
    {
        const int experiments = 400;
        SimulatedNoise noise = new(11) { Cells = 4, Iterations = 15, WithinSeed = 0.3 / Math.Sqrt(2) };
        int wrong = Enumerable.Range(0, experiments).Count(_ => HasDifference(Compare(noise.Draw(1, 1, 1, 1, 1, 1))));
        output.WriteLine($"6 builds, 4 cells, 15 pairs that differ by 30 %: {(double)wrong / experiments:P2} false matrices");
        Assert.InRange((double)wrong / experiments, 0, 0.05);
    }

    [Fact]
    public void Compare_OneSlowBuild_IsFoundAndNoOther()
    {
        SimulatedNoise noise = new(12) { Cells = 4, Iterations = 15 };
        BuildMatrix matrix = Compare(noise.Draw(1, 1, 0.8, 1));
        Assert.True(matrix.HasRegression);
        Assert.Equal([Verdict.Equal, Verdict.Regressed, Verdict.Equal], matrix.Builds.Select(build => build.Overall!.Verdict));
        Assert.All(matrix.Rows, row => Assert.Equal(
            [Verdict.Equal, Verdict.Regressed, Verdict.Equal], row.Cells.Select(cell => cell!.Judgement.Verdict)));
        Assert.All(matrix.Rows, row => Assert.InRange(row.Cells[1]!.Judgement.Ratio, 0.77, 0.83));
    }

    // The first as the base of the third is the third as the base of the first, upside down.
    [Fact]
    public void Compare_AnotherBase_TurnsTheRatioOver()
    {
        (RunSet, string)[] builds = new SimulatedNoise(13) { Cells = 2, Iterations = 12 }.Draw(1, 1.1, 0.7);
        BuildMatrix first = MatrixComparer.Compare(builds, 0, new());
        BuildMatrix last = MatrixComparer.Compare(builds, 2, new());
        Assert.Equal("2", last.Base.Name);
        Assert.Equal(["0", "1"], last.Builds.Select(build => build.Name));
        Assert.Equal(1 / first.Builds[1].Overall!.Ratio, last.Builds[0].Overall!.Ratio, 9);
        Assert.Equal(Verdict.Improved, last.Builds[0].Overall!.Verdict);
    }

    [Fact]
    public void Compare_ConditionsThatABuildLacks_AreEmptyAndListed()
    {
        RunSet whole = TestRuns.Set("a", TestRuns.Seeded(1, 5, 6, 7, 8, 9), TestRuns.Seeded(1, 5, 6, 7, 8, 9));
        RunSet part = TestRuns.Set("b", [TestRuns.Seeded(1, 5, 6, 7, 8, 9)]);
        BuildMatrix matrix = Compare([(whole, "a"), (part, "b")]);
        Assert.Equal([true, false], matrix.Rows.Select(row => row.Cells[0] is not null));
        Assert.Equal(7, matrix.Rows[1].Median!.Value, 9);
        LeftOutCell left = matrix.Builds[0].LeftOut.Single();
        Assert.Equal((true, "B has no rtt 1ms"), (left.IsOfA, left.Reason));
    }

    [Theory]
    [InlineData("r/22000:x,r/22621:y", "x,y")]
    [InlineData("r/22000:x,r/22621:x", "22000,22621")]
    [InlineData("r/22000:x,r/22000:y,r/22621:x", "22000/x,22000/y,22621/x")]
    [InlineData("p/22000:x,q/22000:x", "p/22000 x,q/22000 x")]
    [InlineData("r/22000:x,r/22000:x", "r/22000 x (1),r/22000 x (2)")] // the same directory twice
    public void Names_AreAsShortAsTellsThemApart(string sets, string expected) => Assert.Equal(
        expected.Split(','),
        BuildNames.Of([.. sets.Split(',').Select(set => set.Split(':')).Select(parts => new RunSet(parts[0], parts[1], [], "6.18", true, []))]));

    static BuildMatrix Compare((RunSet, string)[] builds) => MatrixComparer.Compare(builds, 0, new ComparisonSettings());

    static bool HasDifference(BuildMatrix matrix) => matrix.Builds.Any(build => IsDifference(build.Overall))
        || matrix.Rows.Any(row => row.Cells.Any(cell => IsDifference(cell?.Judgement)));

    static bool IsDifference(Judgement? judgement) => judgement?.Verdict is Verdict.Improved or Verdict.Regressed;
}
