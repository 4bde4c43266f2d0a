using System;
using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Scores.Congestion;

/// <summary>
/// Where less is in flight than shortly before, and stays so, though nothing was lost or marked and the path goes on to deliver at its best: a sender drains
/// the queue that it made, as BBR does at the end of its startup and of each probe for bandwidth. Whoever waits for losses never has a reason to.
/// </summary>
static class ModelledFalls
{
    const double MaxLevel = 0.85; // of the most in flight in the two rounds before: a probe for bandwidth adds a quarter
    const double MinRate = 0.9; // of the best: a program that slackens lowers the rate as well
    const int MinSegments = 4;
    const int MinSpacing = 6; // rounds: a cycle of BBR's gains has eight

    /// <summary>The rounds with which they began.</summary>
    /// <param name="rounds">The rounds of the sender.</param>
    /// <param name="smss">SMSS, bytes.</param>
    /// <returns>Their first packets.</returns>
    public static IEnumerable<long> Of(IReadOnlyList<WindowRound> rounds, int smss)
    {
        double best = BestRate(rounds);
        int last = -MinSpacing;
        for (int i = 2; i + 1 < rounds.Count && best > 0; i++)
        {
            long before = Math.Max(rounds[i - 1].PeakBytes, rounds[i - 2].PeakBytes);
            if (i - last >= MinSpacing && IsLow(rounds, i, before, smss) && IsLow(rounds, i + 1, before, smss)
                && IsSteady(rounds, i) && rounds[i].Rate >= MinRate * best && rounds[i + 1].Rate >= MinRate * best)
            {
                last = i;
                yield return rounds[i].Packet;
            }
        }
    }

    static bool IsLow(IReadOnlyList<WindowRound> rounds, int i, long before, int smss) =>
        rounds[i].IsHeld && rounds[i].PeakBytes <= MaxLevel * before && before - rounds[i].PeakBytes >= (long)MinSegments * smss;

    // From two rounds before until one behind.
    static bool IsSteady(IReadOnlyList<WindowRound> rounds, int i)
    {
        for (int k = i - 2; k <= i + 1; k++)
        {
            if (!rounds[k].IsClean || rounds[k].Stage != rounds[i].Stage)
            {
                return false;
            }
        }

        return true;
    }

    // The upper quartile: single rounds are cut unevenly.
    static double BestRate(IReadOnlyList<WindowRound> rounds)
    {
        double[] rates = [.. rounds.Where(round => round.IsClean && round.Nanos > 0).Select(round => round.Rate).Order()];
        return rates.Length == 0 ? 0 : rates[rates.Length * 3 / 4];
    }
}

/// <summary>BBR's probes for the smallest round trip: for a fifth of a second and a round trip no more than four segments are in flight, then as many as
/// before.</summary>
static class MinRttProbes
{
    const int MaxSegments = 5; // four, and one that a round's borders add
    const long MinNanos = 150_000_000;
    const long MaxNanos = 600_000_000;

    /// <summary>Whether there was one.</summary>
    /// <param name="rounds">The rounds of the sender.</param>
    /// <param name="smss">SMSS, bytes.</param>
    public static bool Any(IReadOnlyList<WindowRound> rounds, int smss)
    {
        long limit = (long)MaxSegments * smss;
        int first = 2;
        while (first < rounds.Count)
        {
            int end = first;
            long nanos = 0;
            while (end < rounds.Count && rounds[end].PeakBytes <= limit && rounds[end].IsClean)
            {
                nanos += rounds[end++].Nanos;
            }

            // The round before still drains what was in flight; the one behind grows again.
            if (end > first && end + 1 < rounds.Count && nanos is >= MinNanos and <= MaxNanos && rounds[first - 2].PeakBytes >= 3 * limit
                && 2 * Math.Max(rounds[end].PeakBytes, rounds[end + 1].PeakBytes) >= rounds[first - 2].PeakBytes)
            {
                return true;
            }

            first = Math.Max(end, first + 1);
        }

        return false;
    }
}
