using System;
using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Probe.Results;

/// <summary>One thing that was read of a sender.</summary>
/// <param name="Name">What it is, in words of the RFC.</param>
/// <param name="Unit">The unit of the numbers: <c>ms</c>, <c>min_RTT</c>, <c>SRTT</c>, <c>segments</c>, <c>recoveries</c>, <c>of 1</c>.</param>
/// <param name="Value">The reading; null when it was not read.</param>
/// <param name="Low">The least it can be; null when it was not read.</param>
/// <param name="High">The most it can be; null when it was not read.</param>
/// <param name="Count">From how many trials.</param>
/// <param name="Rfc">What RFC 8985 or 9937 has, in words.</param>
/// <param name="NotRead">Why it was not read; null when it was.</param>
public sealed record ProbeReading(string Name, string Unit, double? Value, double? Low, double? High, int Count, string Rfc, string? NotRead)
{
    /// <summary>A reading that could not be taken.</summary>
    public static ProbeReading Missing(string name, string unit, string rfc, string reason) => new(name, unit, null, null, null, 0, rfc, reason);

    /// <summary>A reading.</summary>
    public static ProbeReading Of(string name, string unit, Interval interval, int count, string rfc) =>
        new(name, unit, interval.Middle, interval.Low, interval.High, count, rfc, null);

    /// <summary>A reading of several trials: their median, and how far they lie apart.</summary>
    internal static ProbeReading Spread(string name, string unit, IEnumerable<double> values, string rfc)
    {
        double[] sorted = [.. values.Order()];
        return new ProbeReading(name, unit, Median(sorted), sorted[0], sorted[^1], sorted.Length, rfc, null);
    }

    /// <summary>The median of some values, at least one.</summary>
    internal static double Median(IEnumerable<double> values)
    {
        double[] sorted = [.. values.Order()];
        return (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2;
    }
}

/// <summary>Between which bounds a value lies.</summary>
/// <param name="Low">The lower bound.</param>
/// <param name="High">The upper bound, not below it.</param>
public readonly record struct Interval(double Low, double High)
{
    /// <summary>The best single number.</summary>
    public double Middle => (Low + High) / 2;

    /// <summary>The same in another unit.</summary>
    public Interval Per(double unit) => new(Low / unit, High / unit);

    /// <summary>
    /// What several readings of one value leave: where all of them overlap, the overlap; else they contradict each other, and it lies between
    /// the smallest and the largest middle.
    /// </summary>
    /// <param name="readings">At least one.</param>
    /// <exception cref="InvalidOperationException">There is none.</exception>
    public static Interval Overlap(IReadOnlyCollection<Interval> readings)
    {
        ArgumentNullException.ThrowIfNull(readings);
        double low = readings.Max(reading => reading.Low);
        double high = readings.Min(reading => reading.High);
        return low <= high ? new(low, high) : new(readings.Min(reading => reading.Middle), readings.Max(reading => reading.Middle));
    }
}
