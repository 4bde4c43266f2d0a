using System;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Scoreboards;

/// <summary>
/// Acknowledgments that tell nothing at all. The receiver had to send such a one for a segment that it had already (RFC 9293 §3.10.7.4), and new data would show in a SACK block; but with
/// timestamps it answers new data like this as well whose timestamp is older than the latest (PAWS, RFC 7323 §5.3): data that a segment sent again has overtaken. That is excluded when nothing
/// is open any more that was sent before what the acknowledgment echoes. Else an original tells itself by coming as late behind its successors as others of this path have.
/// </summary>
static class RepeatJudge
{
    // Originals of one path are equally late when they differ by less than one part of so many.
    const int Alike = 50;

    /// <summary>
    /// Takes in such an acknowledgment. It answers what is known to be a duplicate, or the original of what was acknowledged within a round trip before: that one came first, and was not needed.
    /// </summary>
    /// <param name="board">The direction's state.</param>
    /// <param name="echo">Its TSecr; 0 without timestamps.</param>
    /// <param name="now">When it passed.</param>
    /// <param name="roundTrip">A whole round trip, nanoseconds.</param>
    public static void OnRepeat(ref Scoreboard board, uint echo, in Moment now, long roundTrip)
    {
        bool mayBeNew = echo != 0 && IsAnyOpen(board, echo);
        int answered = mayBeNew ? FindLate(ref board, now, roundTrip) : Find(board, now, roundTrip);
        if (answered >= 0)
        {
            board.Resends[answered].Marks |= ResendMarks.IsRepeatAnswered;
        }

        board.UnexplainedRepeats += answered < 0 && !mayBeNew ? 1 : 0;
    }

    // Only data that was sent before the latest segment at the left edge, and has not arrived, can be too old for the receiver; behind originals nothing at the edge is missing.
    static bool IsAnyOpen(in Scoreboard board, uint echo)
    {
        SequenceNumber before = board.Fack;
        bool isOlder = false;
        for (int i = 0; i < board.Resends.Count; i++)
        {
            ref readonly Resend resend = ref board.Resends[i];
            if (resend.Is(ResendMarks.HasTsVal) && unchecked((int)(resend.TsVal - echo)) <= 0)
            {
                isOlder |= board.Holes.Count > 0 && board.Holes[0].Start < resend.SentMax;
                before = resend.SentMax > before ? resend.SentMax : before;
            }
        }

        return isOlder || before > board.Fack;
    }

    static int Find(in Scoreboard board, in Moment now, long roundTrip)
    {
        int answered = -1;
        for (int i = 0; i < board.Resends.Count; i++)
        {
            ref readonly Resend resend = ref board.Resends[i];
            if (CanBe(resend, now, roundTrip) && (answered < 0 || IsBetter(resend, board.Resends[answered])))
            {
                answered = i;
            }
        }

        return answered;
    }

    // A known duplicate; or the one whose original is as late as others were.
    static int FindLate(ref Scoreboard board, in Moment now, long roundTrip)
    {
        int answered = Find(board, now, roundTrip);
        if (answered < 0 || IsDuplicate(board.Resends[answered]))
        {
            return answered;
        }

        int alike = FindAlike(board, now, roundTrip, board.Lateness);
        if (alike < 0 && (alike = FindAlike(board, now, roundTrip, board.RepeatLateness)) >= 0)
        {
            board.Lateness = board.RepeatLateness;
            MarkEarlier(ref board);
        }

        if (alike < 0)
        {
            board.RepeatLateness = LatenessOf(board.Resends[answered], now);
            board.RepeatPacket = board.Resends[answered].Packet;
        }

        return alike;
    }

    static int FindAlike(in Scoreboard board, in Moment now, long roundTrip, long lateness)
    {
        int alike = -1;
        long least = lateness / Alike;
        for (int i = 0; i < board.Resends.Count; i++)
        {
            ref readonly Resend resend = ref board.Resends[i];
            long difference = LatenessOf(resend, now) - lateness;
            bool isCloser = difference > -least && difference < least;
            if (resend.Is(ResendMarks.WasSackHole) && isCloser && CanBe(resend, now, roundTrip))
            {
                alike = i;
                least = Math.Abs(difference);
            }
        }

        for (int i = 0; i < board.Holes.Count; i++)
        {
            bool isAsLate = TraceTime.Distance(now.Time, board.Holes[i].Since + lateness) <= least;
            alike = isAsLate ? -1 : alike; // it may as well be what is open
        }

        return alike;
    }

    static void MarkEarlier(ref Scoreboard board)
    {
        for (int i = 0; i < board.Resends.Count; i++)
        {
            board.Resends[i].Marks |= board.Resends[i].Packet == board.RepeatPacket ? ResendMarks.IsRepeatAnswered : ResendMarks.None;
        }
    }

    static long LatenessOf(in Resend resend, in Moment now) => now.Time - resend.HoleTime;

    static bool IsDuplicate(in Resend resend) => resend.Is(ResendMarks.IsOutdated | ResendMarks.IsTooSoon);

    static bool CanBe(in Resend resend, in Moment now, long roundTrip)
    {
        bool isDuplicate = IsDuplicate(resend);
        long age = now.Time - (isDuplicate ? resend.Time : resend.AckedTime);
        return resend.Is(ResendMarks.IsAcked) && !resend.Is(ResendMarks.IsRepeatAnswered)
            && (isDuplicate ? age >= now.LeastRtt && age <= 2 * roundTrip : age >= 0 && age <= roundTrip);
    }

    // A known duplicate before others, then what was acknowledged last: the less late an original is, the likelier.
    static bool IsBetter(in Resend resend, in Resend other)
    {
        bool isDuplicate = IsDuplicate(resend);
        return isDuplicate != IsDuplicate(other) ? isDuplicate : resend.AckedTime > other.AckedTime;
    }
}
