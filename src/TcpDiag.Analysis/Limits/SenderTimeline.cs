using System;
using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Flows;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>Follows one sender in time: cuts its active time into intervals, and has each judged when its end is known.</summary>
static class SenderTimeline
{
    // Segments the sender hands over at once leave it closer than this.
    const long BurstGap = 200_000; // ns

    /// <summary>Takes in new data.</summary>
    /// <param name="flight">The direction.</param>
    /// <param name="step">The segment.</param>
    /// <param name="payload">Its payload, bytes.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void OnNew(ref LimitFlight flight, in LedgerStep step, int payload)
    {
        TraceTime now = Later(step.Time, flight.LastEvent);
        if (IsBehindGap(flight, step))
        {
            OnGap(ref flight, step.Start, now);
        }
        else if (flight.Is(LimitMarks.Blind))
        {
            IntervalJudge.OnGap(ref flight, now);
            flight.Marks &= flight.Una > flight.GapEnd ? ~LimitMarks.Blind : ~LimitMarks.None;
        }
        else if (IsUnseenRepair(flight, step, now))
        {
            OnTimeout(ref flight, now);
            flight.RecoveryPoint = flight.Max + (step.LostBefore * flight.Mss);
        }
        else if (flight.Is(LimitMarks.Begun) && !IsSameBurst(flight, step, now))
        {
            flight.HalvedTsVal = IsBehindLoss(flight, step, now) ? 0 : flight.HalvedTsVal;
            IntervalJudge.OnSent(ref flight, payload, now);
        }

        if ((step.Flags & TcpFlags.Cwr) != 0)
        {
            BeginRecovery(ref flight); // the window was cut for ECN (RFC 3168 §6.1.2)
        }

        Extend(ref flight, step, payload, now);
    }

    /// <summary>How soon new data has to follow to belong to the latest burst beyond doubt.</summary>
    /// <param name="flight">The direction.</param>
    /// <returns>Nanoseconds; negative when more has to be known of it.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long MostGapInBurst(in LimitFlight flight) =>
        flight.IsAway || !flight.Is(LimitMarks.Begun) || flight.Is(LimitMarks.Clocked | LimitMarks.Blind | LimitMarks.Recovering) ? -1 : BurstGap;

    /// <summary>Takes in the rest of a burst, each segment of which followed within <see cref="MostGapInBurst"/>.</summary>
    /// <param name="flight">The direction.</param>
    /// <param name="step">The last segment.</param>
    /// <param name="payload">Its payload, bytes.</param>
    public static void OnBurst(ref LimitFlight flight, in LedgerStep step, int payload) => Extend(ref flight, step, payload, Later(step.Time, flight.LastEvent));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static void Extend(ref LimitFlight flight, in LedgerStep step, int payload, TraceTime now)
    {
        flight.Marks = (flight.Marks & ~LimitMarks.EndedFull) | LimitMarks.Begun
            | (flight.EndsFull(payload) ? LimitMarks.EndedFull : LimitMarks.None);
        AfterSend(ref flight, step.Start + payload, now);
        flight.Peak = flight.InFlight;
        if (flight.Is(LimitMarks.Recovering))
        {
            flight.Plateau.OnDisorder(flight.Max);
        }

        if (!flight.Is(LimitMarks.Blind))
        {
            flight.Plateau.OnFlight(flight.Peak, now);
        }
    }

    /// <summary>Takes in a retransmission.</summary>
    /// <param name="flight">The direction.</param>
    /// <param name="step">The segment.</param>
    public static void OnResent(ref LimitFlight flight, in LedgerStep step)
    {
        TraceTime now = Later(step.Time, flight.LastEvent);
        if (flight.Is(LimitMarks.Blind))
        {
            IntervalJudge.OnGap(ref flight, now);
        }

        bool isTimeout = IsTimeout(flight, step, now);
        bool isUnheard = flight.IsAway && isTimeout; // an acknowledgment was lost behind the capture point
        if (flight.InFlight == 0 && !isUnheard)
        {
            return; // everything had arrived: nobody waited for it
        }

        if ((step.Trigger == RetransmissionTrigger.Tlp || (flight.IsAway && isTimeout)) && flight.IsWindowFull)
        {
            return; // the window holds the sender as before, and a probe alone is no recovery
        }

        if (isTimeout)
        {
            OnTimeout(ref flight, now);
        }
        else if (!flight.Is(LimitMarks.Recovering))
        {
            IntervalJudge.OnResent(ref flight, now);
        }

        BeginRecovery(ref flight);
        AfterSend(ref flight, step.Start + step.Length, now);
    }

