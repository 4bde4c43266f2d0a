using TcpDiag.Wire;

namespace TcpDiag.Analysis.Scoreboards;

/// <summary>Ranges that were jumped over at the capture point and may still come.</summary>
static class MissingData
{
    // So far behind SND.MAX nothing comes any more: no window reaches back there (RFC 7323 §2.3).
    const int Reach = 1 << 30;

    /// <summary>Remembers a hole between what was sent before and a segment behind it.</summary>
    /// <param name="board">The direction's state.</param>
    /// <param name="hole">The hole; it lies above all others.</param>
    public static void Add(ref Scoreboard board, in SequenceHole hole)
    {
        ref RangeList<SequenceHole> holes = ref board.Missing;
        while (holes.Count > 0 && (holes.IsFull || hole.End - holes[0].End > Reach))
        {
            board.Overflow += holes.IsFull ? 1 : 0;
            holes.Remove(0, 1);
        }

        holes.Insert(holes.Count, hole);
    }

    /// <summary>Takes a range out of the holes.</summary>
    /// <param name="board">The direction's state.</param>
    /// <param name="start">First byte.</param>
    /// <param name="end">Behind the last byte.</param>
    /// <param name="origin">How the first hole touched had shown.</param>
    /// <returns>Bytes that were missing until now.</returns>
    public static int Fill(ref Scoreboard board, SequenceNumber start, SequenceNumber end, out HoleOrigin origin)
    {
        ref RangeList<SequenceHole> holes = ref board.Missing;
        int bytes = 0;
        origin = default;
        int index = holes.FirstEndingBehind(start);
        while (index < holes.Count && holes[index].Start < end)
        {
            ref SequenceHole hole = ref holes[index];
            origin = bytes == 0 ? hole.Origin : origin;
            SequenceNumber from = start > hole.Start ? start : hole.Start;
            SequenceNumber to = end < hole.End ? end : hole.End;
            if (to <= from)
            {
                index++; // numbers gone wild
                continue;
            }

            bytes += to - from;
            index += Ranges.Cut(ref holes, index, from, to, ref board.Overflow);
        }

        return bytes;
    }

    /// <summary>Forgets what lies below an acknowledgment: it arrived without being captured.</summary>
    /// <param name="board">The direction's state.</param>
    /// <param name="ack">The cumulative acknowledgment.</param>
    /// <returns>Bytes that were missing.</returns>
    public static int DropBelow(ref Scoreboard board, SequenceNumber ack) =>
        board.Missing.Count == 0 ? 0 : Fill(ref board, board.Missing[0].Start, ack, out _);
}
