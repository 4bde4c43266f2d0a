using System;
using System.Numerics;

namespace TcpDiag.Impairment.Decisions;

/// <summary>
/// How late packets left: delay given minus delay asked. A histogram with 32 steps per power of two, so a quantile is at most 1/32 too high, of fixed size and
/// without memory per value.
/// </summary>
public sealed class DelayErrorStatistics : IDecisionSink
{
    const int StepBits = 5;
    const int Steps = 1 << StepBits;

    readonly long[] _counts = new long[(64 - StepBits) * Steps];

    /// <summary>Packets counted.</summary>
    public long Count { get; private set; }

    /// <summary>The largest error in nanoseconds; 0 when nothing was counted.</summary>
    public long MaxNs { get; private set; }

    /// <summary>Counts the error of a packet that left; other decisions are passed over.</summary>
    /// <param name="decision">The decision.</param>
    public void Record(in ImpairmentDecision decision)
    {
        if (decision.Action is ImpairmentAction.Forward or ImpairmentAction.ForwardCopy)
        {
            Add(decision.DelayErrorNs);
        }
    }

    /// <summary>Counts one error.</summary>
    /// <param name="errorNs">Nanoseconds; a negative one, a packet that left early, counts by its size.</param>
    public void Add(long errorNs)
    {
        long size = errorNs == long.MinValue ? long.MaxValue : Math.Abs(errorNs);
        _counts[Bucket((ulong)size)]++;
        Count++;
        MaxNs = Math.Max(MaxNs, size);
    }

    /// <summary>The error that a share of the packets did not pass.</summary>
    /// <param name="share">0 … 1, e.g. 0.99.</param>
    /// <returns>Nanoseconds, rounded up to the histogram's step; 0 when nothing was counted.</returns>
    public long QuantileNs(double share)
    {
        long wanted = Math.Max(1, (long)Math.Ceiling(share * Count));
        long seen = 0;
        for (int bucket = 0; bucket < _counts.Length && Count > 0; bucket++)
        {
            seen += _counts[bucket];
            if (seen >= wanted)
            {
                return Math.Min(UpperBound(bucket), MaxNs);
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
