using System.Collections.Generic;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Scoreboards;

/// <summary>
/// Acknowledgments that tell nothing at all. The receiver had to send such a one for a segment that it had already (RFC 9293 §3.10.7.4), and new data would show in a SACK block; but with
/// timestamps it answers new data like this as well whose timestamp is older than the latest (PAWS, RFC 7323 §5.3): data that a segment sent again has overtaken. That is excluded when nothing
/// is open any more that was sent before what the acknowledgment echoes. Else originals tell themselves by coming as late behind their successors as others of this path have; what that does not
/// decide stays unknown.
/// </summary>
static class RepeatJudge
{
    // So many round trips behind the acknowledgment of its retransmission an original comes at most.
    const int MostRoundTrips = 2;

    const int MostRepeats = 64; // of the same two seconds

    /// <summary>Takes in such an acknowledgment.</summary>
    /// <param name="board">The direction's state.</param>
    /// <param name="echo">Its TSecr; 0 without timestamps.</param>
    /// <param name="now">When it passed.</param>
    /// <param name="roundTrip">A whole round trip, nanoseconds.</param>
    /// <param name="isGrown">Whether its window has grown.</param>
    public static void OnRepeat(ref Scoreboard board, uint echo, in Moment now, long roundTrip, bool isGrown)
    {
        if (isGrown && !CanBeAnswer(ref board, now, roundTrip))
        {
            return;
        }

        board.Repeats ??= [];
        if (board.Repeats.Count == MostRepeats)
        {
            board.UnexplainedRepeats += isGrown ? 0 : 1; // so many that none proves anything
            board.UnexplainedUpdates += isGrown ? 1 : 0;
            return;
        }

        board.Repeats.Add(new(now.Time, now.LeastRtt, roundTrip, echo != 0 && IsAnyOpen(board, echo), isGrown));
    }

    /// <summary>
    /// Decides what they answered, before the first of the segments concerned is settled: what is known to be a duplicate, or the original of what was acknowledged before. That one came first, and was
    /// not needed.
    /// </summary>
    /// <param name="board">The direction's state.</param>
    public static void Conclude(ref Scoreboard board)
    {
        if (board.Repeats is not { Count: > 0 } repeats)
        {
            return;
        }

        RangeList<Resend> resends = board.Resends; // the same array
        ForgetTooSoon(resends, board.LeastRtt);
        _ = repeats.RemoveAll(repeat => Mark(resends, FindDuplicate(resends, repeat), repeat));
        board.Lateness = LatenessMatch.Mark(resends, repeats, board.Lateness);
        _ = repeats.RemoveAll(repeat => !repeat.MayBeNew && Mark(resends, FindLatest(resends, repeat), repeat));
        board.UnexplainedRepeats += repeats.FindAll(static repeat => repeat is { MayBeNew: false, IsGrown: false }).Count;
        board.UnexplainedUpdates += repeats.FindAll(static repeat => repeat is { MayBeNew: false, IsGrown: true }).Count;
        MarkUndecided(resends, repeats);
        repeats.Clear();
    }

    /// <summary>Whether an acknowledgment may answer the original of a segment sent again, which came behind that.</summary>
    /// <param name="resend">The segment sent again.</param>
    /// <param name="repeat">The acknowledgment.</param>
    /// <returns>True when it may.</returns>
    public static bool CanBeOriginal(in Resend resend, in Repeat repeat)
    {
        long age = repeat.Time - resend.AckedTime;
        return IsFree(resend) && !IsDuplicate(resend) && age >= 0 && age <= MostRoundTrips * repeat.RoundTrip;
    }

    /// <summary>Whether an acknowledgment may answer the original of a segment sent again that the receiver threw away as too old, before that segment came.</summary>
    /// <param name="resend">The segment sent again.</param>
    /// <param name="repeat">The acknowledgment.</param>
    /// <returns>True when it may.</returns>
    public static bool IsOpen(in Resend resend, in Repeat repeat) => repeat.MayBeNew && resend.AckedTime > repeat.Time;

    /// <summary>Whether the original of a segment sent again is known to have come first.</summary>
    /// <param name="resend">The segment sent again.</param>
    /// <returns>True when it is.</returns>
    public static bool IsDuplicate(in Resend resend) => resend.Is(ResendMarks.IsOutdated | ResendMarks.IsTooSoon);

    /// <summary>Notes that a segment was answered.</summary>
    /// <param name="resends">All of them.</param>
    /// <param name="index">Its position; negative for none.</param>
    /// <param name="repeat">The acknowledgment.</param>
    /// <returns>False when there was none.</returns>
    public static bool Mark(in RangeList<Resend> resends, int index, in Repeat repeat)
    {
        if (index < 0)
        {
            return false;
        }

        resends[index].Marks |= repeat.IsGrown ? ResendMarks.IsUpdateAnswered : ResendMarks.IsRepeatAnswered;
        return true;
    }

    // Where nothing was sent again lately, a grown window was all it told: then this receiver tells of windows alone, and such acknowledgments are no answers.
    static bool CanBeAnswer(ref Scoreboard board, in Moment now, long roundTrip)
    {
        bool isLate = now.Time - board.ResendAckedTime > MostRoundTrips * roundTrip;
        board.UnexplainedUpdates += isLate && board.Holes.Count == 0 ? 1 : 0;
        return board.UnexplainedUpdates == 0;
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

    // What is left may answer the original of what was acknowledged last, or new data.
    static void MarkUndecided(in RangeList<Resend> resends, List<Repeat> repeats)
    {
        foreach (Repeat repeat in repeats)
        {
            int latest = repeat is { MayBeNew: true, IsGrown: false } ? FindLatest(resends, repeat) : -1;
            if (latest >= 0)
            {
                resends[latest].Marks |= ResendMarks.MayBeAnswered;
            }
        }
    }

    static void ForgetTooSoon(in RangeList<Resend> resends, long leastRtt)
    {
        for (int i = 0; i < resends.Count; i++)
        {
            resends[i].Marks &= resends[i].WasTooSoon(leastRtt) ? ~ResendMarks.None : ~ResendMarks.IsTooSoon;
        }
    }

    static int FindDuplicate(in RangeList<Resend> resends, in Repeat repeat)
    {
        int first = -1;
        for (int i = 0; i < resends.Count; i++)
        {
            ref readonly Resend resend = ref resends[i];
            long age = repeat.Time - resend.Time;
            bool canBe = IsFree(resend) && IsDuplicate(resend) && age >= repeat.LeastRtt && age <= MostRoundTrips * repeat.RoundTrip;
            first = canBe && (first < 0 || resend.Time < resends[first].Time) ? i : first;
        }

        return first;
    }

    // The less late an original is, the likelier.
    static int FindLatest(in RangeList<Resend> resends, in Repeat repeat)
    {
        int latest = -1;
        for (int i = 0; i < resends.Count; i++)
        {
            bool canBe = CanBeOriginal(resends[i], repeat) && repeat.Time - resends[i].AckedTime <= repeat.RoundTrip;
            latest = canBe && (latest < 0 || resends[i].AckedTime > resends[latest].AckedTime) ? i : latest;
        }

        return latest;
    }

    static bool IsFree(in Resend resend) => resend.Is(ResendMarks.IsAcked) && !resend.Is(ResendMarks.IsRepeatAnswered | ResendMarks.IsUpdateAnswered);
}
