using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Scores.RunSets;
using TcpDiag.Scores.Statistics;

namespace TcpDiag.Scores.Comparisons;

/// <summary>
/// Judges an experiment that goes on until it is decided: in one cell, the goodput of each other side against the first, by <see cref="SequentialPairs"/>.
/// Runs count as they do for <c>compare</c>: void ones do not, and those that did not come to their end rank below all that did.
/// </summary>
/// <param name="error">Chance of any wrong verdict, over all cells and sides.</param>
/// <param name="margin">Differences that do not matter.</param>
/// <param name="questions">Cells times sides compared: each has an equal part of the chance.</param>
public sealed class SequentialJudge(double error, double margin, int questions)
{
    /// <summary>Judges the runs of a cell.</summary>
    /// <param name="sides">The sides of the experiment; the first is A.</param>
    /// <param name="cell">The cell's name.</param>
    /// <returns>A judgement of each side but the first.</returns>
    public IReadOnlyList<SequentialJudgement> Judge(IReadOnlyList<RunSet> sides, string cell) =>
        [.. sides.Skip(1).Select(side => Judge(sides[0], side, cell))];

    SequentialJudgement Judge(RunSet a, RunSet b, string cell)
    {
        SequentialPairs test = new(error / questions, margin);
        (RunCell cellA, RunCell cellB) = (CellOf(a, cell), CellOf(b, cell));
        foreach (RunPair pair in new AlignedCell(cellA, cellB).Pairs.OrderBy(pair => pair.A.Iteration))
        {
            if (pair.A.ScoreOf(Metric.Goodput) is { } one && pair.B.ScoreOf(Metric.Goodput) is { } other && (one.IsMeasured || other.IsMeasured))
            {
                test.Add(other.Log - one.Log);
            }
        }

        int leftOut = Math.Max(Iterations(cellA), Iterations(cellB)) - test.Count;
        return new SequentialJudgement(cell, a.Side!, b.Side!, test.Verdict, Math.Exp(test.LogRatio), test.Ratio, test.Count, leftOut);
    }

    static RunCell CellOf(RunSet side, string name) =>
        side.Cells.FirstOrDefault(cell => string.Equals(cell.Name, name, StringComparison.Ordinal)) ?? new RunCell(name, [], [], 0);

    static int Iterations(RunCell cell) => cell.Runs.Count + cell.VoidRuns;
}

/// <summary>How a side of a cell stands against the first.</summary>
/// <param name="Cell">The cell's name.</param>
/// <param name="A">The first side.</param>
/// <param name="B">The side.</param>
/// <param name="Verdict">The verdict on its goodput.</param>
/// <param name="Ratio">B/A, the middle of the pairs' ratios; NaN without pairs, infinite or 0 where most runs of one side did not come to their end.</param>
/// <param name="Interval">The ratios that are not rejected, whenever one looks.</param>
/// <param name="Pairs">Pairs that were compared.</param>
/// <param name="LeftOut">Iterations without such a pair: a run was void, or both were reset.</param>
public sealed record SequentialJudgement(
    string Cell, string A, string B, SequentialVerdict Verdict, double Ratio, Interval Interval, int Pairs, int LeftOut);
