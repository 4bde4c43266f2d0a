using System;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using TcpDiag.Scores.Bisections;

namespace TcpDiag.Cli.Bisect;

/// <summary><c>tcpdiag bisect --self-test</c>: a table of what came of searches whose truth is known.</summary>
static class BisectTrials
{
    // Of all chains of a kind.
    const double MinRight = 0.95;

    static readonly (string Name, BisectSelfTest Test)[] Kinds =
    [
        ("-15 %, pairs differ by 1.3 %", new BisectSelfTest(new BisectNoise(0.013, IsHeavyTailed: false), -0.15, 1)),
        ("-15 %, 5 %, heavy tails", new BisectSelfTest(new BisectNoise(0.05, IsHeavyTailed: true), -0.15, 2)),
        ("+15 %, 5 %, heavy tails", new BisectSelfTest(new BisectNoise(0.05, IsHeavyTailed: true), 0.15, 3)),
        ("no change, 1.3 %", new BisectSelfTest(new BisectNoise(0.013, IsHeavyTailed: false), 0, 4)),
        ("no change, 5 %, heavy tails", new BisectSelfTest(new BisectNoise(0.05, IsHeavyTailed: true), 0, 5)),
    ];

    /// <summary>Makes the searches.</summary>
    /// <param name="output">Takes the table.</param>
    /// <param name="chains">Chains of each kind.</param>
    /// <param name="interruption">Ends it.</param>
    /// <returns>Whether enough of each kind are right, and every one the same when interrupted.</returns>
    public static int Run(TextWriter output, int chains, CancellationToken interruption)
    {
        output.WriteLine(FormattableString.Invariant($"{chains} chains of {BisectSelfTest.Builds} builds each, one of which brings the change"));
        output.WriteLine("change and noise               right  wrong  undecided  resumed alike  runs");
        bool holds = true;
        foreach ((string name, BisectSelfTest test) in Kinds)
        {
            BisectTrial[] trials = [.. ParallelEnumerable.Range(0, chains).AsOrdered().WithCancellation(interruption).Select(test.Run)];
            int right = trials.Count(trial => trial.IsRight);
            int wrong = trials.Count(trial => trial.IsWrong);
            int resumed = trials.Count(trial => trial.IsResumable);
            int runs = trials.Select(trial => trial.Runs).Order().ElementAt(chains / 2);
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture, $"{name,-30}{right,6}{wrong,7}{chains - right - wrong,11}{resumed,15}{runs,6}"));
            holds &= right >= MinRight * chains && resumed == chains;
        }

        output.WriteLine("runs: the median. resumed alike: read back after every run, the journal is the");
        output.WriteLine("  same as of a search at a stretch.");
        return holds ? ExitCode.Done : ExitCode.CheckFailed;
    }
}
