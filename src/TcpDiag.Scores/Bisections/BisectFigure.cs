using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Scores.RunSets;

namespace TcpDiag.Scores.Bisections;

/// <summary>Reads what a command says of a run: the last line it prints is a figure, or the result directory of <c>lab run</c> or <c>simulate</c>.</summary>
public static class BisectFigure
{
    const int MaxShownCharacters = 60;

    /// <summary>Reads it.</summary>
    /// <param name="item">The item that was run.</param>
    /// <param name="seed">The run's seed.</param>
    /// <param name="exitCode">The command's exit code.</param>
    /// <param name="line">The last line that it printed; empty without any.</param>
    /// <param name="cells">Cells to read of a result directory; empty for all.</param>
    /// <returns>The run, which is void where there is no figure.</returns>
    public static BisectRun Read(string item, long seed, int exitCode, string line, IReadOnlyList<string> cells)
    {
        if (exitCode != 0)
        {
            return Void(FormattableString.Invariant($"the command ended with exit code {exitCode}"));
        }

        if (double.TryParse(line, NumberStyles.AllowDecimalPoint | NumberStyles.AllowExponent, CultureInfo.InvariantCulture, out double figure)
            && double.IsFinite(figure))
        {
            return new BisectRun(item, seed, figure, null);
        }

        if (!Directory.Exists(line))
        {
            string found = line.Length == 0 ? "nothing" : $"'{(line.Length > MaxShownCharacters ? line[..MaxShownCharacters] + "…" : line)}'";
            return Void($"expected a figure of 0 or more or a result directory as the last line, found {found}");
        }

        try
        {
            (double? goodput, string? fault) = GoodputOf(line, cells);
            return new BisectRun(item, seed, goodput, fault);
        }
        catch (RunSetException wrong)
        {
            return Void(wrong.Message);
        }

        BisectRun Void(string fault) => new(item, seed, null, fault);
    }

    // The geometric mean of its runs, so that each counts by its ratio. A run that did not come to its end ranks below all that did.
    static (double? Goodput, string? Fault) GoodputOf(string path, IReadOnlyList<string> cells)
    {
        IReadOnlyList<RunSet> sides = RunSetPair.Sides(path, new RunFilter([], cells));
        RunCell[] read = [.. sides.SelectMany(side => side.Cells)];
        Run[] runs = [.. read.SelectMany(cell => cell.Runs)];
        int voids = read.Sum(cell => cell.VoidRuns);
        return sides.Count > 1 ? (null, FormattableString.Invariant($"{path} has {sides.Count} sides, expected one"))
            : voids > 0 ? (null, FormattableString.Invariant($"{path}: {voids} of {voids + runs.Length} runs void"))
            : !sides[0].IsComplete || runs.Length == 0 ? (null, $"{path}: not run to its end")
            : runs.Any(run => run.End != RunEnd.Complete || run.Figures[Metric.Goodput] == 0) ? (0, null)
            : (Math.Exp(runs.Average(run => Math.Log(run.Figures[Metric.Goodput]))), null);
    }
}
