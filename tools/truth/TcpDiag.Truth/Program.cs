using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Truth;
using TcpDiag.Truth.Causes;
using TcpDiag.Truth.Scores;

// truth DIRECTORY [FILE]: compares the runs below DIRECTORY, and puts the result into the section of FILE between the two markers.
// truth --limits DIRECTORY [FILE]: the same of what limited the sender.
// truth --fingerprints DIRECTORY [FILE]: scores the senders of these runs, and sets the fingerprint beside what their kernels were set to and counted.
// truth --congestion DIRECTORY sender|receiver [FILE]: scores them, and sets the congestion control that was told beside that of the side.
// truth --simulator DIRECTORY SIMULATED [FILE]: the runs of a lab beside the same matrix and seed simulated.
// truth --comparisons RUNS A B DIRECTORY…: cuts the runs of two sides into experiments of so many runs each, and counts what comparisons say of them.
// truth --calibration SEED RUNS [FILE]: simulates senders on paths so often, and counts how many of the scores' intervals hold the rate of all runs together.
// truth --counterfactual DIRECTORY [FILE]: what a reference is predicted to reach from traces of senders that do not adapt, beside the side adaptive of the same seed.
// truth --published SEED RUNS [FILE]: the matrix that was published in 2021, simulated with every variant of a sender.
// truth --causes SEED DRAWS [FILE.md] [SCENARIO [FOLDER]]: simulates transfers whose cause is known, and counts what the analysis says of them; the folder keeps captures.
if (args[0] is "--causes")
{
    int[] numbers = [.. args[1..3].Select(text => int.Parse(text, CultureInfo.InvariantCulture))];
    bool hasFile = args.ElementAtOrDefault(3) is { } last && last.EndsWith(".md", StringComparison.Ordinal);
    string[] rest = args[(hasFile ? 4 : 3)..];
    IReadOnlyList<CauseRun> runs = CauseReport.Run(numbers[0], numbers[1], rest.ElementAtOrDefault(0), rest.ElementAtOrDefault(1));
    foreach (string wrong in CauseReport.Wrong(runs).Concat(CauseTimes.Wrong(runs)))
    {
        Console.WriteLine(wrong);
    }

    string tables = CauseReport.ToMarkdown(runs);
    Console.WriteLine(tables);
    if (hasFile)
    {
        Insert(args[3], "tools/truth --causes", $"Seed {args[1]}, {args[2]} draws for each path, {runs.Count} captures.\n\n{tables}");
    }

    return;
}

if (args[0] is "--comparisons")
{
    Console.WriteLine(ComparisonTruth.ToMarkdown(args[4..], int.Parse(args[1], CultureInfo.InvariantCulture), args[2], args[3]));
    return;
}

if (args[0] is "--calibration")
{
    IReadOnlyList<CalibrationRate> rates = CalibrationRuns.Of(ulong.Parse(args[1], CultureInfo.InvariantCulture), int.Parse(args[2], CultureInfo.InvariantCulture));
    Console.WriteLine(string.Join('\n', CalibrationTable.Worst(rates)));
    string coverage = CalibrationTable.ToMarkdown(rates);
    Console.WriteLine(coverage);
    if (args.Length > 3)
    {
        Insert(args[3], "tools/truth --calibration", coverage);
    }

    return;
}

if (args[0] is "--counterfactual")
{
    IReadOnlyList<CounterfactualTruth> pairs = CounterfactualTruth.Of(args[1]);
    Console.WriteLine(string.Join('\n', pairs));
    string predicted = CounterfactualTruth.ToMarkdown(pairs);
    Console.WriteLine(predicted);
    if (args.Length > 2)
    {
        Insert(args[2], "tools/truth --counterfactual", predicted);
    }

    return;
}

if (args[0] is "--published")
{
    string matrix = PublishedMatrix.ToMarkdown(ulong.Parse(args[1], CultureInfo.InvariantCulture), int.Parse(args[2], CultureInfo.InvariantCulture));
    Console.WriteLine(matrix);
    if (args.Length > 3)
    {
        Insert(args[3], "tools/truth --published", matrix);
    }

    return;
}

if (args[0] is "--simulator")
{
    string beside = SimulatorTruth.ToMarkdown(args[1], args[2]);
    Console.WriteLine(beside);
    if (args.Length > 3)
    {
        Insert(args[3], "tools/truth --simulator", beside);
    }

    return;
}

if (args[0] is "--fingerprints")
{
    ScoredRun[] scored = [.. ScoredRun.Of(args[1])];
    foreach (string wrong in FingerprintTruth.Wrong(scored))
    {
        Console.WriteLine(wrong);
    }

    string table = FingerprintTruth.ToMarkdown(scored);
    Console.WriteLine(table);
    if (args.Length > 2)
    {
        Insert(args[2], "tools/truth --fingerprints", table);
    }

    return;
}

if (args[0] is "--congestion")
{
    IReadOnlyList<ControlRun> controls = ControlTruth.Of(args[1], args[2]);
    foreach (ControlRun run in controls.Where(run => !run.IsRight))
    {
        Console.WriteLine(run);
    }

    (string exits, IReadOnlyList<string> others) = HyStartTruth.Of(args[1], args[2]);
    Console.WriteLine(string.Join('\n', others));
    string told = ControlTruth.ToMarkdown(controls) + "\n" + exits;
    Console.WriteLine(told);
    if (args.Length > 3)
    {
        Insert(args[3], "tools/truth --congestion", told);
    }

    return;
}

bool isLimits = args[0] is "--limits";
string[] paths = isLimits ? args[1..] : args;
string name = isLimits ? "tools/truth --limits" : "tools/truth";
string markdown = isLimits ? Limits(paths[0]) : Retransmissions(paths[0]);
Console.WriteLine(markdown);
if (paths.Length > 1)
{
    Insert(paths[1], name, markdown);
}

static void Insert(string file, string name, string markdown)
{
    string begin = $"<!-- {name}: begin -->\n";
    string end = $"<!-- {name}: end -->\n";
    string text = File.ReadAllText(file);
    int from = text.IndexOf(begin, StringComparison.Ordinal) + begin.Length;
    int to = text.IndexOf(end, StringComparison.Ordinal);
    File.WriteAllText(file, string.Concat(text.AsSpan(0, from), markdown, text.AsSpan(to)));
}

static string Limits(string directory)
{
    var truth = LimitTruth.Of(directory);
    Console.WriteLine(LimitTruth.Summarise(truth.Runs));
    return truth.ToMarkdown();
}

static string Retransmissions(string directory)
{
    TruthReport report = TruthReport.Of(directory);
    foreach (string difference in report.Differences)
    {
        Console.WriteLine(difference);
    }

    return report.ToMarkdown();
}
