using System;
using TcpDiag.Tcp.Timing;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// Judges the interval between two bursts of data when the second one tells what the sender had waited for
/// (docs/limits.md): the receive window when that was full; an acknowledgment when it sends right after one and had as much in
/// flight as the congestion window is known to allow; otherwise its application, or its own pacing.
/// </summary>
static class IntervalJudge
{
    // After so many sends right after acknowledgments, one that comes late was held back up to the acknowledgment all the same.
    const int Habit = 4;
    const int MostHabit = 16;

    const long LeastIdle = 1_000_000_000; // ns

    /// <summary>Judges the interval that ends with new data.</summary>
    /// <param name="flight">The direction, as it was before this data.</param>
    /// <param name="length">Payload of the segment, bytes.</param>
    /// <param name="now">When.</param>
    public static void OnSent(ref LimitFlight flight, int length, TraceTime now)
    {
        Answer answer = AnswerJudge.Of(flight, length, now);
        bool isStretch = answer < Answer.Late && IsStretch(flight, now);
        flight.Marks |= AnswerJudge.IsEmptied(flight, now) ? LimitMarks.Emptied : LimitMarks.None;
        if (flight.Is(LimitMarks.Recovering) || flight.IsWindowFull)
        {
            OnSilence(ref flight, now);
        }
        else if (answer >= Answer.Prompt && flight.Is(LimitMarks.EdgeKnown) && flight.Room < length)
        {
            flight.Book.Add(LimitPlace.ReceiveWindow, flight.Since, now); // it waited for room for all of an offloaded segment
            Begin(ref flight, now);
        }
        else
        {
            flight.Uncertain += flight.Book.At(LimitPlace.Probe);
            flight.Book.Move(LimitPlace.Probe, LimitPlace.CongestionWindow);
            OnRoom(ref flight, answer, now);
            if (!isStretch)
            {
                Learn(ref flight, answer, now);
            }

            Begin(ref flight, now);
        }
    }

    /// <summary>Judges the interval that ends with a retransmission that no timeout triggered: what was in flight held the sender back to its end, if it had before.</summary>
    /// <param name="flight">The direction.</param>
    /// <param name="now">When.</param>
    public static void OnResent(ref LimitFlight flight, TraceTime now)
    {
        if (flight.Is(LimitMarks.Recovering) || flight.IsWindowFull)
        {
            OnSilence(ref flight, now);
        }
        else
        {
            OnLastRoom(ref flight, now, now);
            Begin(ref flight, now);
        }
    }

    /// <summary>Judges an interval that ends with silence: the last one, or the one before a timeout.</summary>
    /// <param name="flight">The direction.</param>
    /// <param name="now">When the silence begins.</param>
    public static void OnSilence(ref LimitFlight flight, TraceTime now)
    {
        if (flight.Is(LimitMarks.Recovering))
        {
            flight.Stale.AddRecovery(flight.Since, now, ref flight.Book);
        }
        else if (flight.IsWindowFull)
        {
            OnWindowFull(ref flight, now);
        }
        else
        {
            bool isOpen = flight.IsAway || flight.LastClock > now; // seen from afar, the last acknowledgments are under way still
            OnLastRoom(ref flight, isOpen ? now : flight.LastClock, now);
        }

        Begin(ref flight, now);
    }

    /// <summary>Judges the interval in which the sender waits for its retransmission timer to expire.</summary>
    /// <param name="flight">The direction.</param>
    /// <param name="now">When it expired.</param>
    public static void OnTimeout(ref LimitFlight flight, TraceTime now)
    {
        OnSilence(ref flight, Later(flight.Since, flight.LastEvent));
        OnUnseenProbe(ref flight, now);
        flight.Book.Add(LimitPlace.Timeout, flight.Since, now);
        Begin(ref flight, now);
    }

    // Away from the sender: with data left, the first of its timers sends a probe of new data (RFC 8985 §7.3), here one that was lost, and what was in flight had held it up to then. Whether
    // data was left shows in what follows the recovery.
    static void OnUnseenProbe(ref LimitFlight flight, TraceTime now)
    {
        long pto = 2 * flight.Rtt.SrttNs;
        if (flight.IsAway && flight.HasLeft && now - flight.Since >= pto + flight.Rtt.RtoNs(RtoLimits.Linux))
        {
            flight.Book.Add(LimitPlace.Probe, flight.Since, flight.Since + pto);
            Begin(ref flight, flight.Since + pto);
        }
    }

    /// <summary>Leaves an interval without a verdict: not all of its traffic was captured.</summary>
    /// <param name="flight">The direction.</param>
    /// <param name="now">Its end.</param>
    public static void OnGap(ref LimitFlight flight, TraceTime now)
    {
        EndRun(ref flight);
        flight.Book.Add(LimitPlace.NotJudged, flight.Since, now);
        BeginAfresh(ref flight, now);
    }

