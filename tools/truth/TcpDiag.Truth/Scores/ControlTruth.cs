using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;
using TcpDiag.Scores;
using TcpDiag.Scores.Cards;
using TcpDiag.Traces;

namespace TcpDiag.Truth.Scores;

/// <summary>How often the congestion control of a real sender is told, and how often it is right.</summary>
public static class ControlTruth
{
    /// <summary>Reads and scores the runs of an experiment that were finished and not void.</summary>
    /// <param name="directory">What <c>lab run</c> wrote.</param>
    /// <param name="point">Which capture of a run: sender or receiver.</param>
    public static IReadOnlyList<ControlRun> Of(string directory, string point)
    {
        List<ControlRun> runs = [];
        foreach ((string folder, JsonElement run) in LabFolder.Runs(directory))
        {
            using TraceReader reader = TraceFile.Open(Path.Combine(folder, $"{point}.pcapng"));
            runs.Add(new(folder, run.Text("cell"), run.Text("side"), TraceScorer.Score(reader).Cards[0].Control));
        }

        return runs;
    }

    /// <summary>The table, by side and by path.</summary>
    /// <param name="runs">The runs; a side bears the name of its congestion control.</param>
    /// <returns>Markdown.</returns>
    public static string ToMarkdown(IReadOnlyList<ControlRun> runs)
    {
        StringBuilder text = new("| side or path | runs | told | right | wrong | verdicts |\n|---|--:|--:|--:|--:|---|\n");
        foreach (IGrouping<string, ControlRun> side in runs.GroupBy(run => run.Side, StringComparer.Ordinal))
        {
            Append(text, side.Key, [.. side]);
        }

        foreach (IGrouping<string, ControlRun> cell in runs.GroupBy(run => run.Cell[4..], StringComparer.Ordinal))
        {
            Append(text, cell.Key, [.. cell]);
        }

        Append(text, "together", runs);
        return text.ToString();
    }

    static void Append(StringBuilder text, string name, IReadOnlyList<ControlRun> runs)
    {
        int told = runs.Count(run => run.Verdict is not ControlFingerprint.Unknown);
        int right = runs.Count(run => run.IsRight);
        string verdicts = string.Join(", ", runs.GroupBy(run => run.Verdict, StringComparer.Ordinal)
            .OrderByDescending(group => group.Count()).Select(group => $"{group.Count()} {group.Key}"));
        text.Append(CultureInfo.InvariantCulture, $"| {name} | {runs.Count} | {told} | {right} | {told - right} | {verdicts} |\n");
    }
}

/// <summary>A run of the lab whose sender's congestion control is known.</summary>
/// <param name="Folder">The run.</param>
/// <param name="Cell">Its path.</param>
/// <param name="Side">Its side, named after the congestion control.</param>
/// <param name="Control">What was told; null when it was not scored.</param>
public sealed record ControlRun(string Folder, string Cell, string Side, ControlFingerprint? Control)
{
    /// <summary>The verdict.</summary>
    public string Verdict => Control?.Verdict ?? ControlFingerprint.Unknown;

    /// <summary>Whether it is right.</summary>
    public bool IsRight => string.Equals(Verdict, Side.Split('-')[0], StringComparison.Ordinal);

    /// <summary>What it rests on, for a person.</summary>
    public override string ToString() => Control is null ? $"{Folder}: not scored" : string.Create(
        CultureInfo.InvariantCulture,
        $"{Folder}: {Verdict}, {Control.Reason}; {Control.Stages} stages; against "
            + $"{string.Join(", ", Control.Candidates.Select(one => $"{one.Name} {one.Contradictions}"))}");
}
