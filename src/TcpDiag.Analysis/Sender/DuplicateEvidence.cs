using System.Collections.Generic;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Sender;

/// <summary>
/// What shows that the receiver had data twice, where no DSACK says so: acknowledgments without any news. The receiver has to send such a one
/// for a segment that it had already (RFC 9293 §3.10.7.4), and new data would show in a SACK block; but with timestamps it also answers new
/// data like this whose timestamp is older than the latest (PAWS, RFC 7323 §5.3): data that a retransmission has overtaken. That is excluded
/// when nothing is open any more that was sent before what the acknowledgment echoes. Else originals show by coming as late after their
/// successors as others of this path have (<see cref="LateOriginals"/>); what that does not decide stays unknown.
/// </summary>
struct DuplicateEvidence
{
    const int MaxPending = 64; // of the same two seconds

    List<AckWithoutNews>? _pending; // until it is known what they answered
    long _lateOriginalNanos; // how long after the first SACK above it the latest late original came; 0 before any
    int _unexplainedDsacks; // for data that was sent once: the path makes copies, and a DSACK proves nothing any more (RFC 3708 §3)
    int _unexplainedAcks; // that nothing sent again explains: another one proves nothing any more
    int _unexplainedUpdates; // the same where the window had grown: this receiver reports windows alone, and nothing follows from one of these

    /// <summary>Shortest round trip to the receiver known at the latest acknowledgment, nanoseconds; 0 while none is known.</summary>
    public long MinRttNanos;

    /// <summary>DSACKs for data that was sent once: copies that the path made.</summary>
    public readonly int UnexplainedDsacks => _unexplainedDsacks;

    /// <summary>Counts a DSACK.</summary>
    /// <param name="isExplained">Whether something sent again explains it, or may have been before the capture began.</param>
    public void CountDsack(bool isExplained) => _unexplainedDsacks += isExplained ? 0 : 1;

    /// <summary>Notes how late an original came after the first SACK above it, nanoseconds.</summary>
    public void OnLateOriginal(long extentNanos) => _lateOriginalNanos = extentNanos;

    /// <summary>Takes in an acknowledgment that repeats SND.UNA and all SACK blocks there are.</summary>
    /// <param name="list">What was sent again.</param>
    /// <param name="sacked">What was SACKed.</param>
    /// <param name="echo">Its TSecr; 0 without timestamps.</param>
    /// <param name="now">When it passed.</param>
    /// <param name="roundTripNanos">A whole round trip.</param>
    /// <param name="isGrown">Whether its window has grown.</param>
    public void OnAckWithoutNews(in RetransmissionList list, in SackScoreboard sacked, uint echo, in AckInstant now, long roundTripNanos, bool isGrown)
    {
        if (isGrown && !CanBeAnswer(list, sacked, now, roundTripNanos))
        {
            return;
        }

        _pending ??= [];
        if (_pending.Count == MaxPending)
        {
            _unexplainedAcks += isGrown ? 0 : 1; // so many that none proves anything
            _unexplainedUpdates += isGrown ? 1 : 0;
            return;
        }

        _pending.Add(new(now, roundTripNanos, echo != 0 && IsAnyOpen(list, sacked, echo), isGrown));
    }

    /// <summary>
    /// Decides what the acknowledgments answered, before the first of the segments concerned is settled: what is known to be a duplicate, or the
    /// original of what was acknowledged before. That one came first, and the retransmission was not needed.
    /// </summary>
    public void Conclude(ref RetransmissionList list)
    {
        if (_pending is not { Count: > 0 } pending)
        {
            return;
        }

        ForgetTooSoon(ref list);
        RetransmissionList items = list; // the same array
        _ = pending.RemoveAll(ack => Mark(items, FindDuplicate(items, ack), ack));
        _lateOriginalNanos = LateOriginals.Mark(items, pending, _lateOriginalNanos);
        _ = pending.RemoveAll(ack => !ack.MayBeForNew && Mark(items, FindLatest(items, ack), ack));
        foreach (AckWithoutNews ack in pending)
        {
            if (ack.MayBeForNew)
            {
                MarkUndecided(items, ack);
            }
            else
            {
                _unexplainedUpdates += ack.IsGrown ? 1 : 0;
                _unexplainedAcks += ack.IsGrown ? 0 : 1;
            }
        }

        pending.Clear();
    }

