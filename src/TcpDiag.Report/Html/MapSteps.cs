using System;
using System.Linq;
using TcpDiag.Report.Comparisons;
using TcpDiag.Scores.Comparisons;

namespace TcpDiag.Report.Html;

/// <summary>How strongly a cell of a map is coloured; what is not certain is not.</summary>
static class MapSteps
{
    // Of the natural logarithm of the ratio: 5, 15 and 40 %.
    static readonly double[] Steps = [0.05, 0.14, 0.34];

    /// <summary>The step of a ratio.</summary>
    /// <returns>0 for no colour, to 3.</returns>
    public static int Of(Judgement judgement) => ComparisonWords.IsDifference(judgement.Verdict)
        ? Steps.Count(step => Math.Abs(Math.Log(judgement.Ratio)) >= step)
        : 0;
}
