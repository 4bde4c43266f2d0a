using System;
using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Flows;
using TcpDiag.Tcp.Timing;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// What limits the sender of one direction, while the connection is open. Instants are the sender's: what passes the
/// capture point is moved there by those who fill this in. Everything up to <see cref="Since"/> is booked.
/// </summary>
struct LimitFlight
{
    /// <summary>The smallest RTO of common stacks (Linux; tcp-conformance 13), nanoseconds: what is resent sooner was not resent by timer.</summary>
    public const long LeastRto = 200_000_000;

    const int FullLength = 4096; // bytes

    /// <summary>Where its time is booked.</summary>
    public LimitBook Book;

    /// <summary>Begin of the interval not judged yet: the first segment of the latest burst, or the end of a recovery.</summary>
    public TraceTime Since;

    /// <summary>Latest segment with data.</summary>
    public TraceTime LastSend;

    /// <summary>Latest segment with data, or acknowledgment.</summary>
    public TraceTime LastEvent;

    /// <summary>Latest acknowledgment that let the sender send more.</summary>
    public TraceTime LastClock;

    /// <summary>When the receive window, closed since the latest send, had room for a segment again; meaningful with <see cref="LimitMarks.Opened"/>.</summary>
    public TraceTime Opened;

    /// <summary>When half of what was in flight after the latest burst was acknowledged; meaningful when no more than that is in flight.</summary>
    public TraceTime Halved;

    /// <summary>Timestamp of the acknowledgment that did so; 0 without one.</summary>
    public uint HalvedTsVal;

    /// <summary>Timestamp of the latest acknowledgment that let the sender send more; 0 without one.</summary>
    public uint ClockTsVal;

    /// <summary>When nothing was in flight any more; meaningful while <see cref="Una"/> is <see cref="Max"/>.</summary>
    public TraceTime Drained;

    /// <summary>SND.UNA, as the sender knows it.</summary>
    public SequenceNumber Una;

    /// <summary>SND.MAX.</summary>
    public SequenceNumber Max;

    /// <summary>Right edge of the receive window, as the sender knows it; meaningful with <see cref="LimitMarks.EdgeKnown"/>.</summary>
    public SequenceNumber Edge;

    /// <summary>Where the recovery ends; meaningful with <see cref="LimitMarks.Recovering"/>.</summary>
    public SequenceNumber RecoveryPoint;

    /// <summary>Behind the latest gap in the capture; meaningful with <see cref="LimitMarks.Blind"/>.</summary>
    public SequenceNumber GapEnd;

    /// <summary>Payload of a full segment, bytes.</summary>
    public int Mss;

    /// <summary>In flight after the latest burst, bytes.</summary>
    public int Peak;

    /// <summary>Receive window, bytes; meaningful with <see cref="LimitMarks.EdgeKnown"/>.</summary>
    public int Window;

    /// <summary>Room in it after the latest send, bytes.</summary>
    public int Room;

    /// <summary>The congestion window its stack tells, bytes; 0 when it does not.</summary>
    public int Cwnd;

    /// <summary>The congestion window its stack told at the latest burst, bytes; 0 when it does not.</summary>
    public int PeakCwnd;

    /// <summary>Bytes posted to be sent and not sent yet; negative when that is not told.</summary>
    public long Unsent;

    /// <summary>Time in which data came all the time, seen from afar: see <see cref="LimitSummary.Uncertain"/>; nanoseconds.</summary>
    public long Uncertain;

    /// <summary>Delay from the capture point to the sender and back, nanoseconds; 0 for a capture at the sender.</summary>
    public int SenderDelay;

    /// <summary>The same delay as the handshake showed it, nanoseconds.</summary>
    public int HandshakeDelay;

    /// <summary>Timestamp whose echo is awaited, to follow <see cref="SenderDelay"/>; meaningful with <see cref="LimitMarks.EchoAwaited"/>.</summary>
    public uint EchoTsVal;

    /// <summary>When it passed the capture point.</summary>
    public TraceTime EchoTime;

    /// <summary>The sender's timestamp clock, by which a pause shows that a queue behind it has hidden; of captures away from it.</summary>
    public SenderClock Clock;

    /// <summary>What is known.</summary>
    public LimitMarks Marks;

    /// <summary>How often of late what was left of a burst that ended full came right after an acknowledgment: up by one each time, halved when not.</summary>
    public byte Clocking;