    /// <summary>Decides what sends at even distances were.</summary>
    /// <param name="flight">The direction.</param>
    public static void EndRun(ref LimitFlight flight)
    {
        bool isPaced = flight.Run.IsPaced;
        flight.Holder = isPaced ? LimitPlace.Pacing : flight.Holder;
        flight.Book.Move(LimitPlace.RunAnswered, isPaced ? LimitPlace.Pacing : LimitPlace.Level);
        flight.Book.Move(LimitPlace.RunWritten, isPaced ? LimitPlace.Pacing : flight.Writer.IsKnown ? LimitPlace.SendBuffer : LimitPlace.Chance);
        flight.Book.Move(LimitPlace.RunOpen, isPaced ? LimitPlace.Pacing : LimitPlace.Application);
        flight.Run = default;
    }

    // What follows a burst that left something to be sent was clocked by acknowledgments; what follows others was written when the send buffer had room, or by itself.
    static void Learn(ref LimitFlight flight, Answer answer, TraceTime now)
    {
        if (!flight.HasLeft)
        {
            if (!IsStretch(flight, now)) // several answers in a row tell no more than one
            {
                long delay = flight.Is(LimitMarks.Clocked) ? now - flight.LastClock : 0;
                flight.Writer.Learn(flight.Fill, answer, AnswerJudge.ToRoom(flight, answer, now), delay, now - flight.Since, ref flight.Book);
                flight.Plateau.OnBuffer(flight.Writer.IsKnown ? flight.Fill : 0, flight.Mss, ref flight.Book);
            }

            return;
        }

        flight.Clocking = answer switch
        {
            >= Answer.Prompt => (byte)Math.Min(flight.Clocking + 1, MostHabit),
            Answer.Late => flight.Clocking,
            _ => (byte)(flight.Clocking / 2),
        };
    }

    static bool HasHabit(in LimitFlight flight) => flight.HasLeft ? flight.Clocking >= Habit : flight.Writer.IsKnown;

    static void Begin(ref LimitFlight flight, TraceTime now)
    {
        flight.Samples++;
        BeginAfresh(ref flight, now);
    }

    static void BeginAfresh(ref LimitFlight flight, TraceTime now)
    {
        flight.Since = now;
        flight.Marks &= ~(LimitMarks.Clocked | LimitMarks.PeerSpoke | LimitMarks.Opened | LimitMarks.Emptied);
    }

    // Full until it opened, or longer when the sender collected further acknowledgments and answered the last one.
    static void OnWindowFull(ref LimitFlight flight, TraceTime now)
    {
        flight.Plateau.OnWindowFull();
        bool isHeld = !flight.Is(LimitMarks.Opened) || now - flight.LastClock <= AnswerJudge.Most(flight, now);
        TraceTime end = isHeld ? now : flight.Opened;
        flight.Holder = isHeld ? LimitPlace.Level : LimitPlace.Application; // with its last data sent, the sender waits for what is in flight
        flight.Book.Add(LimitPlace.ReceiveWindow, flight.Since, end);
        AddApplication(ref flight, end, now);
    }

    // A burst may be stretched by pacing: what follows soon says nothing of what the burst waited for.
    static bool IsStretch(in LimitFlight flight, TraceTime now) => now - flight.Since < flight.Rtt.SrttNs / 8;

    // The receive window had room.
    static void OnRoom(ref LimitFlight flight, Answer answer, TraceTime now)
    {
        if (flight.Cwnd > 0)
        {
            OnKnownWindow(ref flight, answer >= Answer.Prompt, now);
            return;
        }

        (LimitPlace place, TraceTime end) = flight.HasLeft ? BehindLeft(flight, answer, now) : BehindAll(flight, answer, now);
        flight.Holder = end == now && place != LimitPlace.LesserFill ? place : LimitPlace.Application; // what a lesser fill tells is of that burst alone
        if (AnswerJudge.IsFlowing(flight, now))
        {
            flight.Uncertain += end - flight.Since;
        }
        else if (answer >= Answer.Prompt)
        {
            flight.Plateau.OnAnswer();
        }

        if (place == LimitPlace.Application && !IsStretch(flight, now))
        {
            flight.Plateau.OnPause(ref flight.Book);
        }

        AddRoom(ref flight, place, answer, end, now);
    }

    // Data was left: what was in flight held it, up to an acknowledgment that let it go.
    static (LimitPlace Place, TraceTime End) BehindLeft(in LimitFlight flight, Answer answer, TraceTime now)
    {
        bool hasHabit = flight.Clocking >= Habit;
        bool isHeld = answer >= Answer.Late || (hasHabit && IsStretch(flight, now));
        TraceTime end = isHeld ? now : hasHabit && flight.Is(LimitMarks.Clocked) ? Later(flight.Since, flight.LastClock) : flight.Since;
        return (LimitPlace.Level, end);
    }

