using System;
using TcpDiag.Tcp.Timing;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>Tells whether a burst of data answers an acknowledgment.</summary>
static class AnswerJudge
{
    // The answer to an acknowledgment leaves the sender within microseconds; where a writer has to be woken first, within a millisecond or so.
    const long LeastAnswer = 50_000; // ns
    const long MostAnswer = 2_000_000; // ns

    // A waiting writer is woken sooner than this where a processor is free.
    const long WakeUp = 500_000; // ns

    // Where data was left, no writer has to be woken.
    const long StackAnswer = 100_000; // ns

    /// <summary>Judges a burst.</summary>
    /// <param name="flight">The direction, as it was before the burst.</param>
    /// <param name="length">Payload of its first segment, bytes.</param>
    /// <param name="now">When it began.</param>
    /// <returns>The answer.</returns>
    public static Answer Of(in LimitFlight flight, int length, TraceTime now)
    {
        bool isReply = flight.Is(LimitMarks.PeerSpoke) && flight.InFlight == 0;
        bool isFull = flight.IsFull(length) || flight.IsFull(flight.Peak); // small writes alone in flight answer by chance, or wait for Nagle
        if (!isFull || isReply)
        {
            return Answer.None;
        }

        if (IsFlowing(flight, now))
        {
            return Answer.Prompt;
        }

        return flight.Is(LimitMarks.Clocked) ? Of(flight, now) : IsProbe(flight, now) ? Answer.Late : Answer.None;
    }

    static Answer Of(in LimitFlight flight, TraceTime now)
    {
        long delay = now - flight.LastClock;
        return delay <= Soonest(flight, now) ? Answer.Immediate
            : delay <= Most(flight, now) ? Answer.Prompt
            : delay <= (now - flight.Since) / 2 || IsProbe(flight, now) ? Answer.Late
            : delay <= flight.Rtt.RtoNs(RtoLimits.Linux) ? Answer.Belated
            : Answer.None;
    }

    /// <summary>How a burst stands to the acknowledgment by which half of what was in flight before was acknowledged: a writer that waits for room is woken by that one at the latest.</summary>
    /// <param name="flight">The direction, as it was before the burst.</param>
    /// <param name="answer">How it stands to the latest acknowledgment.</param>
    /// <param name="now">When it began.</param>
    /// <returns>The same, or <see cref="Answer.Late"/>; away from the sender always the same.</returns>
    public static Answer ToRoom(in LimitFlight flight, Answer answer, TraceTime now)
    {
        bool isLater = !flight.IsAway && 2 * flight.InFlight <= flight.Peak && now - flight.Halved > Most(flight, now);
        return isLater && answer > Answer.Late ? Answer.Late : answer;
    }

    /// <summary>Whether data comes all the time, as seen from afar: of a round trip of it, some was clocked by acknowledgments. What holds its amount does not show there.</summary>
    /// <param name="flight">The direction, as it was before the burst.</param>
    /// <param name="now">When the burst began.</param>
    /// <returns>False at the sender.</returns>
    public static bool IsFlowing(in LimitFlight flight, TraceTime now) => flight.IsAway && now - flight.LastSend <= flight.SenderDelay / 4;

    /// <summary>The longest an answer takes. Sends follow each other closely where acknowledgments do: by chance not one in four comes so soon.</summary>
    /// <param name="flight">The direction, as it was before the burst.</param>
    /// <param name="now">When the burst began.</param>
    /// <returns>Nanoseconds.</returns>
    public static long Most(in LimitFlight flight, TraceTime now) =>
        Math.Clamp((now - flight.Since) / 4, LeastAnswer, MostAnswer) + (flight.SenderDelay / 4);

    /// <summary>
    /// Whether nothing was left, though the burst before ended full: half of it was acknowledged and yet nothing sent until a writer was woken. A stack holds back
    /// data that is left for a third of the window at most, to make larger segments of it (Linux: tcp_tso_win_divisor). Or the burst was smaller than what the congestion window is known to allow.
    /// Seen from afar, how long nothing was sent does not show, but which acknowledgment the sender had when it sent again: data that it had left echoes the one that let it go.
    /// </summary>
    /// <param name="flight">The direction, as it was before the burst.</param>
    /// <param name="now">When the burst began.</param>
    /// <returns>False when data may have been left.</returns>
    public static bool IsEmptied(in LimitFlight flight, TraceTime now) => flight.IsAway
        ? IsUnechoed(flight)
        : IsUnanswered(flight, now) || flight.Plateau.IsBelowCwnd(flight.Peak, flight.Mss, flight.Since);

    /// <summary>Whether a prompt answer is one of the stack itself, as to an acknowledgment that lets waiting data go: a sender that paces itself comes so soon by chance once in sixteen times.</summary>
    /// <param name="flight">The direction, as it was before the burst.</param>
    /// <param name="now">When the burst began.</param>
    /// <returns>False for one that took longer.</returns>
    public static bool IsOfStack(in LimitFlight flight, TraceTime now) =>
        flight.IsAway || now - flight.LastClock <= Math.Max((now - flight.Since) / 16, StackAnswer);

    /// <summary>
    /// Whether a pause may hide in the answer of a writer, as seen from afar: how full the buffer was shows less sharply there, but that others answer sooner does, by more than it takes to wake a writer.
    /// </summary>
    /// <param name="flight">The direction, as it was before the burst.</param>
    /// <param name="now">When the burst began.</param>
    /// <returns>False at the sender, and where no acknowledgment came since the burst before.</returns>
    public static bool IsLater(in LimitFlight flight, TraceTime now) =>
        flight.IsAway && flight.Is(LimitMarks.Clocked) && flight.Writer.IsLater(now - flight.LastClock - WakeUp);

    // New data of what was left, because nothing was acknowledged for long: a tail loss probe (RFC 8985 §7.3). Until then what was in flight held the sender.
    static bool IsProbe(in LimitFlight flight, TraceTime now) => flight.Is(LimitMarks.EndedFull) && flight.InFlight > 0 && flight.IsSilent(now);

    static bool IsUnanswered(in LimitFlight flight, TraceTime now) =>
        2 * flight.InFlight <= flight.Peak && (flight.LastClock - flight.Halved > StackAnswer || now - flight.Halved > WakeUp);

    static bool IsUnechoed(in LimitFlight flight) => flight.Is(LimitMarks.Echoes) && 2 * flight.InFlight <= flight.Peak
        && flight.HalvedTsVal != 0 && unchecked((int)(flight.ClockTsVal - flight.HalvedTsVal)) > 0;

    static long Soonest(in LimitFlight flight, TraceTime now) =>
        Math.Clamp((now - flight.Since) / 16, LeastAnswer, WakeUp) + (flight.SenderDelay / 16);
}
