using System;
using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Doctor.Changes;

/// <summary>What pairs of runs say of a change.</summary>
public enum ChangeEffect
{
    /// <summary>No difference that could be told, or none that matters.</summary>
    Unclear,

    /// <summary>It is faster.</summary>
    Faster,

    /// <summary>It is slower.</summary>
    Slower,
}

/// <summary>A transfer.</summary>
/// <param name="Bytes">Bytes that it carried.</param>
/// <param name="Time">How long it took.</param>
/// <param name="IsWhole">Whether it came to its end.</param>
public readonly record struct MeasuredRun(long Bytes, TimeSpan Time, bool IsWhole)
{
    // One without a byte is slower than any.
    internal double Rate => Math.Max(Bytes, 1) / Math.Max(Time.TotalSeconds, 1e-6);
}

/// <summary>
/// Runs without a change and with it, in pairs that lie beside each other in time, so that what changes slowly changes both. Each ratio of rates lies above the
/// middle as often as below it: that all six lie on one side of it has a chance of 2 in 2^6, 3 %. From the least of them to the most is thus an interval of
/// 97 % for the middle (sign test), whatever the noise is like. A change that needs more than six pairs to be seen is not worth having.
/// </summary>
/// <param name="pairs">The pairs.</param>
public sealed class PairedRuns(IReadOnlyList<(MeasuredRun Without, MeasuredRun With)> pairs)
{
    /// <summary>How many pairs there must be.</summary>
    public const int Count = 6;

    // As for comparisons of builds: what is less nobody notices.
    const double Margin = 1.05;

    readonly double[] _ratios = [.. pairs.Select(pair => pair.With.Rate / pair.Without.Rate).Order()];

    /// <summary>How many times as fast it is with the change, at least.</summary>
    public double Min => _ratios[0];

    /// <summary>How many times as fast it is with the change, at most.</summary>
    public double Max => _ratios[^1];

    /// <summary>What they say.</summary>
    public ChangeEffect Effect => _ratios.Length < Count ? ChangeEffect.Unclear
        : Min > 1 && Middle > Margin ? ChangeEffect.Faster
        : Max < 1 && Middle < 1 / Margin ? ChangeEffect.Slower
        : ChangeEffect.Unclear;

    /// <summary>Runs that came to their end.</summary>
    /// <param name="isWith">With the change, or without it.</param>
    public int Whole(bool isWith) => pairs.Count(pair => (isWith ? pair.With : pair.Without).IsWhole);

    /// <summary>The median of the times.</summary>
    /// <param name="isWith">With the change, or without it.</param>
    public TimeSpan Time(bool isWith)
    {
        TimeSpan[] times = [.. pairs.Select(pair => (isWith ? pair.With : pair.Without).Time).Order()];
        return (times[(times.Length - 1) / 2] + times[times.Length / 2]) / 2;
    }

    double Middle => (_ratios[(_ratios.Length - 1) / 2] + _ratios[_ratios.Length / 2]) / 2;
}
