using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Analysis;
using TcpDiag.Lab.Flows;
using TcpDiag.Lab.Results;
using TcpDiag.Report;

namespace TcpDiag.Cli.Lab;

/// <summary>An experiment in words, 80 columns wide where the names of its cells leave room.</summary>
static class LabText
{
    const int Columns = 80;
    const double BitsPerMegabit = 1e6;
    const string Gap = "  ";

    /// <summary>Goodput of each side of each cell, and why runs do not count.</summary>
    /// <param name="output">Where to write.</param>
    /// <param name="run">The experiment.</param>
    /// <param name="folder">Its directory.</param>
    public static void Write(TextWriter output, LabRunDocument run, string folder)
    {
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture, $"{run.Matrix.Name}, scale {run.Scale}, seed {run.Seed}, {System(run)}: {Quantity.Count(run.Results.Count, "run")} in {SafeText.OneLine(folder)}"));
        WriteRows(output, run.Results);
        foreach (IGrouping<string, IterationResult> runs in run.Results.Where(result => result.IsVoid).GroupBy(result => result.Fault!, StringComparer.Ordinal))
        {
            string which = runs.Count() == 1 ? runs.First().Folder : $"{runs.First().Folder}, …";
            Wrap(output, $"{Quantity.Count(runs.Count(), "run")} void ({which}): {SafeText.OneLine(runs.Key)}");
        }
    }

    // A release of Linux begins with its number.
    static string System(LabRunDocument run) => char.IsAsciiDigit(run.Kernel.FirstOrDefault()) ? $"Linux {run.Kernel}" : run.Kernel;

    // A cell's name has a line to itself where it would push the figures out of sight.
    static void WriteRows(TextWriter output, IReadOnlyList<IterationResult> results)
    {
        (IterationResult First, string Figures)[] rows = [.. results.GroupBy(result => (result.Cell, result.Side)).Select(runs => (runs.First(), Figures([.. runs])))];
        int cellWidth = rows.Max(row => row.First.Cell.Length);
        int sideWidth = rows.Max(row => row.First.Side.Length);
        bool isOneLine = rows.All(row => cellWidth + sideWidth + (2 * Gap.Length) + row.Figures.Length <= Columns);
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
            Goodput(valid), Retransmissions(valid), Count(valid, FlowOutcome.TimeLimit, "at the limit"), Count(valid, FlowOutcome.Reset, "reset"), Count(valid, FlowOutcome.Closed, "closed"),
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

    static void Wrap(TextWriter output, string text)
    {
        string line = string.Empty;
        foreach (string word in text.Split(' '))
        {
            if (line.Length > Gap.Length && line.Length + 1 + word.Length > Columns)
            {
                output.WriteLine(line);
                line = Gap;
            }

            line += line.Trim().Length == 0 ? word : $" {word}";
        }

        output.WriteLine(line);
    }
}
