using System;
using TcpDiag.Analysis.Flows;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Scoreboards;

/// <summary>
/// The segments sent again, and whether that was needed. Each is kept until its data is acknowledged and a duplicate of it would
/// have been reported: a DSACK (RFC 3708), or an acknowledgment that came too early or echoes an older timestamp
/// (RFC 3522), shows it needless; without one it was necessary.
/// </summary>
/// <param name="durations">Takes the extents of reordering.</param>
/// <param name="follower">Who gets the verdicts.</param>
sealed class ResendBook(RttRecorder durations, ILedgerFollower follower)
{
    /// <summary>So long after a resending its duplicate has been reported, if ever; nanoseconds.</summary>
    public const long Patience = 2_000_000_000;

    // More samples of one instant would say no more about the median.
    const int MostSamplesAtOnce = 64;

    /// <summary>Books a segment sent again.</summary>
    /// <param name="board">The direction's state.</param>
    /// <param name="resend">The segment.</param>
    public void Add(ref Scoreboard board, in Resend resend)
    {
        ref RangeList<Resend> list = ref board.Resends;
        if (list.IsFull)
        {
            board.Overflow++;
            Settle(ref board, list[0]);
            list.Remove(0, 1);
        }

        board.ResendsEnd = list.Count == 0 || resend.End > board.ResendsEnd ? resend.End : board.ResendsEnd;
        board.LongestResend = Math.Max(board.LongestResend, resend.End - resend.Start);
        list.Insert(list.FirstBeginningBehind(resend.Start), resend);
        board.FirstResendTime = list[0].Time;
    }

    /// <summary>The latest resending of any of a range.</summary>
    /// <param name="board">The direction's state.</param>
    /// <param name="start">First byte.</param>
    /// <param name="end">Behind the last byte.</param>
    /// <returns>Its position, or −1.</returns>
    public static int FindLatest(in Scoreboard board, SequenceNumber start, SequenceNumber end)
    {
        int latest = -1;
        for (int i = First(board, start); i < board.Resends.Count && board.Resends[i].Start < end; i++)
        {
            bool isLater = latest < 0 || board.Resends[i].Time >= board.Resends[latest].Time;
            latest = board.Resends[i].End > start && isLater ? i : latest;
        }

        return latest;
    }

    /// <summary>Data was acknowledged or SACKed for the first time.</summary>
    /// <param name="board">The direction's state.</param>
    /// <param name="start">First byte.</param>
    /// <param name="end">Behind the last byte.</param>
    /// <param name="now">When the acknowledgment passed.</param>
    public static void OnArrived(ref Scoreboard board, SequenceNumber start, SequenceNumber end, in Moment now)
    {
        for (int i = FirstAhead(board, start); i < board.Resends.Count && board.Resends[i].Start < end; i++)
        {
            if (board.Resends[i].End > start)
            {
                Acknowledge(ref board, ref board.Resends[i], now);
            }
        }
    }

    /// <summary>SND.UNA moves.</summary>
    /// <param name="acked">The direction; its SND.UNA still at the old value.</param>
    /// <param name="board">Its state.</param>
    /// <param name="packet">The acknowledgment.</param>
    /// <param name="now">When it passed.</param>
    /// <returns>RTT sample of a retransmission whose timestamp it echoes (RFC 7323 §4.1), nanoseconds; 0 without one.</returns>
    public long OnAdvance(in DirectionState acked, ref Scoreboard board, in ParsedPacket packet, in Moment now)
    {
        long rtt = 0;
        uint echo = packet.Options.TsEcr;
        for (int i = FirstAhead(board, acked.SndUna); i < board.Resends.Count && board.Resends[i].Start < packet.Acknowledgment; i++)
        {
            ref Resend resend = ref board.Resends[i];
            bool isAnswer = resend.End > acked.SndUna && !resend.Is(ResendMarks.IsAcked);
            if (!isAnswer)
            {
                continue;
            }

            bool isEcho = false;
            if (echo != 0 && resend.Is(ResendMarks.HasTsVal))
            {
                // Only what stood at SND.UNA is certain to have set the echo (RFC 7323 §4.3).
                bool isOlder = unchecked((int)(echo - resend.TsVal)) < 0 && resend.Start <= acked.SndUna;
                resend.Marks |= isOlder ? ResendMarks.IsOutdated : ResendMarks.None;
                isEcho = echo == resend.TsVal && resend.Is(ResendMarks.HasOwnTsVal) && resend.End <= packet.Acknowledgment;
                rtt = isEcho ? now.Time - resend.Time : rtt;
            }

            // What carries the timestamp of this very sending answers it, however short its way was.
            Acknowledge(ref board, ref resend, isEcho ? now with { LeastRtt = 0 } : now);
        }

        board.LeastRtt = now.LeastRtt;
        if (board.Resends.Count > 0 && now.Time - board.FirstResendTime > Patience)
        {
            Forget(ref board, packet.Acknowledgment, now.Time);
        }

        return rtt;
    }

