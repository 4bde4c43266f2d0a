using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Truth.Causes;
using TcpDiag.Truth.Scores;

namespace TcpDiag.Truth;

/// <summary>What is set beside the truth, and what came of it.</summary>
/// <param name="Name">How it is called on the command line.</param>
/// <param name="Arguments">How many arguments it needs behind its name; a file behind them gets the answer.</param>
/// <param name="Ask">Finds the answer, by all arguments behind the name.</param>
sealed record Question(string Name, int Arguments, Func<string[], Answer> Ask)
{
    /// <summary>
    /// All there are. DIRECTORY is a result directory of <c>lab run</c>; FILE is a page whose section of that name gets the tables.
    /// </summary>
    public static IReadOnlyList<Question> All { get; } =
    [
        // DIRECTORY [FILE]: retransmissions of its runs, beside what left and arrived.
        new("", 1, args => Of(TruthReport.Of(args[0]), report => report.Differences, report => report.ToMarkdown())),

        // DIRECTORY [FILE]: what limited the sender.
        new("--limits", 1, args => Of(LimitTruth.Of(args[0]), truth => [LimitTruth.Summarise(truth.Runs) + truth.LeftOutLine], truth => truth.ToMarkdown())),

        // DIRECTORY [FILE]: the fingerprint of the senders, beside what their kernels were set to and counted.
        new("--fingerprints", 1, args => Of(ScoredRun.Of(args[0]).ToArray(), FingerprintTruth.Wrong, FingerprintTruth.ToMarkdown)),

        // DIRECTORY sender|receiver [FILE]: the congestion control that was told, beside that of the side.
        new("--congestion", 2, Congestion),

        // DIRECTORY SIMULATED [FILE]: the runs of a lab beside the same matrix and seed simulated.
        new("--simulator", 2, args => new([], SimulatorTruth.ToMarkdown(args[0], args[1]))),

        // DIRECTORY [FILE]: what the kernels of its receivers acknowledged, beside the simulator's receivers given the same data.
        new("--receivers", 1, args => new([], ReceiverTruth.ToMarkdown(args[0]))),

        // RUNS A B DIRECTORY…: the runs of two sides as experiments of so many runs each, and what comparisons say of them.
        new("--comparisons", int.MaxValue, args => new([], ComparisonTruth.ToMarkdown(args[3..], Number(args[0]), args[1], args[2]))),

        // SEED RUNS [FILE]: senders simulated so often, and how many of the scores' intervals hold the rate of all runs together.
        new("--calibration", 2, args => Of(CalibrationRuns.Of(Seed(args[0]), Number(args[1])), CalibrationTable.Worst, CalibrationTable.ToMarkdown)),

        // DIRECTORY [FILE]: what a reference is predicted to reach from traces of senders that do not adapt, beside the side adaptive of the same seed.
        new("--counterfactual", 1, args => Of(CounterfactualTruth.Of(args[0]), pairs => pairs.Select(pair => $"{pair}"), CounterfactualTruth.ToMarkdown)),

        // SEED RUNS [FILE]: the matrix that was published in 2021, simulated with every variant of a sender.
        new("--published", 2, args => new([], PublishedMatrix.ToMarkdown(Seed(args[0]), Number(args[1])))),

        // SEED DRAWS [FILE.md] [SCENARIO [FOLDER]]: simulated transfers whose cause is known, and what the analysis says; the folder keeps captures.
        new("--causes", 2, Causes),
    ];

    /// <summary>The section of a page that gets the tables.</summary>
    public string Section => $"tools/truth {Name}".TrimEnd();

    static Answer Of<T>(T found, Func<T, IEnumerable<string>> lines, Func<T, string> tables) => new(lines(found), tables(found));

    static Answer Congestion(string[] args)
    {
        IReadOnlyList<ControlRun> runs = ControlTruth.Of(args[0], args[1]);
        (string exits, IReadOnlyList<string> others) = HyStartTruth.Of(args[0], args[1]);
        return new(runs.Where(run => !run.IsRight).Select(run => $"{run}").Concat(others), $"{ControlTruth.ToMarkdown(runs)}\n{exits}");
    }

    static Answer Causes(string[] args)
    {
        string[] chosen = [.. args[2..].Where(text => !text.EndsWith(".md", StringComparison.Ordinal))];
        IReadOnlyList<CauseRun> runs = CauseReport.Run(Number(args[0]), Number(args[1]), chosen.ElementAtOrDefault(0), chosen.ElementAtOrDefault(1));
        return new(
            CauseReport.Wrong(runs).Concat(CauseTimes.Wrong(runs)),
            $"Seed {args[0]}, {args[1]} draws for each path, {runs.Count} captures.\n\n{CauseReport.ToMarkdown(runs)}");
    }

    static int Number(string text) => int.Parse(text, CultureInfo.InvariantCulture);

    static ulong Seed(string text) => ulong.Parse(text, CultureInfo.InvariantCulture);
}

/// <summary>What came of a question.</summary>
/// <param name="Lines">What is printed besides: single runs that were judged wrongly, most often.</param>
/// <param name="Tables">The tables, as Markdown.</param>
sealed record Answer(IEnumerable<string> Lines, string Tables);
