using System;
using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Memory;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Sender;

/// <summary>What the path reordered of one end's data.</summary>
struct Reordering
{
    /// <summary>Originals that came late to the capture point (RFC 4737).</summary>
    public ReorderedCounts Arrived;

    /// <summary>Holes between SACKed data that were filled without a necessary retransmission.</summary>
    public ReorderedCounts Filled;
}

/// <summary>Segments that came late, and how late (RFC 4737).</summary>
struct ReorderedCounts
{
    /// <summary>So many in a row before a segment that belongs before them make it look lost (RFC 5681 §3.2).</summary>
    const int DupThresh = 3;

    LatestArrivals _latest;

    /// <summary>Wire segments that came late.</summary>
    public long Packets;

    /// <summary>How late they came (RFC 4737 §4.3), nanoseconds.</summary>
    public DurationSet Extents;

    /// <summary>Those of them with at least <see cref="DupThresh"/> later segments right before them: 3-reordered (RFC 4737 §5).</summary>
    public long ThreeReordered { get; private set; }

    /// <summary>Most segments that overtook one (RFC 4737 §4.2).</summary>
    public long MaxExtentPackets { get; private set; }

    /// <summary>Most bytes that overtook one (RFC 4737 §4.4).</summary>
    public long MaxExtentBytes { get; private set; }

    /// <summary>Counts an original that came late.</summary>
    /// <param name="late">The segment.</param>
    /// <param name="before">Originals that had passed before the first that overtook it.</param>
    /// <param name="bytes">Bytes that overtook it.</param>
    public void Add(LateArrival late, long before, long bytes)
    {
        bool isThreeReordered = late.Arrival - before > DupThresh;
        foreach (LateArrival other in _latest)
        {
            bool isInBetween = other.Arrival >= late.Arrival - DupThresh && other.Arrival > 0 && other.Start < late.Start;
            isThreeReordered &= !isInBetween;
        }

        _latest[(int)(Packets % DupThresh)] = late;
        Packets++;
        ThreeReordered += isThreeReordered ? 1 : 0;
        MaxExtentPackets = Math.Max(MaxExtentPackets, late.Arrival - before - 1);
        MaxExtentBytes = Math.Max(MaxExtentBytes, bytes);
    }

    /// <summary>The latest few: enough to know whether so many segments in a row overtook another.</summary>
    [InlineArray(DupThresh)]
    struct LatestArrivals
    {
        LateArrival _first;
    }
}

/// <summary>An original that came late.</summary>
/// <param name="Arrival">Its position among the originals that passed the capture point, from 1.</param>
/// <param name="Start">Its first number.</param>
readonly record struct LateArrival(long Arrival, SequenceNumber Start);