    /// <summary>A hole between SACKed data is filled.</summary>
    /// <param name="acked">The direction.</param>
    /// <param name="board">Its state.</param>
    /// <param name="hole">The part that is filled.</param>
    /// <param name="now">When the acknowledgment passed.</param>
    public void OnHoleFilled(in DirectionState acked, ref Scoreboard board, in SackHole hole, in Moment now)
    {
        SequenceNumber at = hole.Start;
        for (int i = First(board, hole.Start); i < board.Resends.Count && board.Resends[i].Start < hole.End; i++)
        {
            ref Resend resend = ref board.Resends[i];
            if (resend.End <= hole.Start)
            {
                continue;
            }

            if (resend.Start > at)
            {
                OnReordered(ref board, acked.WireSegmentsOf(resend.Start - at), now.Time - hole.Since);
            }

            resend.HoleTime = hole.Since;
            resend.Marks |= ResendMarks.WasSackHole;
            Acknowledge(ref board, ref resend, now);
            at = resend.End > at ? resend.End : at;
        }

        if (hole.End > at)
        {
            OnReordered(ref board, acked.WireSegmentsOf(hole.End - at), now.Time - hole.Since);
        }
    }

    /// <summary>A DSACK came: of every range in it, one sending was a duplicate.</summary>
    /// <param name="board">The direction's state.</param>
    /// <param name="block">The block.</param>
    /// <param name="now">When it passed.</param>
    public static void OnDsack(ref Scoreboard board, SackBlock block, in Moment now)
    {
        int index = First(board, block.Left);
        bool isExplained = false;
        while (index < board.Resends.Count && board.Resends[index].Start < block.Right)
        {
            SequenceNumber start = board.Resends[index].Start;
            int reported = -1;
            for (; index < board.Resends.Count && board.Resends[index].Start == start; index++)
            {
                ref Resend resend = ref board.Resends[index];
                bool isCandidate = resend.End > block.Left && !resend.Is(ResendMarks.IsReported);
                bool canBe = reported < 0 || now.Time - resend.Time >= now.LeastRtt; // the latest whose report can be here
                reported = isCandidate && canBe ? index : reported;
            }

            if (reported >= 0)
            {
                isExplained = true;
                board.Resends[reported].Marks |= ResendMarks.IsReported;
            }
        }

        board.UnexplainedDsacks += isExplained ? 0 : 1;
    }

    /// <summary>Decides on everything that is left.</summary>
    /// <param name="board">The direction's state.</param>
    public void SettleAll(ref Scoreboard board)
    {
        RepeatJudge.Conclude(ref board);
        for (int i = 0; i < board.Resends.Count; i++)
        {
            Settle(ref board, board.Resends[i]);
        }

        board.Resends.Release();
    }