    /// <summary>Does so when the first of the acknowledgments is older than so many nanoseconds.</summary>
    public void ConcludeIfOld(ref RetransmissionList list, TraceTime now, long nanos)
    {
        if (_pending is { Count: > 0 } pending && now - pending[0].At.Time > nanos)
        {
            Conclude(ref list);
        }
    }

    /// <summary>Whether a segment sent again was needed, by what is known now.</summary>
    public readonly RetransmissionNeed NeedOf(in Retransmission item)
    {
        if (item.Is(RetransmissionMarks.IsOutdated | RetransmissionMarks.IsOvertaken))
        {
            return RetransmissionNeed.Spurious;
        }

        // Where the path makes copies, a report may be that of a copy of this very segment; then its data had waited for it a whole round trip.
        bool areCopiesMade = _unexplainedDsacks > 0;
        if (item.Is(RetransmissionMarks.IsReported) && !areCopiesMade)
        {
            return RetransmissionNeed.Spurious;
        }

        if (!item.Is(RetransmissionMarks.IsAcked))
        {
            return item.Is(RetransmissionMarks.IsReported) ? RetransmissionNeed.LikelySpurious : RetransmissionNeed.Unknown;
        }

        return item.WasTooSoon(MinRttNanos) || IsAnsweredTwice(item) ? RetransmissionNeed.LikelySpurious
            : item.Is(RetransmissionMarks.MayBeAnsweredTwice) ? RetransmissionNeed.Unknown
            : RetransmissionNeed.Necessary;
    }

    /// <summary>Gives its memory back.</summary>
    public void Release() => _pending = null;

    /// <summary>Whether an acknowledgment may answer the original of a segment sent again, which came after that.</summary>
    public static bool CanBeOriginal(in Retransmission item, in AckWithoutNews ack)
    {
        long age = ack.At.Time - item.AckedTime;
        return IsFree(item) && !IsDuplicate(item) && age >= 0 && age <= Thresholds.MaxOriginalRoundTrips * ack.RoundTripNanos;
    }

    /// <summary>
    /// Whether an acknowledgment may answer the original of a segment sent again that the receiver threw away as too old, before that segment came.
    /// </summary>
    public static bool IsOpen(in Retransmission item, in AckWithoutNews ack) => ack.MayBeForNew && item.AckedTime > ack.At.Time;

    /// <summary>Whether the original of a segment sent again is known to have come first.</summary>
    public static bool IsDuplicate(in Retransmission item) => item.Is(RetransmissionMarks.IsOutdated | RetransmissionMarks.IsTooSoon);

    /// <summary>Notes that a segment was answered.</summary>
    /// <param name="list">All of them.</param>
    /// <param name="index">Its position; negative for none.</param>
    /// <param name="ack">The acknowledgment.</param>
    /// <returns>False when there was none.</returns>
    public static bool Mark(in RetransmissionList list, int index, in AckWithoutNews ack)
    {
        if (index < 0)
        {
            return false;
        }

        list[index].Marks |= ack.IsGrown ? RetransmissionMarks.IsAnsweredByUpdate : RetransmissionMarks.IsAnsweredTwice;
        return true;
    }

    readonly bool IsAnsweredTwice(in Retransmission item)
    {
        RetransmissionMarks proof = _unexplainedUpdates == 0
            ? RetransmissionMarks.IsAnsweredTwice | RetransmissionMarks.IsAnsweredByUpdate
            : RetransmissionMarks.IsAnsweredTwice;
        return item.Is(proof) && _unexplainedAcks == 0;
    }