    /// <summary>Takes in an acknowledgment that has arrived at the sender.</summary>
    /// <param name="flight">The direction.</param>
    /// <param name="arrived">The acknowledgment.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void OnArrived(ref LimitFlight flight, in ArrivedAck arrived)
    {
        TraceTime now = Later(arrived.Time, flight.LastEvent);
        bool hasAdvanced = arrived.Una > flight.Una;
        if (arrived.HasNews)
        {
            flight.Plateau.OnDisorder(flight.Max);
        }

        bool hasOpened = arrived.HasEdge && flight.Is(LimitMarks.EdgeKnown) && arrived.Edge > flight.Edge;
        flight.Marks |= arrived.HasPayload ? LimitMarks.PeerSpoke : LimitMarks.None;
        if (hasAdvanced || hasOpened || arrived.HasNews)
        {
            flight.LastClock = now;
            flight.ClockTsVal = arrived.TsVal;
            flight.Marks |= LimitMarks.Clocked;
        }

        OnEdge(ref flight, arrived, now);
        if (hasAdvanced)
        {
            OnAdvance(ref flight, arrived, now);
        }

        flight.LastEvent = now;
    }

    /// <summary>Notes that part of the traffic was not captured, or the clock was set: nothing is told of the time since the latest burst, nor until what is in flight is known again.</summary>
    /// <param name="flight">The direction.</param>
    /// <param name="end">Behind what may be missing.</param>
    /// <param name="time">When that showed.</param>
    public static void OnGap(ref LimitFlight flight, SequenceNumber end, TraceTime time)
    {
        IntervalJudge.OnGap(ref flight, Later(time, flight.LastEvent));
        flight.Marks |= LimitMarks.Blind;
        flight.GapEnd = end;
        flight.Una = end > flight.Una ? end : flight.Una;
        flight.Max = end > flight.Max ? end : flight.Max;
        flight.Plateau.OnGap();
    }

    /// <summary>Notes that an acknowledgment told the sender something new.</summary>
    /// <param name="flight">The direction.</param>
    /// <param name="time">When.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void OnNews(ref LimitFlight flight, TraceTime time)
    {
        if (flight.Stale.IsOpen)
        {
            SettleStale(ref flight, time);
        }
    }

    /// <summary>Ends the active time.</summary>
    /// <param name="flight">The direction.</param>
    /// <param name="end">Its end.</param>
    /// <param name="activeTime">What all states add up to, nanoseconds.</param>
    /// <returns>Time in each state.</returns>
    public static LimitTimes Finish(ref LimitFlight flight, TraceTime end, long activeTime)
    {
        LimitState rest = flight.Is(LimitMarks.Recovering) ? LimitState.Recovery : LimitState.Application;
        if (flight.Is(LimitMarks.Blind))
        {
            IntervalJudge.OnGap(ref flight, end);
        }
        else if (end > flight.Since)
        {
            IntervalJudge.OnSilence(ref flight, end);
        }

        IntervalJudge.EndRun(ref flight);
        flight.Book.Move(LimitPlace.Probe, LimitPlace.Timeout);
        flight.Writer.Settle(ref flight.Book);
        flight.Plateau.Conclude(ref flight.Book);
        flight.Stale.Settle(ref flight.Book);
        flight.Book.Ribbon?.Flush();
        LimitTimes times = flight.Book.Times;
        times.FitTo(activeTime, rest);
        return times;
    }

    static void SettleStale(ref LimitFlight flight, TraceTime time)
    {
        if (flight.Is(LimitMarks.Recovering))
        {
            IntervalJudge.OnSilence(ref flight, Later(time, flight.LastEvent));
        }

        flight.Stale.Settle(ref flight.Book);
    }

    // A sender sends what is new in order; only behind a path something may be missing that was lost there.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static bool IsBehindGap(in LimitFlight flight, in LedgerStep step) =>
        !flight.IsAway && flight.Is(LimitMarks.Begun) && step.Start > flight.Max + 1;

    // What had answered an acknowledgment may have been lost before the capture point.
    static bool IsBehindLoss(in LimitFlight flight, in LedgerStep step, TraceTime now) => step.Start != flight.Max || step.LostBefore > 0 || flight.IsSilent(now);