    /// <summary>Whether a segment sent again was needed, by what is known now.</summary>
    /// <param name="resend">The segment.</param>
    /// <param name="board">What is known of its direction.</param>
    /// <returns>The judgement.</returns>
    public static RetransmissionNeed NeedOf(in Resend resend, in Scoreboard board)
    {
        if (resend.Is(ResendMarks.IsOutdated | ResendMarks.IsOvertaken))
        {
            return RetransmissionNeed.Spurious;
        }

        // Where the path makes copies, a report may be that of a copy of this very segment; then its data had waited for it a whole round trip.
        bool areCopiesMade = board.UnexplainedDsacks > 0;
        if (resend.Is(ResendMarks.IsReported) && !areCopiesMade)
        {
            return RetransmissionNeed.Spurious;
        }

        if (!resend.Is(ResendMarks.IsAcked))
        {
            return resend.Is(ResendMarks.IsReported) ? RetransmissionNeed.LikelySpurious : RetransmissionNeed.Unknown;
        }

        ResendMarks proof = board.UnexplainedUpdates == 0 ? ResendMarks.IsRepeatAnswered | ResendMarks.IsUpdateAnswered : ResendMarks.IsRepeatAnswered;
        bool isAnsweredTwice = resend.Is(proof) && board.UnexplainedRepeats == 0;
        return resend.WasTooSoon(board.LeastRtt) || isAnsweredTwice ? RetransmissionNeed.LikelySpurious
            : resend.Is(ResendMarks.MayBeAnswered) ? RetransmissionNeed.Unknown
            : RetransmissionNeed.Necessary;
    }

    static int First(in Scoreboard board, SequenceNumber start) =>
        board.Resends.Count == 0 ? 0 : board.Resends.FirstBeginningBehind(start + -board.LongestResend);

    // Most acknowledgments come when everything sent again has been acknowledged: then there is nothing to look for.
    static int FirstAhead(in Scoreboard board, SequenceNumber start) =>
        board.Resends.Count == 0 || board.ResendsEnd <= start ? board.Resends.Count : First(board, start);

    static void Acknowledge(ref Scoreboard board, ref Resend resend, in Moment now)
    {
        if (!resend.Is(ResendMarks.IsAcked))
        {
            board.ResendAckedTime = now.Time;
            resend.AckedTime = now.Time;
            resend.Marks |= ResendMarks.IsAcked;
            resend.Marks |= IsSooner(now, resend.Time) ? ResendMarks.IsTooSoon : ResendMarks.None;
        }
    }

    // A clock that was set back says nothing.
    static bool IsSooner(in Moment now, TraceTime sent) => now.Time >= sent && now.Time - sent < now.LeastRtt;

    void Forget(ref Scoreboard board, SequenceNumber ack, TraceTime time)
    {
        int count = 0;
        if (board.Repeats is { Count: > 0 } repeats && time - repeats[0].Time > Patience / 2)
        {
            RepeatJudge.Conclude(ref board); // what is settled now was answered before, and many at once tell more than one
        }

        while (count < board.Resends.Count && board.Resends[count].End <= ack && time - board.Resends[count].Time > Patience)
        {
            Settle(ref board, board.Resends[count]);
            count++;
        }

        if (count > 0)
        {
            board.Resends.Remove(0, count);
            board.FirstResendTime = board.Resends.Count > 0 ? board.Resends[0].Time : default;
        }
    }

    void Settle(ref Scoreboard board, in Resend resend)
    {
        RetransmissionNeed need = NeedOf(resend, board);
        follower.OnVerdict(resend, need);
        if (resend.Is(ResendMarks.WasMissing))
        {
            board.FillNeeds[(int)need]++;
            board.Overtaken += resend.Is(ResendMarks.IsOvertaken) ? 1 : 0;
        }
        else
        {
            board.SeenNeeds[(int)need]++;
        }

        bool isNeedless = need is RetransmissionNeed.Spurious or RetransmissionNeed.LikelySpurious;
        if (isNeedless && resend.Is(ResendMarks.WasSackHole) && !resend.Is(ResendMarks.IsRepeated))
        {
            OnReordered(ref board, 1, resend.AckedTime - resend.HoleTime);
        }
    }

    void OnReordered(ref Scoreboard board, int segments, long extent)
    {
        board.Hindsight.Packets += segments;
        board.Lateness = extent;
        for (int i = Math.Min(segments, MostSamplesAtOnce); i > 0; i--)
        {
            durations.Add(ref board.Hindsight.Extents, extent);
        }
    }
}
