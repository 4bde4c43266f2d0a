using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using TcpDiag.Simulator.Senders;
using TcpDiag.Tcp.Loss;
using TcpDiag.Wire;

namespace TcpDiag.Scores.Losses;

/// <summary>
/// Keeps the holes of a sender in ascending order, and by when each candidate would have declared them lost. The windows of RACK all count from the same
/// instant, so one walk over the reference's scoreboard serves all candidates.
/// </summary>
sealed class HoleTracker
{
    readonly List<Hole> _holes = [];

    /// <summary>Holes there are.</summary>
    public int Count => _holes.Count;

    /// <summary>Takes the hole of a segment out, if it is one.</summary>
    /// <param name="endSeq">Behind its last byte.</param>
    /// <param name="hole">The hole.</param>
    /// <returns>Whether it is one.</returns>
    public bool TryTake(SequenceNumber endSeq, out Hole hole)
    {
        int index = Find(endSeq);
        if (index == _holes.Count || _holes[index].EndSeq != endSeq)
        {
            hole = default;
            return false;
        }

        hole = _holes[index];
        _holes.RemoveAt(index);
        return true;
    }

    /// <summary>Whether the reference had declared any of them lost at an instant.</summary>
    public bool HasDeclared(TraceTime time)
    {
        foreach (ref readonly Hole hole in CollectionsMarshal.AsSpan(_holes))
        {
            if (hole.SeenBy(Candidate.Reference) <= time)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>
    /// An original arrived. Where a candidate had declared it lost but had no chance yet to send it again, it undoes that recovery, and what it declared lost
    /// besides counts no more.
    /// </summary>
    /// <param name="filled">What arrived.</param>
    /// <param name="since">From when on nothing was sent, or can have been.</param>
    public void Undo(in Hole filled, TraceTime since)
    {
        for (Candidate candidate = Candidate.DuplicateAcks; (int)candidate < Instants.Count; candidate++)
        {
            if (filled.WasSeenSince(candidate, since))
            {
                Unmark(candidate, since);
            }
        }
    }

    /// <summary>Looks at what was overtaken by now.</summary>
    /// <param name="reference">The reference, behind an acknowledgment.</param>
    /// <param name="windows">The candidates' windows.</param>
    /// <param name="isRecovering">Whether the sender repairs a loss.</param>
    /// <param name="now">The time.</param>
    /// <param name="smss">SMSS in bytes.</param>
    public void Update(Sender reference, in WindowNanos windows, bool isRecovering, TraceTime now, int smss)
    {
        Scoreboard board = reference.Board;
        ref readonly RackState rack = ref reference.Detector.Rack;
        SackedAbove above = SackedAbove.All(board);
        TraceTime? oldest = OldestDelivered(board);
        int at = 0;
        for (int i = 0; i < board.Count; i++)
        {
            ref readonly SentSegment segment = ref board[i];
            if (segment.IsSacked)
            {
                above.Pass(board, i);
                continue;
            }

            if (rack.LossTime(segment.Rack, reoWndNanos: 0) is not { } windowStart || IsTie(segment, rack))
            {
                if (!segment.Rack.IsRetransmitted)
                {
                    break;
                }

                continue;
            }

            ref Hole hole = ref At(ref at, segment.Rack, isLowest: i == 0, now);
            hole.WindowStart = windowStart;
            hole.WasInRecovery |= isRecovering;
            hole.SackedAbove = Math.Max(hole.SackedAbove, above.Segments);
            Declare(ref hole, windows, above.IsLost(smss), now, oldest is { } sent ? segment.Rack.XmitTime + (now - sent) : TraceTime.Latest);
        }
    }

    void Unmark(Candidate candidate, TraceTime since)
    {
        foreach (ref Hole hole in CollectionsMarshal.AsSpan(_holes))
        {
            if (hole.WasSeenSince(candidate, since))
            {
                hole.Unmark(candidate);
            }
        }
    }

    // As in the reference: where a clock stands still, new data of the same instant may have gone out before a retransmission.
    static bool IsTie(in SentSegment segment, in RackState rack) => segment.Rack.IsRetransmitted && segment.Rack.XmitTime == rack.XmitTime;

    // Which of the segments that an acknowledgment delivers gives RACK.rtt differs: RFC 8985 §6.2 step 2 takes the one sent last, Linux the last of a walk over
    // what is SACKed and then over what is acknowledged. By the one sent first, lateStart, every stack sees a loss; at an acknowledgment that delivers no
    // original Linux does not look.
    static void Declare(ref Hole hole, in WindowNanos windows, bool isLostByCount, TraceTime now, TraceTime lateStart)
    {
        TraceTime start = hole.WindowStart;
        bool isLookedAt = lateStart < TraceTime.Latest;
        bool isLost = isLostByCount && !hole.WasRetransmitted;
        hole.Declare(Candidate.Reference, start + windows.Reference, start + windows.Reference <= now, now);
        hole.Declare(Candidate.DuplicateAcks, isLost ? now : TraceTime.Latest, isLost, now);
        hole.Declare(Candidate.FixedSoonest, start + windows.FixedSoonest, isSeen: false, now);
        hole.Declare(Candidate.FixedLatest, start + windows.FixedLatest, isLookedAt && lateStart + windows.FixedLatest <= now, now);
        hole.Declare(Candidate.AdaptiveSoonest, start + windows.AdaptiveSoonest, isSeen: false, now);
        hole.Declare(Candidate.AdaptiveLatest, start + windows.AdaptiveLatest, isLookedAt && lateStart + windows.AdaptiveLatest <= now, now);
    }

    static TraceTime? OldestDelivered(Scoreboard board)
    {
        TraceTime? oldest = null;
        foreach (ref readonly RackSegment segment in board.Delivered)
        {
            if (!segment.IsRetransmitted && (oldest is not { } other || segment.XmitTime < other))
            {
                oldest = segment.XmitTime;
            }
        }

        return oldest;
    }

    // Scoreboard and holes are both in ascending order: where the walk is in the one, it is in the other.
    ref Hole At(ref int at, in RackSegment segment, bool isLowest, TraceTime now)
    {
        while (at < _holes.Count && _holes[at].EndSeq < segment.EndSeq)
        {
            at++;
        }

        if (at == _holes.Count || _holes[at].EndSeq != segment.EndSeq)
        {
            _holes.Insert(at, Hole.Begin(segment, isLowest, now));
        }

        return ref CollectionsMarshal.AsSpan(_holes)[at];
    }

    int Find(SequenceNumber endSeq)
    {
        int low = 0;
        int high = _holes.Count;
        while (low < high)
        {
            int middle = (low + high) / 2;
            (low, high) = _holes[middle].EndSeq < endSeq ? (middle + 1, high) : (low, middle);
        }

        return low;
    }

    // What is SACKed above a segment: all that is, less what lies below (RFC 6675 §4).
    ref struct SackedAbove
    {
        int _ranges;
        long _bytes;

        public int Segments { get; private set; }

        public static SackedAbove All(Scoreboard board)
        {
            SackedAbove above = new() { Segments = board.SackedSegments, _bytes = board.SackedBytes };
            for (int i = 0; i < board.Count && board.SackedSegments > 0; i++)
            {
                above._ranges += board[i].IsSacked && (i == 0 || !board[i - 1].IsSacked) ? 1 : 0;
            }

            return above;
        }

        public void Pass(Scoreboard board, int index)
        {
            Segments--;
            _bytes -= board[index].Bytes;
            _ranges -= index + 1 == board.Count || !board[index + 1].IsSacked ? 1 : 0;
        }

        public readonly bool IsLost(int smss) => SackLoss.IsLost(_ranges, _bytes, smss);
    }
}
