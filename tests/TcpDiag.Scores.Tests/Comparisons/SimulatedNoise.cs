using System;
using System.Linq;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.RunSets;

namespace TcpDiag.Scores.Tests.Comparisons;

/// <summary>
/// Experiments of made-up runs. A path's luck moves all figures of a run by tens of percent and is the same for runs of one seed; what is left between the
/// two runs of a pair is some percent. Both are Student's t with three degrees of freedom: their tails are so heavy that nothing beyond the variance exists.
/// </summary>
/// <param name="seed">Seed of everything.</param>
sealed class SimulatedNoise(ulong seed)
{
    readonly Random _random = new((int)seed);

    /// <summary>Spread of the logarithms across seeds: 28 %, amid the 20 to 34 % of lossy paths.</summary>
    public double AcrossSeeds { get; init; } = 0.28;

    /// <summary>Spread of a run against the same seed; the log-ratio of two has √2 times as much, 1.3 %.</summary>
    public double WithinSeed { get; init; } = 0.013 / Math.Sqrt(2);

    /// <summary>Cells.</summary>
    public int Cells { get; init; } = 1;

    /// <summary>Iterations of each.</summary>
    public int Iterations { get; init; } = 10;

    /// <summary>Whether both sides have the same seeds.</summary>
    public bool IsPaired { get; init; } = true;

    /// <summary>B / A, as it truly is.</summary>
    public double Ratio { get; init; } = 1;

    /// <summary>Draws an experiment.</summary>
    public RunSetPair Draw()
    {
        Run[][] a = new Run[Cells][];
        Run[][] b = new Run[Cells][];
        for (int cell = 0; cell < Cells; cell++)
        {
            Path[] paths = [.. Enumerable.Range(0, Iterations).Select(_ => new Path(HeavyTailed(), HeavyTailed()))];
            a[cell] = [.. paths.Select((path, index) => Run(path, (ulong)((cell * 1000) + index), index, 1))];
            b[cell] = [.. paths.Select((path, index) => IsPaired
                ? Run(path, (ulong)((cell * 1000) + index), index, Ratio)
                : Run(new Path(HeavyTailed(), HeavyTailed()), (ulong)(1_000_000 + (cell * 1000) + index), index, Ratio))];
        }

        return new RunSetPair(TestRuns.Set("a", a), TestRuns.Set("b", b));
    }

    /// <summary>Draws an experiment with many builds over the same paths.</summary>
    /// <param name="ratios">What each of them truly gets, of the first.</param>
    public (RunSet Set, string Name)[] Draw(params double[] ratios)
    {
        Path[][] paths = [.. Enumerable.Range(0, Cells).Select(
            _ => Enumerable.Range(0, Iterations).Select(_ => new Path(HeavyTailed(), HeavyTailed())).ToArray())];
        return
        [
            .. ratios.Select((ratio, build) => (TestRuns.Set(
                $"{build}",
                paths.Select((cell, number) => cell.Select((path, index) => Run(path, (ulong)((number * 1000) + index), index, ratio)).ToArray())),
                    $"{build}")),
        ];
    }

    /// <summary>Draws an experiment and compares it.</summary>
    public Comparison Compare() => RunSetComparer.Compare(Draw(), new ComparisonSettings());

    // Goodput, loss and the times hang together, as they do; timeouts are rare, and most often there are none.
    Run Run(Path path, ulong seed, int iteration, double ratio)
    {
        double goodput = ratio * Math.Exp((AcrossSeeds * path.Rate) + Own());
        double losses = Math.Exp((AcrossSeeds * path.Loss) - (0.3 * path.Rate) + Own());
        return TestRuns.Of(
            50e6 * goodput,
            seed,
            iteration,
            RunEnd.Complete,
            (Metric.CompletionTime, 5 / goodput),
            (Metric.Retransmissions, 0.01 * losses),
            (Metric.Needless, 0.004 * losses * Math.Exp(Own())),
            (Metric.Timeouts, (int)(losses * _random.NextDouble() * 2)),
            (Metric.RttUnderLoad, 0.03 * Math.Exp((0.1 * path.Loss) + Own())),
            (Metric.Find("time-congestion-window")!, 4 / goodput * Math.Exp(Own())),
            (Metric.Find("time-recovery")!, 0.6 * losses * Math.Exp(Own())),
            (Metric.Find("time-receive-window")!, 0.4 * Math.Exp((AcrossSeeds * path.Rate) + Own())));
    }

    double Own() => WithinSeed * HeavyTailed();

    // t₃, scaled to a variance of 1 (its own is 3).
    double HeavyTailed()
    {
        double squares = Square(Normal()) + Square(Normal()) + Square(Normal());
        return Normal() / Math.Sqrt(squares / 3) / Math.Sqrt(3);
    }

    double Normal() => Math.Sqrt(-2 * Math.Log(1 - _random.NextDouble())) * Math.Cos(2 * Math.PI * _random.NextDouble());

    static double Square(double value) => value * value;

    sealed record Path(double Rate, double Loss);
}
