using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using TcpDiag.Analysis.Results;
using TcpDiag.Lab;
using TcpDiag.Lab.Flows;
using TcpDiag.Lab.Results;
using TcpDiag.Report;

namespace TcpDiag.Cli.Lab;

/// <summary>An experiment in words, 80 columns wide where the names of its cells leave room.</summary>
static class LabText
{
    const double BitsPerMegabit = 1e6;
    const string Gap = "  ";

    /// <summary>Goodput of each side of each cell, and why runs do not count.</summary>
    public static void Write(TextWriter output, LabRunDocument run, string folder)
    {
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{run.Matrix.Name}, scale {run.Scale}, seed {run.Seed}, {System(run)}: {Quantity.Count(run.Results.Count, "run")} in {SafeText.OneLine(folder)}"));
        WriteRows(output, run.Results);
        foreach (IGrouping<string, IterationResult> runs in run.Results.Where(result => result.IsVoid).GroupBy(result => result.Fault!, StringComparer.Ordinal))
        {
            string which = runs.Count() == 1 ? runs.First().Folder : $"{runs.First().Folder}, …";
            Wrap(output, $"{Quantity.Count(runs.Count(), "run")} void ({which}): {SafeText.OneLine(runs.Key)}");
        }

        if (run.UntilDecided is { } summary)
        {
            DecisionText.Write(output, summary);
        }
    }

    // A release of Linux begins with its number.
    static string System(LabRunDocument run) => char.IsAsciiDigit(run.Kernel.FirstOrDefault()) ? $"Linux {run.Kernel}" : run.Kernel;

    // A cell's name has a line to itself where it would push the figures out of sight.
    static void WriteRows(TextWriter output, IReadOnlyList<IterationResult> results)
    {
        (IterationResult First, string Figures)[] rows =
            [.. results.GroupBy(result => (result.Cell, result.Side)).Select(runs => (runs.First(), Figures([.. runs])))];
        int cellWidth = rows.Max(row => row.First.Cell.Length);
        int sideWidth = rows.Max(row => row.First.Side.Length);
        int columns = Terminal.ColumnsOf(output);
        bool isOneLine = rows.All(row => cellWidth + sideWidth + (2 * Gap.Length) + row.Figures.Length <= columns);
        string? cell = null;
        foreach ((IterationResult first, string figures) in rows)
        {
            if (!isOneLine && !string.Equals(cell, first.Cell, StringComparison.Ordinal))
            {
                output.WriteLine(first.Cell);
            }

            cell = first.Cell;
            output.WriteLine($"{(isOneLine ? cell.PadRight(cellWidth) : string.Empty)}{Gap}{first.Side.PadRight(sideWidth)}{Gap}{figures}".TrimEnd());
        }
    }

    static string Figures(IterationResult[] runs)
    {
        IterationResult[] valid = [.. runs.Where(result => !result.IsVoid)];
        string[] parts =
        [
            Goodput(valid),
            Retransmissions(valid),
            Count(valid, FlowOutcome.TimeLimit, "at the limit"),
            Count(valid, FlowOutcome.Reset, "reset"),
            Count(valid, FlowOutcome.Closed, "closed"),
            runs.Length == valid.Length ? string.Empty : Numbered(runs.Length - valid.Length, "void"),
        ];
        return string.Join(Gap, parts.Where(part => part.Length > 0));
    }

    static string Goodput(IterationResult[] runs)
    {
        double[] values = [.. runs.Select(result => result.GoodputBitsPerSecond / BitsPerMegabit).OfType<double>()];
        return values.Length == 0
            ? "no goodput"
            : string.Create(CultureInfo.InvariantCulture, $"{values.Average(),8:F2} Mbit/s mean of {values.Length} ({values.Min():F2} to {values.Max():F2})");
    }

    static string Retransmissions(IterationResult[] runs)
    {
        long sent = runs.Sum(result => result.Sender?.Kernel.DataSegmentsOut ?? 0);
        long again = runs.Sum(result => result.Sender?.Kernel.Retransmissions ?? 0);
        return sent == 0 ? string.Empty : string.Create(CultureInfo.InvariantCulture, $"{100.0 * again / sent:F2} % resent");
    }

    static string Count(IterationResult[] runs, FlowOutcome outcome, string word) =>
        runs.Count(result => result.Outcome == outcome) is > 0 and { } count ? Numbered(count, word) : string.Empty;

    static string Numbered(int count, string word) => string.Create(CultureInfo.InvariantCulture, $"{count} {word}");

    /// <summary>Writes prose in lines as wide as the output, all but the first indented.</summary>
    public static void Wrap(TextWriter output, string text)
    {
        foreach (string line in WordWrap.Lines(text.Split(' '), Terminal.ColumnsOf(output), next: Gap))
        {
            output.WriteLine(line);
        }
    }
}

/// <summary>How an experiment goes, on standard error: a bar on a terminal, else a line for each run that begins.</summary>
sealed class LabProgressLine(TextWriter error)
{
    const int BarColumns = 16;
    const double NanosecondsPerSecond = 1e9;

    readonly LiveLine _line = new(error);

    /// <summary>Shows how it stands.</summary>
    internal void Show(LabProgress progress)
    {
        if (_line.IsTerminal)
        {
            _line.Show($"{Bar(progress)} {Text(progress)}");
        }
        else if (progress.Path is null)
        {
            error.WriteLine(Text(progress));
        }
    }

    /// <summary>Runs an experiment and leaves the line when it has ended, however it does.</summary>
    /// <returns>The experiment with its results.</returns>
    public static LabRunDocument Run(TextWriter error, LabRunSettings settings, CancellationToken interruption)
    {
        LabProgressLine shown = new(error);
        try
        {
            return LabRun.Run(settings, shown.Show, interruption);
        }
        finally
        {
            shown._line.End();
        }
    }

    /// <summary>Done and total, the run, how it stands, and the time left.</summary>
    internal static string Text(LabProgress progress)
    {
        string run = progress.Current.Folder.Replace(Path.DirectorySeparatorChar, '/');
        string path = progress.Path is { } figures
            ? string.Create(CultureInfo.InvariantCulture, $", {figures.ElapsedNs / NanosecondsPerSecond:F0} s, {figures.Forwarded:N0} packets")
            : string.Empty;
        string left = progress.Left is { } time ? $", {Duration(time)} left" : string.Empty;
        return string.Create(CultureInfo.InvariantCulture, $"{progress.Done}/{progress.Count} done{left}: {run}{path}");
    }

    /// <summary>The part that is done, as a bar.</summary>
    internal static string Bar(LabProgress progress)
    {
        int full = BarColumns * progress.Done / progress.Count;
        return $"[{new string('#', full)}{new string('.', BarColumns - full)}]";
    }

    static string Duration(TimeSpan time) => time.TotalMinutes < 2 ? FormattableString.Invariant($"{time.TotalSeconds:F0} s")
        : time.TotalHours < 2 ? FormattableString.Invariant($"{time.TotalMinutes:F0} min")
        : FormattableString.Invariant($"{time.TotalHours:F0} h");
}
