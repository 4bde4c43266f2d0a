using System;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Analysis.Timelines;

/// <summary>How long a transfer took to come near the rate it reached.</summary>
public static class RateRise
{
    const double Near = 0.9;
    const int MinRoundTrips = 4; // fewer are the handshake's first windows, whatever the path gives

    // 16 MB of counts: an hour at 2 ms; what is longer is looked at in longer steps.
    const int MaxRoundTrips = 1 << 21;

    /// <summary>
    /// From the first data to the first of two round trips in a row that both held nine tenths of the highest rate that any two in a row did.
    /// </summary>
    /// <param name="data">The data's direction over time.</param>
    /// <param name="rtt">Its round trips.</param>
    /// <returns>Nanoseconds; null where there were fewer than four round trips.</returns>
    public static long? Of(DirectionTimeline data, in RttSummary rtt)
    {
        ReadOnlySpan<TrackPoint> acked = data.Acked.Items;
        if (rtt.Samples == 0 || acked.Length < 2 || data.Sent.Items is not [var first, ..])
        {
            return null;
        }

        int start = 0;
        while (start < acked.Length - 1 && acked[start].Max <= first.First)
        {
            start++; // of the handshake
        }

        acked = acked[start..];
        long length = acked[^1].Time + acked[^1].Span - acked[0].Time;
        long step = Math.Max(Math.Max(rtt.Median, 1), length / MaxRoundTrips);
        long count = (length / step) + 1;
        return count < MinRoundTrips ? null : acked[0].Time - first.Time + (RiseOf(Bytes(acked, first.First, step, (int)count)) * step);
    }

    // Round trips begin with the first acknowledgment: what comes back in one had been sent in the one before.
    static long[] Bytes(ReadOnlySpan<TrackPoint> acked, long before, long step, int count)
    {
        long[] bytes = new long[count];
        foreach (ref readonly TrackPoint point in acked)
        {
            long end = point.Time + point.Span;
            bytes[(int)Math.Clamp((end - acked[0].Time) / step, 0, count - 1)] += Math.Max(point.Max - before, 0);
            before = Math.Max(before, point.Max);
        }

        return bytes;
    }

    static int RiseOf(long[] bytes)
    {
        long best = 0;
        for (int i = 1; i < bytes.Length; i++)
        {
            best = Math.Max(best, Math.Min(bytes[i - 1], bytes[i]));
        }

        int rise = 0;
        while (Math.Min(bytes[rise], bytes[rise + 1]) < Near * best)
        {
            rise++;
        }

        return rise;
    }
}
