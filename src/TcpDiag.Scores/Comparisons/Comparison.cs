using System.Collections.Generic;
using System.Linq;
using TcpDiag.Scores.RunSets;

namespace TcpDiag.Scores.Comparisons;

/// <summary>Two sets of runs compared.</summary>
/// <param name="Sets">What was compared.</param>
/// <param name="Settings">How.</param>
/// <param name="Cells">What they have in common, in the order of A.</param>
/// <param name="LeftOut">What they do not.</param>
/// <param name="Overall">All cells with enough runs as one, each counting alike; null where there is none.</param>
public sealed record Comparison(RunSetPair Sets, ComparisonSettings Settings, IReadOnlyList<CellComparison> Cells, IReadOnlyList<LeftOutCell> LeftOut, Judgement? Overall)
{
    /// <summary>Whether B is worse, in any cell or over all of them.</summary>
    public bool HasRegression => Overall?.Verdict == Verdict.Regressed || Cells.Any(cell => cell.Judgement.Verdict == Verdict.Regressed);
}