    // All that was written had been sent: the program was blocked, or had nothing to write.
    static (LimitPlace Place, TraceTime End) BehindAll(in LimitFlight flight, Answer answer, TraceTime now)
    {
        bool isStretched = flight.Holder != LimitPlace.Application && IsStretch(flight, now);
        LimitPlace place = isStretched ? flight.Holder : flight.Writer.PlaceOf(flight.Fill, answer, AnswerJudge.IsLater(flight, now));
        return (place, place == LimitPlace.Application ? flight.Since : now);
    }

    // Bursts closer than half a round trip may be a run at even distances.
    static void AddRoom(ref LimitFlight flight, LimitPlace place, Answer answer, TraceTime end, TraceTime now)
    {
        bool isLate = place == LimitPlace.LateWriter;
        if ((isLate && !flight.Is(LimitMarks.EndedFull)) || now - flight.Since >= flight.Rtt.SrttNs / 2)
        {
            EndRun(ref flight);
            flight.Book.Add(place, flight.Since, end);
            AddApplication(ref flight, end, now);
            return;
        }

        AddToRun(ref flight, place, answer, isLate ? flight.Since : end, now);
    }

    static void AddToRun(ref LimitFlight flight, LimitPlace place, Answer answer, TraceTime end, TraceTime now)
    {
        long gap = now - flight.Since;
        if (!flight.Run.Continues(gap))
        {
            EndRun(ref flight);
        }

        bool endedFull = flight.Is(LimitMarks.EndedFull);
        bool isClocked = answer >= Answer.Prompt && (!endedFull || AnswerJudge.IsOfStack(flight, now));
        flight.Run.Add(gap, isClocked, endedFull && !flight.IsAway);
        flight.Book.Add(place == LimitPlace.Level ? LimitPlace.RunAnswered : LimitPlace.RunWritten, flight.Since, end);
        flight.Book.Add(LimitPlace.RunOpen, end, now);
    }

    // No further burst shows what this one waited for: what held the one before.
    static void OnLastRoom(ref LimitFlight flight, TraceTime until, TraceTime now)
    {
        if (flight.Cwnd > 0)
        {
            OnKnownWindow(ref flight, isClocked: until == now && flight.Clocking >= Habit, now);
            return;
        }

        EndRun(ref flight);
        bool hasHabit = HasHabit(flight);
        bool isHeld = (hasHabit || flight.Holder != LimitPlace.Application) && (flight.IsAway || flight.Is(LimitMarks.Clocked));
        TraceTime end = isHeld ? Later(flight.Since, until) : flight.Since;
        LimitPlace place = flight.HasLeft ? LimitPlace.Level : hasHabit ? LimitPlace.SendBuffer : LimitPlace.Chance;
        flight.Book.Add(flight.Holder != LimitPlace.Application ? flight.Holder : place, flight.Since, end);
        AddApplication(ref flight, end, now);
    }

    // The stack tells its congestion window, and perhaps what is left to be sent: nothing is estimated.
    static void OnKnownWindow(ref LimitFlight flight, bool isClocked, TraceTime now)
    {
        // What held the burst back is the window of that time, or a smaller one since. Data is left, and goes out as acknowledgments come: the
        // window holds it, though a part of it may be kept for a larger segment.
        bool isFull = flight.Peak + flight.Mss > Math.Min(flight.PeakCwnd, flight.Cwnd) || (isClocked && flight.Unsent > 0);
        bool hasHabit = flight.Clocking >= Habit || flight.Writer.IsKnown;
        bool isHeld = isClocked || (hasHabit && IsStretch(flight, now));
        bool isReleased = flight.Is(LimitMarks.Clocked) && (isFull || hasHabit);
        TraceTime end = isHeld ? now : isReleased ? Later(flight.Since, flight.LastClock) : flight.Since;
        bool isBuffer = !isFull && (isClocked || flight.Is(LimitMarks.Buffered)); // with everything sent, what held the bursts before
        flight.Marks = isBuffer ? flight.Marks | LimitMarks.Buffered : flight.Marks & ~LimitMarks.Buffered;
        flight.Book.Add(isBuffer ? LimitPlace.SendBuffer : LimitPlace.CongestionWindow, flight.Since, end);
        if (flight.Unsent > 0)
        {
            flight.Book.Add(LimitPlace.Pacing, end, now);
        }
        else
        {
            AddApplication(ref flight, end, now);
        }
    }

    static void AddApplication(ref LimitFlight flight, TraceTime from, TraceTime to)
    {
        TraceTime drained = Later(from, flight.Drained);
        long rto = flight.Rtt.RtoNs(RtoLimits.Linux);
        bool isIdle = flight.InFlight == 0 && to - drained > Math.Max(rto, LeastIdle);
        TraceTime idle = isIdle ? drained : to;
        flight.Book.Add(LimitPlace.Application, from, idle);
        flight.Book.Add(LimitPlace.Idle, idle, to);
    }

    static TraceTime Later(TraceTime one, TraceTime other) => one > other ? one : other;
}
