using TcpDiag.Analysis.Flows;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Scoreboards;

/// <summary>
/// What acknowledgments say about data above SND.UNA (RFC 2018). Kept are the holes between SACKed data: what is none, up to the highest
/// SACK, has arrived. A hole that is filled though nothing of it was resent was reordering, seen in hindsight.
/// </summary>
/// <param name="resends">The retransmissions.</param>
sealed class SackedData(ResendBook resends)
{
    // A block so far above SND.UNA belongs to something else (RFC 7323 §2.3).
    const int Reach = 1 << 30;

    /// <summary>Takes in a cumulative acknowledgment.</summary>
    /// <param name="acked">The direction acknowledged; its SND.UNA still at the old value.</param>
    /// <param name="board">Its state.</param>
    /// <param name="ack">The new SND.UNA.</param>
    /// <param name="now">When.</param>
    public void OnAdvance(in DirectionState acked, ref Scoreboard board, SequenceNumber ack, in Moment now)
    {
        if (board.Holes.Count > 0)
        {
            _ = Fill(acked, ref board, board.Holes[0].Start, ack, now);
        }

        board.Fack = board.Fack > ack ? board.Fack : ack;
    }

    /// <summary>Takes in a SACK block that is no DSACK.</summary>
    /// <param name="acked">The direction acknowledged.</param>
    /// <param name="board">Its state.</param>
    /// <param name="block">The block.</param>
    /// <param name="now">When.</param>
    /// <returns>Bytes SACKed for the first time.</returns>
    public int OnBlock(in DirectionState acked, ref Scoreboard board, SackBlock block, in Moment now)
    {
        bool isSane = block.Left < block.Right && block.Right > acked.SndUna && block.Right - acked.SndUna < Reach;
        if (!isSane)
        {
            return 0;
        }

        SequenceNumber left = block.Left > acked.SndUna ? block.Left : acked.SndUna;
        SequenceNumber fack = board.Fack;
        if (block.Right <= fack)
        {
            return Fill(acked, ref board, left, block.Right, now);
        }

        int filled = left < fack ? Fill(acked, ref board, left, fack, now) : 0;
        if (left > fack)
        {
            AddHole(ref board, new SackHole { Start = fack, End = left, Since = now.Time });
        }

        SequenceNumber fresh = left > fack ? left : fack;
        board.Fack = block.Right;
        ResendBook.OnArrived(ref board, fresh, block.Right, now);
        return filled + (block.Right - fresh);
    }

    /// <summary>Whether all of a range has been SACKed.</summary>
    /// <param name="board">The direction's state.</param>
    /// <param name="start">First byte; not below SND.UNA.</param>
    /// <param name="end">Behind the last byte.</param>
    /// <returns>True when nothing of it is missing to the receiver's knowledge.</returns>
    public static bool IsSacked(in Scoreboard board, SequenceNumber start, SequenceNumber end)
    {
        if (end > board.Fack)
        {
            return false;
        }

        int index = board.Holes.FirstEndingBehind(start);
        return index == board.Holes.Count || board.Holes[index].Start >= end;
    }

    /// <summary>The receiver has dropped what it had SACKed.</summary>
    /// <param name="board">The direction's state.</param>
    /// <param name="una">SND.UNA.</param>
    public static void Forget(ref Scoreboard board, SequenceNumber una)
    {
        board.Holes.Remove(0, board.Holes.Count);
        board.Fack = una;
    }

    static void AddHole(ref Scoreboard board, in SackHole hole)
    {
        if (board.Holes.IsFull)
        {
            board.Holes.Remove(0, 1);
            board.Overflow++;
        }

        board.Holes.Insert(board.Holes.Count, hole);
    }

    int Fill(in DirectionState acked, ref Scoreboard board, SequenceNumber start, SequenceNumber end, in Moment now)
    {
        int bytes = 0;
        int index = board.Holes.FirstEndingBehind(start);
        while (index < board.Holes.Count && board.Holes[index].Start < end)
        {
            ref SackHole hole = ref board.Holes[index];
            SequenceNumber from = start > hole.Start ? start : hole.Start;
            SequenceNumber to = end < hole.End ? end : hole.End;
            if (to <= from)
            {
                index++; // numbers gone wild
                continue;
            }

            bytes += to - from;
            resends.OnHoleFilled(acked, ref board, new SackHole { Start = from, End = to, Since = hole.Since }, now);
            index += Ranges.Cut(ref board.Holes, index, from, to, ref board.Overflow);
        }

        return bytes;
    }
}
