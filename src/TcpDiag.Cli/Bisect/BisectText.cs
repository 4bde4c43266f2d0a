using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Cli.Lab;
using TcpDiag.Report;
using TcpDiag.Scores.Bisections;

namespace TcpDiag.Cli.Bisect;

/// <summary>A search for the first bad item, in words.</summary>
static class BisectText
{
    /// <summary>What is ahead.</summary>
    public static void WritePlan(TextWriter output, BisectJournal journal, string file)
    {
        Bisection search = Bisection.Of(journal);
        BisectPlan plan = BisectPlan.Of(journal, search);
        int halvings = Bisection.Halvings(journal.Items.Count - 1);
        output.WriteLine($"{Quantity.Count(journal.Items.Count, "item")}, {Safe(journal.Items[0])} good, {Safe(journal.Items[^1])} bad; kept in {Safe(file)}");
        if (!search.IsMeasured)
        {
            output.WriteLine($"{Quantity.Count(halvings, "step")} to the first bad one");
            return;
        }

        output.WriteLine($"1 step finds by how much they differ, {Quantity.Count(halvings, "step")} then the first bad one");
        LabText.Wrap(output, Invariant($"a step takes {plan.PairsOfAStep} pairs of runs where the noise is small, {plan.MaxPairs} at most: about ")
            + Invariant($"{plan.LikelyRuns} runs, {plan.MaxRuns} at most"));
    }

    /// <summary>What was done, and how it stands.</summary>
    public static void WriteLog(TextWriter output, BisectJournal journal, string file)
    {
        Bisection search = Bisection.Of(journal);
        output.WriteLine($"{Quantity.Count(journal.Items.Count, "item")}, {Safe(journal.Items[0])} good, {Safe(journal.Items[^1])} bad; kept in {Safe(file)}");
        foreach (BisectOutcome outcome in search.Outcomes)
        {
            WriteStep(output, journal, outcome);
        }

        WriteState(output, journal, search);
    }

    /// <summary>A step, as it ended or stands.</summary>
    public static void WriteStep(TextWriter output, BisectJournal journal, BisectOutcome outcome)
    {
        string verdict = (outcome.Verdict, outcome.IsOfEnds) switch
        {
            (null, _) => outcome.IsUnderWay ? "under way" : "left open",
            (BisectVerdict.Bad, true) => "bad, differs from good",
            (BisectVerdict.Good, true) => "no different from good",
            (BisectVerdict.Skip, _) => "skipped",
            ({ } plain, _) => $"{(plain == BisectVerdict.Good ? "good" : "bad")}{(outcome.IsGiven ? ", as told" : string.Empty)}",
        };
        string measured = outcome.Test is { } test ? $": {Figures(journal, outcome.Item, test)}" : string.Empty;
        LabText.Wrap(output, $"{Safe(outcome.Item)} {verdict}{measured}");
    }

    /// <summary>How the search stands, and what comes next.</summary>
    public static void WriteState(TextWriter output, BisectJournal journal, Bisection search)
    {
        foreach (string line in Lines(journal, search))
        {
            LabText.Wrap(output, line);
        }
    }

    static IEnumerable<string> Lines(BisectJournal journal, Bisection search) => search.Status switch
    {
        BisectStatus.NoDifference =>
            [$"nothing to bisect: {Safe(journal.Items[^1])} and {Safe(journal.Items[0])} differ by less than {Percent(journal.Margin)}"],
        BisectStatus.Undecided => [Undecided(journal, search)],
        BisectStatus.Found => Found(journal, search),
        _ => [Next(journal, search)],
    };

    static string Next(BisectJournal journal, Bisection search)
    {
        string steps = $"{Quantity.Count(search.StepsLeft, "step")} left";
        return search.IsMeasured
            ? Invariant($"next: {Safe(search.Current!)}, {steps}, about {BisectPlan.Of(journal, search).LikelyRuns} runs; tcpdiag bisect run measures them")
            : $"next: {Safe(search.Current!)}, {steps}; then tcpdiag bisect good, bad or skip";
    }

    static string Undecided(BisectJournal journal, Bisection search)
    {
        BisectTest test = search.Outcomes[^1].Test!;
        string more = Invariant($"More pairs: tcpdiag bisect run --max-pairs {Math.Min(2 * journal.MaxPairs, BisectJournal.PairsLimit)}");
        return search.Ends is { } ends
            ? $"not decided: {Safe(search.Current!)} lies {(test.IsBetween ? "between good and bad" : "too near the middle")}, {Ratio(ends.Middle)}. {more}. "
                + "Or tcpdiag bisect good, bad or skip"
            : $"not decided whether {Safe(search.Current!)} differs from {Safe(journal.Items[0])} by {Percent(journal.Margin)}. {more}. "
                + "Or longer runs, which differ less";
    }

    static IEnumerable<string> Found(BisectJournal journal, Bisection search)
    {
        string[] open = [.. journal.Items.Skip(search.Good + 1).Take(search.Bad - search.Good).Select(Safe)];
        yield return open.Length == 1
            ? $"first bad: {open[0]}, behind {Safe(journal.Items[search.Good])}"
            : $"first bad: one of {string.Join(", ", open)}; all but the last were skipped";
        BisectOutcome[] between = [.. search.Outcomes.Where(outcome => outcome.Test is { IsBetween: true })];
        if (between.Length > 0)
        {
            string found = string.Join(", ", between.Select(outcome => $"{Safe(outcome.Item)} ({Ratio(outcome.Test!.Ratio)})"));
            yield return $"The change is not one step: {found} lies between good and bad. {open[^1]} is where it passes the middle";
        }

        if (search.IsMeasured)
        {
            int runs = journal.Steps.Sum(step => step.Runs.Count);
            bool isGiven = search.Outcomes.Any(outcome => outcome is { IsGiven: true, Verdict: not BisectVerdict.Skip });
            yield return $"{Quantity.Count(journal.Steps.Count, "step")}, {Quantity.Count(runs, "run")}; "
                + $"chance that {(isGiven ? "what was measured" : "this")} is wrong at most {Percent(journal.Error)}";
        }
    }

    static string Figures(BisectJournal journal, string item, BisectTest test)
    {
        string voids = test.VoidRuns == 0 ? string.Empty : $", {Quantity.Count(test.VoidRuns, "run")} void";
        bool isOpen = test.Interval is { Low: 0, High: double.PositiveInfinity };
        string interval = isOpen ? "(no bounds yet)" : $"({Ratio(test.Interval.Low)} to {Ratio(test.Interval.High)})";
        string ratio = test.Pairs == 0 ? string.Empty : $"{Safe(item)}/{Safe(journal.Items[0])} {Ratio(test.Ratio)} {interval}, ";
        return $"{ratio}{Quantity.Count(test.Pairs, "pair")}{voids}";
    }

    static string Ratio(double ratio) => ratio switch
    {
        > 1e6 => "inf",
        < 9.995 => ratio.ToString("0.00", CultureInfo.InvariantCulture),
        _ => ratio.ToString("0.#", CultureInfo.InvariantCulture),
    };

    static string Percent(double part) => Invariant($"{part * 100:0.##} %");

    static string Safe(string text) => SafeText.OneLine(text);

    static string Invariant(FormattableString text) => FormattableString.Invariant(text);
}
