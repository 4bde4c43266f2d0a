using System.Collections.Generic;
using TcpDiag.Wire;

namespace TcpDiag.Probe.Receiving;

/// <summary>
/// What a receiver holds and how it reports it: the cumulative acknowledgment, SACK blocks with the latest first (RFC 2018 §4), and a duplicate as DSACK
/// (RFC 2883 §4). A segment of which only a part is held already reports no duplicate.
/// </summary>
/// <param name="first">Sequence number of the first byte of data.</param>
sealed class Reassembly(SequenceNumber first)
{
    readonly List<SackBlock> _ranges = []; // apart from each other, the latest changed first

    /// <summary>RCV.NXT.</summary>
    public SequenceNumber RcvNxt { get; private set; } = first;

    /// <summary>The number behind the last byte that arrived.</summary>
    public SequenceNumber Highest { get; private set; } = first;

    /// <summary>Whether something is missing below what arrived.</summary>
    public bool HasHole => _ranges.Count > 0;

    /// <summary>The duplicate that the latest arrival was; null when it was none.</summary>
    public SackBlock? Duplicate { get; private set; }

    /// <summary>Takes in a segment.</summary>
    /// <param name="seq">Its first byte.</param>
    /// <param name="end">The number behind its last byte.</param>
    public void OnArrival(SequenceNumber seq, SequenceNumber end)
    {
        Duplicate = IsHeld(seq, end) ? new SackBlock(seq, end) : null;
        if (Duplicate is not null)
        {
            return;
        }

        Highest = end > Highest ? end : Highest;
        SackBlock block = Merge(new SackBlock(seq > RcvNxt ? seq : RcvNxt, end));
        if (block.Left > RcvNxt)
        {
            _ranges.Insert(0, block);
        }
        else
        {
            RcvNxt = block.Right;
        }
    }

    /// <summary>Puts the blocks of an acknowledgment into it.</summary>
    /// <param name="segment">The acknowledgment.</param>
    /// <param name="withDuplicate">Whether a duplicate is reported.</param>
    public void Report(ref ProbeSegment segment, bool withDuplicate)
    {
        if (withDuplicate && Duplicate is { } duplicate)
        {
            segment.Add(duplicate);
        }

        foreach (SackBlock range in _ranges)
        {
            segment.Add(range);
        }
    }

    bool IsHeld(SequenceNumber seq, SequenceNumber end) =>
        end <= RcvNxt || _ranges.Exists(range => seq >= range.Left && end <= range.Right);

    // Takes out every range that touches the block, and returns what they make together.
    SackBlock Merge(SackBlock block)
    {
        for (int i = _ranges.Count - 1; i >= 0; i--)
        {
            SackBlock range = _ranges[i];
            if (range.Left <= block.Right && range.Right >= block.Left)
            {
                block = new SackBlock(range.Left < block.Left ? range.Left : block.Left, range.Right > block.Right ? range.Right : block.Right);
                _ranges.RemoveAt(i);
            }
        }

        return block;
    }
}
