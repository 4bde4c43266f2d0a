using TcpDiag.Scores.Statistics;

namespace TcpDiag.Scores.Comparisons;

/// <summary>How B's goodput stands to A's, and how certain that is.</summary>
/// <param name="Ratio">B / A: of a cell's medians; over cells their geometric mean. Infinite where nothing arrived with A, NaN where infinite ratios meet zeros.</param>
/// <param name="Interval">95 % bootstrap interval of the ratio.</param>
/// <param name="PValue">Of the test of Mann and Whitney, two-sided; over cells stratified by cell.</param>
/// <param name="CorrectedPValue">The same after Holm's correction over the cells; null where the cell has too few runs to be tested. Over cells, as it is.</param>
/// <param name="CliffsDelta">Share of pairs of runs in which B is faster, minus that in which it is slower; −1 … 1.</param>
/// <param name="Verdict">The verdict.</param>
/// <param name="Reason">Why there is not enough evidence, as a clause; null with any other verdict.</param>
public sealed record Judgement(double Ratio, Interval Interval, double PValue, double? CorrectedPValue, double CliffsDelta, Verdict Verdict, string? Reason);
