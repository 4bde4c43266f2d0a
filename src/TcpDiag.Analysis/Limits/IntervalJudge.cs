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
    // The answer to an acknowledgment leaves the sender within microseconds; where a writer has to be woken first, within a millisecond or so.
    const long LeastAnswer = 50_000; // ns
    const long MostAnswer = 2_000_000; // ns

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
        bool isClocked = IsClocked(flight, length, now);
        bool isStretch = !isClocked && IsStretch(flight, now);
        if (flight.Is(LimitMarks.Recovering) || flight.IsWindowFull)
        {
            OnSilence(ref flight, now);
        }
        else if (isClocked && flight.Is(LimitMarks.EdgeKnown) && flight.Room < length)
        {
            flight.Book.Add(LimitPlace.ReceiveWindow, flight.Since, now); // it waited for room for all of an offloaded segment
            Begin(ref flight, now);
        }
        else
        {
            OnRoom(ref flight, flight.Cwnd > 0 ? isClocked : IsAtEnvelope(ref flight, isClocked, now), now);
            Begin(ref flight, now);
        }

        if (!isStretch)
        {
            Learn(ref flight, isClocked);
        }
    }

    /// <summary>Judges the interval that ends with a retransmission that no timeout triggered: what was in flight held the sender back to its end, if it had before.</summary>
    /// <param name="flight">The direction.</param>
    /// <param name="now">When.</param>
    public static void OnResent(ref LimitFlight flight, TraceTime now)
    {
        if (flight.Clocking >= Habit && !flight.Is(LimitMarks.Recovering) && !flight.IsWindowFull)
        {
            OnRoom(ref flight, isClocked: true, now);
            Begin(ref flight, now);
        }
        else
        {
            OnSilence(ref flight, now);
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
            OnRoom(ref flight, isClocked: false, now);
        }

        Begin(ref flight, now);
    }

    /// <summary>Judges the interval in which the sender waits for its retransmission timer to expire.</summary>
    /// <param name="flight">The direction.</param>
    /// <param name="now">When it expired.</param>
    public static void OnTimeout(ref LimitFlight flight, TraceTime now)
    {
        OnSilence(ref flight, Later(flight.Since, flight.LastEvent));
        flight.Book.Add(LimitPlace.Timeout, flight.Since, now);
        Begin(ref flight, now);
    }

    /// <summary>Decides what sends at even distances were.</summary>
    /// <param name="flight">The direction.</param>
    public static void EndRun(ref LimitFlight flight)
    {
        bool isPaced = flight.Run.IsPaced;
        flight.Book.Move(LimitPlace.RunAnswered, isPaced ? LimitPlace.Pacing : LimitPlace.Level);
        flight.Book.Move(LimitPlace.RunOpen, isPaced ? LimitPlace.Pacing : LimitPlace.Application);
        flight.Run = default;
    }

    static void Learn(ref LimitFlight flight, bool isClocked)
    {
        flight.Clocking = isClocked ? (byte)Math.Min(flight.Clocking + 1, MostHabit) : (byte)(flight.Clocking / 2);
        if (!isClocked || flight.Clocking >= Habit)
        {
            flight.Book.Move(LimitPlace.Chance, isClocked ? LimitPlace.Level : LimitPlace.Application);
        }
    }

    static void Begin(ref LimitFlight flight, TraceTime now)
    {
        flight.Samples++;
        flight.Since = now;
        flight.Marks &= ~(LimitMarks.Clocked | LimitMarks.PeerSpoke | LimitMarks.Opened | LimitMarks.Full);
    }

    // Full until it opened, or longer when the sender collected further acknowledgments and answered the last one.
    static void OnWindowFull(ref LimitFlight flight, TraceTime now)
    {
        bool isHeld = !flight.Is(LimitMarks.Opened) || now - flight.LastClock <= Answer(flight, now);
        TraceTime end = isHeld ? now : flight.Opened;
        flight.Book.Add(LimitPlace.ReceiveWindow, flight.Since, end);
        AddApplication(ref flight, end, now);
    }

    static bool IsClocked(in LimitFlight flight, int length, TraceTime now)
    {
        bool isReply = flight.Is(LimitMarks.PeerSpoke) && flight.InFlight == 0;
        bool isFull = flight.IsFull(length) || flight.Is(LimitMarks.Full); // small writes answer by chance, or wait for Nagle
        bool isAnswer = flight.Is(LimitMarks.Clocked) && now - flight.LastClock <= Answer(flight, now);
        bool isFlowing = flight.IsAway && now - flight.LastSend <= flight.SenderDelay / 4;
        return isFull && !isReply && (isAnswer || isFlowing);
    }

    // A burst may be stretched by pacing: what follows soon says nothing of what the burst waited for.
    static bool IsStretch(in LimitFlight flight, TraceTime now) => now - flight.Since < flight.Rtt.SrttNs / 8;

    // Sends follow each other closely where acknowledgments do: by chance not one in four comes so soon.
    static long Answer(in LimitFlight flight, TraceTime now) =>
        Math.Clamp((now - flight.Since) / 4, LeastAnswer, MostAnswer) + (flight.SenderDelay / 4);

    // The congestion window may have been cut unseen: what has been answered for two round trips is its new envelope.
    static bool IsAtEnvelope(ref LimitFlight flight, bool isClocked, TraceTime now)
    {
        if (!isClocked)
        {
            flight.Marks &= ~LimitMarks.Below;
            return false;
        }

        if (flight.IsAway || flight.Peak + Math.Max(2 * flight.Mss, flight.Envelope / 8) >= flight.Envelope)
        {
            flight.Marks &= ~LimitMarks.Below;
            return true;
        }

        flight.BelowSince = flight.Is(LimitMarks.Below) ? flight.BelowSince : now;
        flight.Marks |= LimitMarks.Below;
        flight.Envelope = now - flight.BelowSince > 2 * flight.Rtt.SrttNs ? flight.Peak : flight.Envelope;
        return false;
    }

    // The receive window had room. Bursts closer than half a round trip may be a run at even distances.
    static void OnRoom(ref LimitFlight flight, bool isClocked, TraceTime now)
    {
        long gap = now - flight.Since;
        bool hasHabit = flight.Clocking >= Habit;
        if (flight.Cwnd > 0)
        {
            OnKnownWindow(ref flight, isClocked, now);
            return;
        }

        bool isHeld = isClocked || (hasHabit && IsStretch(flight, now));
        TraceTime end = isHeld ? now : hasHabit && flight.Is(LimitMarks.Clocked) ? Later(flight.Since, flight.LastClock) : flight.Since;
        if (isClocked)
        {
            flight.Plateau.OnAnswer();
        }

        if (gap >= flight.Rtt.SrttNs / 2)
        {
            EndRun(ref flight);
            flight.Book.Add(hasHabit ? LimitPlace.Level : LimitPlace.Chance, flight.Since, end);
            AddApplication(ref flight, end, now);
            return;
        }

        if (!flight.Run.Continues(gap))
        {
            EndRun(ref flight);
        }

        flight.Run.Add(gap, isClocked, flight.Is(LimitMarks.EndedFull) && !flight.IsAway);
        flight.Book.Add(LimitPlace.RunAnswered, flight.Since, end);
        flight.Book.Add(LimitPlace.RunOpen, end, now);
    }

    // The stack tells its congestion window, and perhaps what is left to be sent: nothing is estimated.
    static void OnKnownWindow(ref LimitFlight flight, bool isClocked, TraceTime now)
    {
        // What held the burst back is the window of that time, or a smaller one since. Data is left, and goes out as acknowledgments come: the
        // window holds it, though a part of it may be kept for a larger segment.
        bool isFull = flight.Peak + flight.Mss > Math.Min(flight.PeakCwnd, flight.Cwnd) || (isClocked && flight.Unsent > 0);
        bool hasHabit = flight.Clocking >= Habit;
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
