using System;
using System.Globalization;
using System.Numerics;

namespace TcpDiag.Impairment.Decisions;

/// <summary>
/// How late packets left: delay given minus delay asked. A histogram of fixed size with 32 steps per power of two, so a quantile is at most 1/32 too high.
/// </summary>
public sealed class DelayErrorStatistics : IDecisionSink
{
    const int StepBits = 5;
    const int Steps = 1 << StepBits;

    readonly long[] _counts = new long[(64 - StepBits) * Steps];

    /// <summary>Packets counted.</summary>
    public long Count { get; private set; }

    /// <summary>The largest error in nanoseconds; 0 when nothing was counted.</summary>
    public long MaxNanos { get; private set; }

    /// <summary>Counts the error of a packet that left; ignores other decisions.</summary>
    /// <param name="decision">The decision.</param>
    public void Record(in ImpairmentDecision decision)
    {
        if (decision.Action is ImpairmentAction.Forward or ImpairmentAction.ForwardCopy)
        {
            Add(decision.DelayErrorNanos);
        }
    }

    /// <summary>Counts one error.</summary>
    /// <param name="errorNanos">Nanoseconds; a negative error, a packet that left early, counts by its size.</param>
    public void Add(long errorNanos)
    {
        long size = errorNanos == long.MinValue ? long.MaxValue : Math.Abs(errorNanos);
        _counts[Bucket((ulong)size)]++;
        Count++;
        MaxNanos = Math.Max(MaxNanos, size);
    }

    /// <summary>The error that a share of the packets did not exceed.</summary>
    /// <param name="share">0 … 1, e.g. 0.99.</param>
    /// <returns>Nanoseconds, rounded up to the histogram's step; 0 when nothing was counted.</returns>
    public long QuantileNanos(double share)
    {
        long wanted = Math.Max(1, (long)Math.Ceiling(share * Count));
        long seen = 0;
        for (int bucket = 0; bucket < _counts.Length && Count > 0; bucket++)
        {
            seen += _counts[bucket];
            if (seen >= wanted)
            {
                return Math.Min(UpperBound(bucket), MaxNanos);
            }
        }

        return 0;
    }

    // Below 2·Steps the bucket is the value; above, the top 6 bits of the value choose it.
    static int Bucket(ulong value)
    {
        int shift = Math.Max(0, BitOperations.Log2(value | 1) - StepBits);
        return (shift * Steps) + (int)(value >> shift);
    }

    static long UpperBound(int bucket)
    {
        if (bucket < 2 * Steps)
        {
            return bucket;
        }

        int shift = (bucket / Steps) - 1;
        long top = (bucket % Steps) + Steps;
        return ((top + 1) << shift) - 1;
    }
}

/// <summary>Whether a run kept to its settings. One that did not is void: its figures describe this machine, not TCP.</summary>
public static class RunValidity
{
    // The share of packets whose delay error has to stay within the limit.
    const double Share = 0.99;

    /// <summary>Judges a run.</summary>
    /// <param name="errors">The delay errors of the run.</param>
    /// <param name="limitNanos">What 99 % of the errors must not exceed, in nanoseconds.</param>
    /// <param name="capacityDrops">Packets dropped because the emulator was full.</param>
    /// <param name="losses">What happened without a decision.</param>
    /// <returns>Why the run is void, as a sentence; null if it is valid.</returns>
    public static string? FindFault(DelayErrorStatistics errors, long limitNanos, long capacityDrops, RunLosses losses)
    {
        if (capacityDrops > 0)
        {
            return string.Create(
                CultureInfo.InvariantCulture,
                $"The run is void: {capacityDrops} packets were dropped because the emulator was full. Take a smaller buffer, rate or delay.");
        }

        if (losses.Packets > 0)
        {
            return string.Create(
                CultureInfo.InvariantCulture,
                $"The run is void: the system lost {losses.Packets} packets before they could be emulated. "
                + $"Lower the load, or let the emulator run with real-time priority.");
        }

        if (losses.Bypassed > 0)
        {
            return string.Create(
                CultureInfo.InvariantCulture,
                $"The run is void: {losses.Bypassed} packets passed the full queue without being emulated. "
                + $"Lower the load, narrow the match, or let the emulator run with real-time priority.");
        }

        long p99 = errors.QuantileNanos(Share);
        return p99 <= limitNanos
            ? null
            : string.Create(
                CultureInfo.InvariantCulture,
                $"The run is void: 1 % of the packets left more than {p99 / 1000.0:F1} µs late, the limit is {limitNanos / 1000.0:F1} µs. "
                + $"Lower the rate, or let the emulator run with real-time priority.");
    }
}