    // Seen from afar, a burst is stretched by the path; but what lasts a round trip is clocked by acknowledgments.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static bool IsSameBurst(in LimitFlight flight, in LedgerStep step, TraceTime now) => flight.IsAway
        ? now - flight.LastSend <= flight.SenderDelay / 4 && now - flight.Since <= flight.SenderDelay && !IsHiddenWait(flight, step, now)
        : !flight.Is(LimitMarks.Clocked) && now - flight.LastSend <= BurstGap;

    // A queue on the way may have hidden how long the sender waited for the receive window; its own clock tells.
    static bool IsHiddenWait(in LimitFlight flight, in LedgerStep step, TraceTime now) =>
        flight.IsWindowFull && flight.Clock.PauseBefore(step.TsVal, now) > flight.SenderDelay / 4;

    // Away from the sender new data may be a resending too: what was lost before it was never seen there, only that packets are missing.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static bool IsUnseenRepair(in LimitFlight flight, in LedgerStep step, TraceTime now) =>
        flight.IsAway && step.LostBefore > 0 && flight.Is(LimitMarks.Begun) && flight.IsSilent(now);

    // The ledger may see only later why something was resent, and away from the sender it sees other silences than the sender: there a silence as long as a timer tells by itself.
    static bool IsTimeout(in LimitFlight flight, in LedgerStep step, TraceTime now) => flight.IsAway ? flight.IsSilent(now) : step.Trigger switch
    {
        RetransmissionTrigger.Rto or RetransmissionTrigger.Tlp => true,
        RetransmissionTrigger.Unknown or RetransmissionTrigger.LostRetransmission =>
            now - flight.LastEvent >= Math.Max(flight.Rtt.SrttNs, LimitFlight.LeastRto),
        _ => false,
    };

    // A recovery begins anew.
    static void OnTimeout(ref LimitFlight flight, TraceTime now)
    {
        IntervalJudge.OnTimeout(ref flight, now);
        flight.Marks &= ~LimitMarks.Recovering;
        BeginRecovery(ref flight);
    }

    static void BeginRecovery(ref LimitFlight flight)
    {
        if (!flight.Is(LimitMarks.Recovering))
        {
            IntervalJudge.EndRun(ref flight);
            flight.Plateau.OnLoss(flight.Peak, ref flight.Book);
            flight.Marks |= LimitMarks.Recovering;
            flight.RecoveryPoint = flight.Max;
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static void AfterSend(ref LimitFlight flight, SequenceNumber end, TraceTime now)
    {
        flight.Max = end > flight.Max ? end : flight.Max;
        flight.Room = flight.Is(LimitMarks.EdgeKnown) ? flight.Edge - flight.Max : int.MaxValue; // data of a SYN knows no window yet
        flight.LastSend = now;
        flight.LastEvent = now;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static void OnEdge(ref LimitFlight flight, in ArrivedAck arrived, TraceTime now)
    {
        if (!arrived.HasEdge)
        {
            return;
        }

        flight.Edge = arrived.Edge;
        flight.Window = arrived.Edge - arrived.Una;
        flight.Plateau.Window = flight.Window;
        flight.Marks |= LimitMarks.EdgeKnown;
        bool hasRoom = arrived.Edge - flight.Max >= flight.LeastRoom;
        if (flight.IsWindowFull && hasRoom && !flight.Is(LimitMarks.Opened))
        {
            flight.Opened = now;
            flight.Marks |= LimitMarks.Opened;
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static void OnAdvance(ref LimitFlight flight, in ArrivedAck arrived, TraceTime now)
    {
        SequenceNumber una = arrived.Una;
        if (una > flight.Max + 1 || arrived.HasUnseen) // one: a FIN
        {
            OnGap(ref flight, una, now);
        }

        if (una + (flight.Peak / 2) >= flight.Max && 2 * flight.InFlight > flight.Peak)
        {
            flight.Halved = now;
            flight.HalvedTsVal = arrived.TsVal;
        }

        flight.Una = una;
        flight.Max = una > flight.Max ? una : flight.Max; // a FIN
        flight.Drained = now;
        if (flight.Is(LimitMarks.Recovering) && una >= flight.RecoveryPoint)
        {
            IntervalJudge.OnSilence(ref flight, now);
            flight.Marks &= ~LimitMarks.Recovering;
            flight.Marks |= LimitMarks.Clocked;
            flight.Peak = flight.InFlight;
        }

        if (!flight.Is(LimitMarks.Blind))
        {
            flight.Plateau.OnAcknowledged(una, flight.Max, flight.Mss, now, ref flight.Book);
        }
    }

    static TraceTime Later(TraceTime one, TraceTime other) => one > other ? one : other;
}
