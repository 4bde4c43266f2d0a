using System;
using System.Collections.Generic;
using TcpDiag.Scores.Cards;

namespace TcpDiag.Store.Fleets;

/// <summary>What recordings of a build show.</summary>
/// <param name="Platform">windows, linux; null where it is not known.</param>
/// <param name="Build">The build of Windows, or release of the kernel.</param>
public sealed record MeasuredBuild(string? Platform, string Build)
{
    /// <summary>Recordings of known machines.</summary>
    public long Recordings { get; init; }

    /// <summary>Machines.</summary>
    public int Machines { get; init; }

    /// <summary>Monday of the first week with recordings.</summary>
    public required string FirstWeek { get; init; }

    /// <summary>Monday of the last week with recordings.</summary>
    public required string LastWeek { get; init; }

    /// <summary>One for each of <see cref="BuildShares.All"/>, in its order.</summary>
    public IReadOnlyList<MachineShare> Shares { get; init; } = [];

    /// <summary>Components of scores that were exercised, by name: senders of all machines added up.</summary>
    public IReadOnlyList<(string Component, Proportion Rate)> Scores { get; init; } = [];

    /// <summary>How senders detect losses, by how many of them, the most first.</summary>
    public IReadOnlyList<(string Fingerprint, long Senders)> Fingerprints { get; init; } = [];
}

/// <summary>A share, 0 … 1, over machines: each counts once, with the sum of its recordings.</summary>
/// <param name="Machines">Machines of which it is known.</param>
/// <param name="Median">The median; null where no machine has any.</param>
/// <param name="Low">Lower end of its 95 % interval; null where there are fewer than six machines.</param>
/// <param name="High">Upper end; null likewise.</param>
public readonly record struct MachineShare(int Machines, double? Median, double? Low, double? High)
{
    // 1 − 2 · 2^−6 = 97 %: with fewer values the least and the most of them are no interval of 95 %.
    const int FewestOfInterval = 6;
    const double Tail = 0.025;

    // 2^-n must be a number.
    const int MaxExact = 1000;

    /// <summary>Takes the median. Its interval lies between order statistics (Thompson 1936), and asks nothing of the distribution.</summary>
    /// <param name="values">One for each machine; sorted afterwards.</param>
    internal static MachineShare Of(double[] values)
    {
        Array.Sort(values);
        int n = values.Length;
        double? median = n == 0 ? null : (values[(n - 1) / 2] + values[n / 2]) / 2;
        return n < FewestOfInterval ? new(n, median, null, null) : new(n, median, values[CutOf(n)], values[n - 1 - CutOf(n)]);
    }

    // How many values lie outside at each end: k − 1 with the largest k for which P(B(n, ½) ≤ k − 1) ≤ 2.5 %.
    static int CutOf(int n)
    {
        if (n > MaxExact)
        {
            return (int)((n / 2.0) - (0.98 * Math.Sqrt(n))) - 1;
        }

        double term = Math.Pow(0.5, n);
        double sum = term;
        int k = 0;
        while (sum <= Tail)
        {
            k++;
            term *= (double)(n - k + 1) / k;
            sum += term;
        }

        return k - 1;
    }
}
