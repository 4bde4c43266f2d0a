using System;
using System.Linq;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Testing;
using Xunit;
using Xunit.Abstractions;

namespace TcpDiag.Scores.Tests.Comparisons;

/// <summary>
/// What a report promises, on noise whose truth is known (docs/verification/compare.md): false verdicts of whole reports, changes that are found, and
/// intervals that hold the truth. With TCPDIAG_LONG ten times as many experiments, of other seeds.
/// </summary>
[Trait("Needs", "time")]
public sealed class CalibrationTests(ITestOutputHelper output)
{
    static readonly int Experiments = SkipReason.IsLong ? 10_000 : 1_000;
    static readonly ulong Seed = SkipReason.IsLong ? 77UL : 7UL;

    // A report is false as soon as any metric differs in any cell or over all. Pairs that differ by 1.3 % never pass a margin of 5 %; those that differ by 30 %
    // can.
    [Theory]
    [InlineData(1, 10, true, 0.013)]
    [InlineData(4, 10, true, 0.013)]
    [InlineData(1, 10, true, 0.3)]
    [InlineData(4, 10, true, 0.3)]
    [InlineData(8, 15, true, 0.3)]
    [InlineData(1, 10, false, 0.013)]
    [InlineData(4, 10, false, 0.013)]
    public void Compare_NoDifference_HasHardlyEverAVerdict(int cells, int iterations, bool isPaired, double within)
    {
        SimulatedNoise noise = new(Seed) { Cells = cells, Iterations = iterations, IsPaired = isPaired, WithinSeed = within / Math.Sqrt(2) };
        int wrong = Enumerable.Range(0, Experiments).Count(_ => HasDifference(noise.Compare()));
        output.WriteLine($"{Name(cells, iterations, isPaired)}, {within:P1}: {(double)wrong / Experiments:P2} false reports");
        Assert.InRange((double)wrong / Experiments, 0, 0.05);
    }

    [Theory]
    [InlineData(10, 1.2)]
    [InlineData(10, 1 / 1.2)]
    [InlineData(30, 1.1)]
    [InlineData(30, 1 / 1.1)]
    public void Compare_PairsWithADifference_FindIt(int iterations, double ratio)
    {
        double found = Found(new SimulatedNoise(Seed) { Iterations = iterations, Ratio = ratio }, ratio > 1 ? Verdict.Improved : Verdict.Regressed);
        output.WriteLine($"{iterations} pairs, ratio {ratio:0.00}: found in {found:P1}");
        Assert.InRange(found, 0.9, 1);
    }

    // Pairs ten times as noisy as measured: 13 %.
    [Fact]
    public void Compare_NoisyPairsWithADifference_FindItToo()
    {
        double found = Found(new SimulatedNoise(Seed) { Iterations = 30, Ratio = 1.2, WithinSeed = 0.13 / Math.Sqrt(2) }, Verdict.Improved);
        output.WriteLine($"30 pairs that differ by 13 %, ratio 1.2: found in {found:P1}");
        Assert.InRange(found, 0.9, 1);
    }

    // The same experiment without pairs: what pairing is worth.
    [Fact]
    public void Compare_WithoutPairs_HardlyFindsIt()
    {
        double found = Found(new SimulatedNoise(Seed) { Iterations = 10, Ratio = 1.2, IsPaired = false }, Verdict.Improved);
        output.WriteLine($"10 runs of each side without pairs, ratio 1.2: found in {found:P1}");
        Assert.InRange(found, 0, 0.5);
    }

    // Between 93 and 97 %; five pairs can have 93.75 % at best, less what 1000 experiments scatter.
    [Theory]
    [InlineData(1, 5, true, 0.915, 0.96)]
    [InlineData(1, 6, true, 0.93, 0.98)]
    [InlineData(1, 10, true, 0.93, 0.97)]
    [InlineData(1, 30, true, 0.93, 0.97)]
    [InlineData(1, 5, false, 0.93, 0.98)]
    [InlineData(1, 10, false, 0.93, 0.97)]
    [InlineData(1, 31, false, 0.93, 0.97)]
    [InlineData(4, 5, true, 0.93, 0.97)]
    [InlineData(4, 10, true, 0.93, 0.97)]
    [InlineData(4, 10, false, 0.93, 0.97)]
    public void Compare_Interval_HoldsTheTruthAsOftenAsItSays(int cells, int iterations, bool isPaired, double least, double most)
    {
        const double ratio = 0.87;
        SimulatedNoise noise = new(Seed) { Cells = cells, Iterations = iterations, IsPaired = isPaired, Ratio = ratio };
        int held = Enumerable.Range(0, Experiments).Count(_ => noise.Compare().Primary.Overall!.Interval is { Low: <= ratio, High: >= ratio });
        output.WriteLine($"{Name(cells, iterations, isPaired)}: the interval holds the truth in {(double)held / Experiments:P1}");
        Assert.InRange((double)held / Experiments, least, most);
    }

    static string Name(int cells, int iterations, bool isPaired) => $"{cells} cells, {iterations} {(isPaired ? "pairs" : "runs of each side")}";

    static double Found(SimulatedNoise noise, Verdict verdict) =>
        (double)Enumerable.Range(0, Experiments).Count(_ => noise.Compare().Primary.Overall!.Verdict == verdict) / Experiments;

    static bool HasDifference(Comparison comparison) => comparison.Metrics.Any(metric =>
        IsDifference(metric.Overall?.Verdict) || metric.Cells.Any(cell => IsDifference(cell.Judgement.Verdict)));

    static bool IsDifference(Verdict? verdict) => verdict is Verdict.Improved or Verdict.Regressed or Verdict.More or Verdict.Less;
}
