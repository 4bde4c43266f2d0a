using System;
using TcpDiag.Analysis.Flows;

namespace TcpDiag.Analysis.Scoreboards;

/// <summary>Segments that came late, and how late (RFC 4737).</summary>
struct ReorderingAccount
{
    /// <summary>So many in a row before a segment that belongs before them make it look lost (RFC 5681 §3.2).</summary>
    public const int DupThresh = 3;

    LateArrival.Few _latest;

    /// <summary>Wire segments that came late.</summary>
    public long Packets;

    /// <summary>Those of them with at least <see cref="DupThresh"/> later segments right before them: 3-reordered (RFC 4737 §5).</summary>
    public long ThreeReordered;

    /// <summary>Most segments that overtook one (RFC 4737 §4.2).</summary>
    public long MaxExtentPackets;

    /// <summary>Most bytes that overtook one (RFC 4737 §4.4).</summary>
    public long MaxExtentBytes;

    /// <summary>Late times (RFC 4737 §4.3), nanoseconds.</summary>
    public RttSamples Extents;

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
}