    // Where nothing was sent again lately, a grown window was all it said: then this receiver reports windows alone, and such acknowledgments are no answers.
    bool CanBeAnswer(in RetransmissionList list, in SackScoreboard sacked, in AckInstant now, long roundTripNanos)
    {
        bool isLate = now.Time - list.LastAckedTime > Thresholds.MaxOriginalRoundTrips * roundTripNanos;
        _unexplainedUpdates += isLate && !sacked.HasHoles ? 1 : 0;
        return _unexplainedUpdates == 0;
    }

    // Only data that was sent before the latest segment at the left edge, and has not arrived, can be too old for the receiver; after originals nothing at
    // the edge is missing.
    static bool IsAnyOpen(in RetransmissionList list, in SackScoreboard sacked, uint echo)
    {
        SequenceNumber before = sacked.Fack;
        bool isOlder = false;
        for (int i = 0; i < list.Count; i++)
        {
            ref readonly Retransmission item = ref list[i];
            if (item.Is(RetransmissionMarks.HasTsVal) && unchecked((int)(item.Stamp.TsVal - echo)) <= 0)
            {
                isOlder |= sacked.HasHoles && sacked.FirstHole < item.SentMax;
                before = item.SentMax > before ? item.SentMax : before;
            }
        }

        return isOlder || before > sacked.Fack;
    }

    // What is left may answer the original of what was acknowledged last, or new data.
    static void MarkUndecided(in RetransmissionList list, in AckWithoutNews ack)
    {
        int latest = ack.IsGrown ? -1 : FindLatest(list, ack);
        if (latest >= 0)
        {
            list[latest].Marks |= RetransmissionMarks.MayBeAnsweredTwice;
        }
    }

    readonly void ForgetTooSoon(ref RetransmissionList list)
    {
        for (int i = 0; i < list.Count; i++)
        {
            list[i].Marks &= list[i].WasTooSoon(MinRttNanos) ? ~RetransmissionMarks.None : ~RetransmissionMarks.IsTooSoon;
        }
    }

    static int FindDuplicate(in RetransmissionList list, in AckWithoutNews ack)
    {
        int first = -1;
        for (int i = 0; i < list.Count; i++)
        {
            ref readonly Retransmission item = ref list[i];
            long age = ack.At.Time - item.Time;
            bool canBe = IsFree(item) && IsDuplicate(item) && age >= ack.At.MinRttNanos && age <= Thresholds.MaxOriginalRoundTrips * ack.RoundTripNanos;
            first = canBe && (first < 0 || item.Time < list[first].Time) ? i : first;
        }

        return first;
    }

    // The less late an original is, the likelier.
    static int FindLatest(in RetransmissionList list, in AckWithoutNews ack)
    {
        int latest = -1;
        for (int i = 0; i < list.Count; i++)
        {
            bool canBe = CanBeOriginal(list[i], ack) && ack.At.Time - list[i].AckedTime <= ack.RoundTripNanos;
            latest = canBe && (latest < 0 || list[i].AckedTime > list[latest].AckedTime) ? i : latest;
        }

        return latest;
    }

    static bool IsFree(in Retransmission item) =>
        item.Is(RetransmissionMarks.IsAcked) && !item.Is(RetransmissionMarks.IsAnsweredTwice | RetransmissionMarks.IsAnsweredByUpdate);
}

/// <summary>An acknowledgment that says nothing new at all, kept until it is known what it may have answered.</summary>
/// <param name="At">When it passed, and the shortest round trip to the receiver known then.</param>
/// <param name="RoundTripNanos">A whole round trip.</param>
/// <param name="MayBeForNew">Whether it may have answered new data that is too old for the receiver.</param>
/// <param name="IsGrown">Whether its window has grown.</param>
readonly record struct AckWithoutNews(AckInstant At, long RoundTripNanos, bool MayBeForNew, bool IsGrown);
