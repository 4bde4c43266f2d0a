using System;

namespace TcpDiag.Scores.Statistics;

/// <summary>The median of a sample.</summary>
static class Medians
{
    /// <summary>The middle value; of an even number, the mean of the two in the middle.</summary>
    /// <param name="values">At least one value.</param>
    /// <returns>The median.</returns>
    public static double Of(ReadOnlySpan<double> values)
    {
        double[] sorted = values.ToArray();
        return OfScratch(sorted);
    }

    /// <summary>The same, without a copy.</summary>
    /// <param name="values">At least one value; sorted afterwards.</param>
    /// <returns>The median.</returns>
    public static double OfScratch(Span<double> values)
    {
        values.Sort();
        return (values[(values.Length - 1) / 2] + values[values.Length / 2]) / 2;
    }
}
