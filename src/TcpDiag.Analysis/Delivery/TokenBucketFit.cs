using System;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Analysis.Delivery;

/// <summary>
/// Finds the rate and depth of the token bucket that would have been as empty as can be at each of the losses that were seen: empty at the first, it gains
/// tokens until the next, but for those that find it full.
/// </summary>
static class TokenBucketFit
{
    const int Depths = 14;
    const float DepthStep = 1.25f;
    const float MinRateStep = 0.005f; // as a part of the rate
    const int MaxRates = 400;
    const float SameMismatch = 0.005f;

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
        Span<Candidate> ofDepths = stackalloc Candidate[Depths];
        ofDepths.Fill(new(0, 0, float.MaxValue));
        for (float rate = lowest; rate < highest; rate *= step)
        {
            Compare(rate, spans, mss, ofDepths);
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

    static void Compare(float rate, ReadOnlySpan<LossSpan> spans, int mss, Span<Candidate> ofDepths)
    {
        Span<float> most = stackalloc float[spans.Length];
        for (int i = 0; i < spans.Length; i++)
        {
            most[i] = spans[i].MostTokens(rate);
        }

        float depth = Thresholds.MinBucketSegments * mss;
        for (int i = 0; i < Depths; i++, depth *= DepthStep)
        {
            float mismatch = Mismatch(rate, depth, spans, most);
            ofDepths[i] = mismatch < ofDepths[i].Mismatch ? new(rate, depth, mismatch) : ofDepths[i];
        }
    }

    // Tokens left at the losses, or spent that were not there, of all that the bucket gained before.
    static float Mismatch(float rate, float depth, ReadOnlySpan<LossSpan> spans, ReadOnlySpan<float> most)
    {
        float left = 0;
        float gained = 0;
        for (int i = 0; i < spans.Length; i++)
        {
            float lost = Math.Max(most[i] - depth, 0);
            left += Math.Min(Math.Abs((rate * spans[i].Nanos) - spans[i].Bytes - lost), depth);
            gained += Math.Min(most[i], depth);
        }

        return left / Math.Max(gained, 1);
    }

    readonly record struct Candidate(float Rate, float Depth, float Mismatch);
}
