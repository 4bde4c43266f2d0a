using System;
using System.Numerics;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Analysis.Delivery;

/// <summary>
/// Finds the rate and depth of the token bucket that would have been as empty as can be at each of the losses that were seen: empty at the first, it gains
/// tokens until the next, but for those that find it full.
/// </summary>
static class TokenBucketFit
{
    const int Depths = 14; // up to eighteen times the smallest: 200 kB of usual segments
    const float DepthStep = 1.25f;
    const float MinRateStep = 0.005f; // as a part of the rate
    const int MaxRates = 400;
    const float SameMismatch = 0.005f; // less is no difference (assumed)

    /// <summary>The bucket that fits best.</summary>
    /// <param name="spans">What got through between losses.</param>
    /// <param name="mss">Payload of a full segment, bytes.</param>
    public static TokenBucketSummary Of(ReadOnlySpan<LossSpan> spans, int mss)
    {
        Span<float> rates = stackalloc float[spans.Length];
        for (int i = 0; i < spans.Length; i++)
        {
            rates[i] = spans[i].Bytes / Math.Max(spans[i].Nanos, 1);
        }

        rates.Sort();
        float lowest = 0.9f * rates[rates.Length / 2]; // a shorter interval after a repair may have more
        float highest = 1.6f * rates[^1]; // a bucket that overflows loses much of what it gains
        float step = 1 + Math.Max(MinRateStep, MathF.Log(highest / lowest) / MaxRates);
        var lanes = new LossLanes(spans, stackalloc Vector<float>[LossLanes.Room(spans.Length)]);
        Span<Candidate> ofDepths = stackalloc Candidate[Depths];
        ofDepths.Fill(new(0, 0, float.MaxValue));
        for (float rate = lowest; rate < highest; rate *= step)
        {
            lanes.SetRate(rate);
            Compare(lanes, rate, Thresholds.MinBucketSegments * mss, ofDepths);
        }

        Candidate best = Simplest(ofDepths);
        return new(spans.Length, best.Rate * 8e9, (long)best.Depth, best.Mismatch);
    }

    // A deeper bucket at a lower rate fits nearly as well: of those that do, the smallest.
    static Candidate Simplest(ReadOnlySpan<Candidate> ofDepths)
    {
        float least = float.MaxValue;
        foreach (Candidate candidate in ofDepths)
        {
            least = Math.Min(least, candidate.Mismatch);
        }

        int first = 0;
        while (ofDepths[first].Mismatch > least + SameMismatch)
        {
            first++;
        }

        return ofDepths[first];
    }

    static void Compare(in LossLanes lanes, float rate, float depth, Span<Candidate> ofDepths)
    {
        foreach (ref Candidate best in ofDepths)
        {
            float mismatch = lanes.Mismatch(depth);
            best = mismatch < best.Mismatch ? new(rate, depth, mismatch) : best;
            depth *= DepthStep;
        }
    }

    readonly record struct Candidate(float Rate, float Depth, float Mismatch);
}
