using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Lab.Results;

namespace TcpDiag.Cli.Lab;

/// <summary>What an experiment that goes on until it is decided has decided, in words: a line for each side but the first of each cell.</summary>
static class DecisionText
{
    const string Gap = "  ";

    /// <summary>Writes it.</summary>
    public static void Write(TextWriter output, DecisionSummary summary)
    {
        output.WriteLine();
        output.WriteLine("goodput of each side over that of the first, by runs of the same seed");
        IReadOnlyList<SideDecision> decisions = summary.Decisions;
        int cellWidth = decisions.Select(decision => decision.Cell.Length).DefaultIfEmpty(0).Max();
        string[] ratios = [.. decisions.Select(decision => $"{decision.Side}/{decision.Reference}")];
        int ratioWidth = ratios.Select(ratio => ratio.Length).DefaultIfEmpty(0).Max();
        bool isOneLine = decisions.All(decision => cellWidth + ratioWidth + (2 * Gap.Length) + Figures(decision).Length <= Terminal.ColumnsOf(output));
        string? cell = null;
        foreach ((SideDecision decision, string ratio) in decisions.Zip(ratios))
        {
            if (!isOneLine && !string.Equals(cell, decision.Cell, StringComparison.Ordinal))
            {
                output.WriteLine(decision.Cell);
            }

            cell = decision.Cell;
            output.WriteLine($"{(isOneLine ? cell.PadRight(cellWidth) : string.Empty)}{Gap}{ratio.PadRight(ratioWidth)}{Gap}{Figures(decision)}");
        }

        LabText.Wrap(output, Conclusion(summary));
    }

    static string Figures(SideDecision decision)
    {
        string verdict = decision.Verdict switch
        {
            DecisionVerdict.Open => "not decided in",
            DecisionVerdict.Equal => "equal after",
            DecisionVerdict.Regressed => "regressed after",
            _ => "improved after",
        };
        string interval = $"{Ratio(decision.Ratio, "-")} ({Ratio(decision.Low, "0")} to {Ratio(decision.High, "inf")})";
        string leftOut = decision.LeftOut == 0 ? string.Empty : string.Create(CultureInfo.InvariantCulture, $", {decision.LeftOut} left out");
        return $"{interval,-20}{Gap}{verdict} {Quantity.Count(decision.Pairs, "pair")}{leftOut}";
    }

    static string Conclusion(DecisionSummary summary)
    {
        int open = summary.Decisions.Count(decision => decision.Verdict == DecisionVerdict.Open);
        string undecided = open == 0 ? string.Empty : string.Create(
            CultureInfo.InvariantCulture, $"; the same --out with --max-iterations above {summary.MaxIterations} goes on with the rest");
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{summary.Decisions.Count - open} of {summary.Decisions.Count} decided{undecided}. Margin {summary.Margin * 100:0.##} %; "
            + $"chance of any wrong verdict at most {summary.Error * 100:0.##} %, however often one looks.");
    }

    static string Ratio(double? ratio, string unknown) => ratio switch
    {
        null => unknown,
        < 9.995 => ratio.Value.ToString("0.00", CultureInfo.InvariantCulture),
        _ => ratio.Value.ToString("0.#", CultureInfo.InvariantCulture),
    };
}