    /// <summary>Whether what follows bursts with which all that was written had been sent comes of a blocked writer.</summary>
    public BlockedWriter Writer;

    /// <summary>What held the sender back up to the latest burst; <see cref="LimitPlace.Application"/> when nothing did.</summary>
    public LimitPlace Holder;

    /// <summary>Acknowledgments on their way to the sender; none while there is no need.</summary>
    public Pooled<AckDelayLine> DelayLine;

    /// <summary>Intervals judged.</summary>
    public int Samples;

    /// <summary>Round-trip time and RTO.</summary>
    public RttEstimator Rtt;

    /// <summary>Whether that time grows with what is in flight.</summary>
    public RttLoad Load;

    /// <summary>How long it took to answer.</summary>
    public AnswerWaits Answers;

    /// <summary>Sends at even distances.</summary>
    public SendingRun Run;

    /// <summary>Whether what is in flight grows.</summary>
    public FlightPlateau Plateau;

    /// <summary>Acknowledgments without news.</summary>
    public StaleSacks Stale;

    /// <summary>Bytes in flight.</summary>
    public readonly int InFlight => Max - Una;

    /// <summary>Whether the capture was taken elsewhere than at the sender: what is known of it then is less sharp.</summary>
    public readonly bool IsAway => SenderDelay > 0;

    /// <summary>Room below which the receive window is full, bytes: a segment; seen from afar some more that were under way, unless echoed timestamps tell which acknowledgments the sender had.</summary>
    public readonly int LeastRoom => !IsAway ? Mss : Is(LimitMarks.Echoes) ? 2 * Mss : Math.Max(4 * Mss, Window / 8);

    /// <summary>
    /// Whether the latest send filled the receive window. Where it ended with less than a full segment although there was room, it had no more to send: else it would have kept that until
    /// a full segment fits (RFC 9293 §3.8.6.2.1). Seen from afar, that room may not have been there yet.
    /// </summary>
    public readonly bool IsWindowFull
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Is(LimitMarks.EdgeKnown) && Room < LeastRoom && (Room <= 0 || IsAway || Is(LimitMarks.EndedFull));
    }

    /// <summary>Whether data was left to be sent after the latest burst: only what ends the data ends with less than a full segment (RFC 9293 §3.8.6.2.1).</summary>
    public readonly bool HasLeft => Is(LimitMarks.EndedFull) && !Is(LimitMarks.Emptied);

    /// <summary>
    /// What was in flight when all that was written had been sent, bytes; 0 when the burst ended full all the same: a program's data seldom ends there, but what a full send buffer
    /// takes of it does, and how full that was does not show once a part had been acknowledged.
    /// </summary>
    public readonly int Fill => Is(LimitMarks.EndedFull) ? 0 : Peak;

    /// <summary>Whether a segment is full, or as large as writes that jumbo frames hold whole.</summary>
    /// <param name="length">Its payload, bytes.</param>
    /// <returns>True for a full one.</returns>
    public readonly bool IsFull(int length) => length >= Math.Min(Mss, FullLength);

    /// <summary>Whether a burst that ends with it ends with a full wire segment.</summary>
    /// <param name="length">Payload of the segment, which may be offloaded, bytes.</param>
    /// <returns>False when the last wire segment is not full: nothing was left to be sent (RFC 9293 §3.8.6.2.1).</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool EndsFull(int length) => IsFull(length) && (length <= Mss || !Is(LimitMarks.MssKnown) || length % Mss == 0);

    /// <summary>
    /// Whether nothing has been sent and heard for as long as a timer takes: a probe comes after two round trips (RFC 8985 §7.2), a timeout after one and the least RTO; a
    /// reordering timer takes one at most. An eighth is for what is not known so well.
    /// </summary>
    /// <param name="now">The instant.</param>
    /// <returns>True for a silence of that length.</returns>
    public readonly bool IsSilent(TraceTime now)
    {
        long timer = Rtt.SrttNs + Math.Min(Rtt.SrttNs, LeastRto);
        return timer > 0 && now - LastEvent >= timer - (timer / 8);
    }

    /// <summary>Whether any of the marks is set.</summary>
    /// <param name="marks">The marks asked for.</param>
    /// <returns>True when at least one is.</returns>
    public readonly bool Is(LimitMarks marks) => (Marks & marks) != 0;
}
