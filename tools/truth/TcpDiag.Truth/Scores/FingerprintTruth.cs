using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;
using TcpDiag.Scores.Cards;

namespace TcpDiag.Truth.Scores;

/// <summary>How often the fingerprint of a real sender is told, and how often it is right.</summary>
public static class FingerprintTruth
{
    /// <summary>The tables.</summary>
    /// <param name="runs">The runs.</param>
    /// <returns>Markdown.</returns>
    public static string ToMarkdown(IReadOnlyList<ScoredRun> runs)
    {
        StringBuilder text = new();
        text.Append("| side | runs | detection exercised, told | window exercised, told | wrong | verdicts |\n|---|--:|--:|--:|--:|---|\n");
        foreach (IGrouping<string, ScoredRun> side in runs.GroupBy(run => run.Side, StringComparer.Ordinal))
        {
            Append(text, side.Key, [.. side], Verdicts(side));
        }

        Append(text, "together", runs, string.Empty);
        return text.ToString();
    }

    /// <summary>The runs that were told wrongly.</summary>
    public static IEnumerable<string> Wrong(IEnumerable<ScoredRun> runs) => runs
        .Where(run => run.Verdict is not Fingerprint.Unknown && !run.IsRight)
        .Select(run => $"{run.Folder}: {run.Verdict}, {run.Reorderings} reorderings and {run.Dsacks} DSACKs by the kernel");

    static void Append(StringBuilder text, string name, IReadOnlyList<ScoredRun> runs, string verdicts)
    {
        ScoredRun[] detection = [.. runs.Where(run => run.IsDetectionExercised)];
        ScoredRun[] window = [.. runs.Where(run => run.IsWindowExercised)];
        int told = detection.Count(run => run.Verdict is not Fingerprint.Unknown);
        int windowTold = window.Count(run => run.IsWindowTold);
        text.Append(CultureInfo.InvariantCulture, $"| {name} | {runs.Count} | {detection.Length}, {told} | {window.Length}, {windowTold} | ");
        text.Append(CultureInfo.InvariantCulture, $"{Wrong(runs).Count()} | {verdicts} |\n");
    }

    static string Verdicts(IEnumerable<ScoredRun> runs) => string.Join(", ", runs
        .GroupBy(run => run.Verdict, StringComparer.Ordinal)
        .OrderByDescending(group => group.Count())
        .Select(group => $"{group.Count()} {group.Key}"));
}
