using System;
using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Probe.Results;

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
