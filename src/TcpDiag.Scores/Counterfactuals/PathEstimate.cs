using System;
using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Scores.Counterfactuals;

/// <summary>What a path did, as the trace of a sender shows it: its own decisions, without the queue that the sender filled.</summary>
public sealed record PathEstimate
{
    // Fewer tell nothing that a longer transfer would meet again.
    const int MinSegments = 100;

    // A segment that lies beside its place by less may have met a busy host.
    const long MinDisplacedNanos = 1_000_000;
    const int DisplacedPerRtt = 32;

    // The longest waits are those for a delayed acknowledgment.
    const double QueueQuantile = 0.98;

    // What was lost while more than this share of the longest queue stood, and that of a quarter of a round trip, is taken for dropped by the queue.
    const double FullShare = 0.7;
    const double MinQueuePerRtt = 0.25;

    // Of so many segments in a row the third smallest round trip counts: smaller ones may be those of early packets that overtook nothing.
    const int RttSegments = 8;
    const int RttRank = 2;

    /// <summary>Segments that the slowest link lets pass, per ns; 0 where no train of them shows it.</summary>
    public required double SegmentsPerNano { get; init; }

    /// <summary>Round-trip time without a queue, ns.</summary>
    public required long RttNanos { get; init; }

    /// <summary>The longest queue, ns of the slowest link.</summary>
    public required long QueueNanos { get; init; }

    /// <summary>Whether the queue was seen to overflow; else it may hold more.</summary>
    public required bool IsQueueKnown { get; init; }

    /// <summary>Segments whose fate was seen.</summary>
    public required int Segments { get; init; }

    /// <summary>Segments that the path itself lost, by their number in the order of sending, from 0.</summary>
    public required IReadOnlyList<int> Lost { get; init; }

    /// <summary>Segments that came late (or early, negative), by their number: ns.</summary>
    public required IReadOnlyDictionary<int, long> Displaced { get; init; }

    /// <summary>Reads the path from what became of each segment.</summary>
    /// <param name="segments">The segments, in the order of sending.</param>
    /// <returns>Null of fewer than 100 segments, and where next to nothing arrived.</returns>
    internal static PathEstimate? Of(IReadOnlyList<SegmentFate> segments)
    {
        if (segments.Count < MinSegments)
        {
            return null;
        }

        int[] arrived = [.. Enumerable.Range(0, segments.Count).Where(i => segments[i].Kind == FateKind.Delivered)];
        int[] kept = [.. InOrder.Of([.. arrived.Select(i => segments[i].Delivered.Nanoseconds)]).Select(at => arrived[at])];
        if (kept.Length < RttSegments)
        {
            return null;
        }

        long rtt = BaseRttOf([.. kept.Select(i => RttOf(segments[i]))]);
        long minDisplaced = Math.Max(MinDisplacedNanos, rtt / DisplacedPerRtt);
        kept = [.. kept.Where(i => RttOf(segments[i]) > rtt - minDisplaced)];
        long queue = kept.Select(i => RttOf(segments[i])).Order().ElementAt((int)(QueueQuantile * (kept.Length - 1))) - rtt;
        long full = (long)Math.Max(FullShare * queue, MinQueuePerRtt * rtt);
        int[] lost = [.. Enumerable.Range(0, segments.Count).Where(i => segments[i].Kind == FateKind.Lost)];
        int[] own = [.. lost.Where(i => RttAt(segments, kept, i) - rtt < full)];
        return new PathEstimate
        {
            SegmentsPerNano = BottleneckRate.Of(segments, kept),
            RttNanos = rtt,
            QueueNanos = queue,
            IsQueueKnown = own.Length < lost.Length,
            Segments = segments.Count,
            Lost = own,
            Displaced = DisplacedOf(segments, arrived, kept, minDisplaced),
        };
    }

    static long BaseRttOf(ReadOnlySpan<long> rtts)
    {
        long min = long.MaxValue;
        Span<long> some = stackalloc long[RttSegments];
        for (int i = 0; i + RttSegments <= rtts.Length; i++)
        {
            rtts.Slice(i, RttSegments).CopyTo(some);
            some.Sort();
            min = Math.Min(min, some[RttRank]);
        }

        return min;
    }

    static long RttOf(in SegmentFate segment) => segment.Delivered - segment.Sent;

    // The longer round trip of the two beside it that kept their order.
    static long RttAt(IReadOnlyList<SegmentFate> segments, int[] kept, int index)
    {
        int at = ~Array.BinarySearch(kept, index);
        return Math.Max(RttOf(segments[kept[Math.Max(at - 1, 0)]]), RttOf(segments[kept[Math.Min(at, kept.Length - 1)]]));
    }

    static Dictionary<int, long> DisplacedOf(IReadOnlyList<SegmentFate> segments, int[] arrived, int[] kept, long minDisplaced)
    {
        Dictionary<int, long> displaced = [];
        foreach (int index in arrived)
        {
            int at = Array.BinarySearch(kept, index);
            if (at >= 0)
            {
                continue;
            }

            // Its place is between its neighbours that kept theirs.
            int before = kept[Math.Max(~at - 1, 0)];
            int behind = kept[Math.Min(~at, kept.Length - 1)];
            double share = behind > before ? (double)(index - before) / (behind - before) : 0;
            long place = segments[before].Delivered.Nanoseconds + (long)(share * (segments[behind].Delivered - segments[before].Delivered));
            long nanos = segments[index].Delivered.Nanoseconds - place;
            if (Math.Abs(nanos) >= minDisplaced)
            {
                displaced.Add(index, nanos);
            }
        }

        return displaced;
    }
}
