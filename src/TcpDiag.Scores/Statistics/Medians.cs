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

/// <summary>
/// The shift between two samples after Hodges and Lehmann (1963): the median of all differences between a value of one and a value of the other. A
/// single outlier hardly moves it.
/// </summary>
static class HodgesLehmann
{
    /// <summary>By how much the second sample lies above the first.</summary>
    /// <param name="first">At least one value.</param>
    /// <param name="second">At least one value.</param>
    /// <returns>The shift, in the unit of the values.</returns>
    public static double Shift(ReadOnlySpan<double> first, ReadOnlySpan<double> second)
    {
        double[] differences = new double[first.Length * second.Length];
        int count = 0;
        foreach (double one in first)
        {
            foreach (double other in second)
            {
                differences[count++] = other - one;
            }
        }

        return Medians.OfScratch(differences);
    }
}
