using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Wire;

namespace TcpDiag.Truth;

/// <summary>
/// What the emulated path did to the segments of a flow, and what follows from it. A retransmission was necessary when the receiver took no
/// earlier copy of it. It does not take what comes with an older timestamp than the segment that last moved its edge
/// (RFC 7323 §5.3, PAWS): an original overtaken by a retransmission is thrown away there.
/// </summary>
sealed class PathTruth
{
    const int PawsWindow = 1; // ticks of reordering that Linux lets pass (TCP_PAWS_WINDOW)

    readonly SequenceSet _received = new();
    long _edge;
    uint _tsRecent;

    /// <summary>Puts the sender's capture and the log of the path together.</summary>
    /// <param name="segments">Everything the sender sent, in order.</param>
    /// <param name="fates">What became of it, in the same order.</param>
    public PathTruth(IReadOnlyList<SentSegment> segments, IReadOnlyList<Fate> fates)
    {
        var sent = segments.Zip(fates).ToList();
        var arrived = sent.Where(pair => pair.Second.Arrival is not null)
            .OrderBy(pair => pair.Second.Arrival!.Value.Nanoseconds).ThenBy(pair => pair.Second.Order).Select(pair => pair.First).ToList();
        HashSet<SentSegment> taken = [.. arrived.Where(Take)];
        var copies = new SequenceSet();
        HashSet<SentSegment> originals = [];
        long max = 0;
        foreach (SentSegment segment in segments)
        {
            if (segment.Length > 0 && segment.Start < max)
            {
                Resent.Add((segment, !copies.Holds(segment.Start, segment.End)));
            }
            else if (segment.Length > 0)
            {
                originals.Add(segment);
            }

            max = long.Max(max, segment.End);
            if (taken.Contains(segment))
            {
                copies.Add(segment.Start, segment.End);
            }
        }

        int syn = sent.FindLastIndex(pair => (pair.First.Flags & TcpFlags.Syn) != 0);
        int last = sent.FindLastIndex(pair => pair.Second.Arrival is not null && IsNumbered(pair.First));
        Lost = sent.Take(last + 1).Skip(syn + 1).Count(pair => pair.Second.Arrival is null);
        SynsResent = Math.Max(segments.Count(segment => (segment.Flags & TcpFlags.Syn) != 0) - 1, 0);
        Reordered = CountLate(arrived.Where(originals.Contains));
    }

    /// <summary>What was sent again, and whether it was necessary.</summary>
    public List<(SentSegment Segment, bool IsNecessary)> Resent { get; } = [];

    /// <summary>SYNs sent again, which the kernel counts as retransmissions.</summary>
    public int SynsResent { get; }

    /// <summary>
    /// Packets that the path dropped, behind the SYN and before the last one that arrived and tells that something is missing before it: the answer of a
    /// connection that has closed (TIME-WAIT) carries no number and no data, so an acknowledgment lost before it leaves no trace.
    /// </summary>
    public long Lost { get; }

    /// <summary>Packets that arrived and that the receiver threw away for their old timestamps.</summary>
    public long Outdated { get; private set; }

    /// <summary>Originals that came after one that was sent later (RFC 4737 §3.3).</summary>
    public long Reordered { get; }

    static bool IsNumbered(SentSegment segment) => segment.IpId != 0 || segment.Length > 0;

    static long CountLate(IEnumerable<SentSegment> originals)
    {
        long nextExpected = 0;
        long late = 0;
        foreach (SentSegment segment in originals)
        {
            late += segment.Start < nextExpected ? 1 : 0;
            nextExpected = long.Max(nextExpected, segment.End);
        }

        return late;
    }

    // The receiver: whether it takes a segment.
    bool Take(SentSegment segment)
    {
        bool isOld = segment.TsVal != 0 && _tsRecent != 0 && unchecked((int)(segment.TsVal - _tsRecent)) < -PawsWindow;
        if (isOld)
        {
            // What it has already is a duplicate, whatever its timestamp: the copy that came first was not needed, or this one was not.
            bool isDuplicate = _received.Holds(segment.Start, segment.End);
            Outdated += isDuplicate ? 0 : 1;
            return isDuplicate;
        }

        // RFC 7323 §4.3; what lies wholly below the edge is not acceptable and changes nothing (RFC 9293 §3.10.7.4).
        _tsRecent = segment.Start <= _edge && segment.End >= _edge ? segment.TsVal : _tsRecent;
        _received.Add(segment.Start, segment.End);
        _edge = _received.EndOfFirst;
        return true;
    }
}
