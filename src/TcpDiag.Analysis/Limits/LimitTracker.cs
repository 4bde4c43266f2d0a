using System;
using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Flows;
using TcpDiag.Analysis.Timelines;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// Tells from packets what limits the sender of each direction, at every instant of its active time (docs/limits.md).
/// Captures away from the sender are moved there: an acknowledgment acts later, by the part of the round trip between
/// capture point and sender that the handshake shows.
/// </summary>
/// <param name="options">Where the capture was taken, if that is told.</param>
/// <param name="recorder">Records charts, null when none are wanted.</param>
sealed class LimitTracker(AnalysisOptions options, TimelineRecorder? recorder)
{
    // Up to here a capture counts as taken at the sender: its stack's own time to answer.
    const long LeastDelay = 500_000; // ns

    // States of less time and a smaller part of it have no place of their own in a report.
    const int SpanParts = 20;
    const long LeastSpan = 100_000_000; // ns

    readonly StructPool<LimitFlight> _flights = new();
    readonly StructPool<AckDelayLine> _lines = new();

    /// <summary>Whether acknowledgments matter to the sender of a direction: it has sent data.</summary>
    /// <param name="acked">The direction.</param>
    /// <returns>False when only what the other end sends does.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool Hears(in DirectionState acked) => acked.Limit.IsAny;

    /// <summary>Takes in data that went on where the data of the step before ended, and acknowledges nothing to anybody who hears it.</summary>
    /// <param name="sent">The direction.</param>
    /// <param name="peer">The other one.</param>
    /// <param name="step">What it did.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void OnContinued(in DirectionState sent, in DirectionState peer, in LedgerStep step) => OnData(ref sent.Limit.Value, sent, peer, step, step.Length);

    /// <inheritdoc cref="ILedgerFollower.MostGapInBurst"/>
    /// <param name="sent">The direction.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long MostGapInBurst(in DirectionState sent) => SenderTimeline.MostGapInBurst(sent.Limit.Value);

    /// <inheritdoc cref="ILedgerFollower.OnBurst"/>
    /// <param name="sent">The direction.</param>
    /// <param name="peer">The other one.</param>
    /// <param name="step">What the last segment did.</param>
    public static void OnBurst(in DirectionState sent, in DirectionState peer, in LedgerStep step)
    {
        ref LimitFlight flight = ref sent.Limit.Value;
        flight.Book.Packet = step.PacketNumber;
        flight.Answers.OnData(step, peer, flight.SenderDelay, isAllAcknowledged: false);
        SenderTimeline.OnBurst(ref flight, step, step.Length);
    }

    /// <inheritdoc cref="ILedgerFollower.Prefetch"/>
    public static void Prefetch(in ConnectionState connection)
    {
        connection.Direction[0].Limit.Prefetch();
        connection.Direction[1].Limit.Prefetch();
    }

    /// <inheritdoc cref="ILedgerFollower.OnStep"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnStep(ref ConnectionState connection, int from, in LedgerStep step)
    {
        ref DirectionState sent = ref connection.Direction[from];
        ref DirectionState acked = ref connection.Direction[from ^ 1];
        if (Hears(acked) && (step.Flags & (TcpFlags.Ack | TcpFlags.Rst)) == TcpFlags.Ack)
        {
            OnAcknowledgment(ref acked.Limit.Value, acked, sent, step);
        }

        int payload = step.Length - ((int)step.Flags & 1);
        if (payload > 0 && step.Sent is SentKind.New or SentKind.Retransmission)
        {
            if (!sent.Limit.IsAny)
            {
                Begin(ref connection, from, step);
            }

            OnData(ref sent.Limit.Value, sent, acked, step, payload);
        }
    }

    /// <inheritdoc cref="ILedgerFollower.OnClockStep"/>
    public static void OnClockStep(ref ConnectionState connection, TraceTime time)
    {
        foreach (ref DirectionState direction in connection.Direction)
        {
            if (direction.Limit.IsAny)
            {
                ref LimitFlight flight = ref direction.Limit.Value;
                SenderTimeline.OnGap(ref flight, flight.Max, time);
            }
        }
    }

    /// <inheritdoc cref="ILedgerFollower.OnFold"/>
    public void OnFold(ref ConnectionState connection, Connection result, TraceTime end)
    {
        Fold(ref connection.Direction[0], result, result.DirectionFrom(connection.Key.Low));
        Fold(ref connection.Direction[1], result, result.DirectionFrom(connection.Key.High));
    }

    /// <inheritdoc cref="ILedgerFollower.OnLook"/>
    public static void OnLook(ref readonly ConnectionState connection, Connection result, TraceTime now)
    {
        Look(connection.Direction[0], result, result.DirectionFrom(connection.Key.Low));
        Look(connection.Direction[1], result, result.DirectionFrom(connection.Key.High));
    }

    void Fold(ref DirectionState state, Connection connection, ConnectionDirection result)
    {
        if (!state.Limit.IsAny)
        {
            return;
        }

        ref LimitFlight flight = ref state.Limit.Value;
        if (result.ActiveTime is { } activeTime)
        {
            DrainLine(ref flight, state.FirstDataTime + activeTime, echo: 0);
        }

        Conclude(ref flight, state, connection, result);
        _lines.Return(ref flight.DelayLine);
        _flights.Return(ref state.Limit);
    }

    // On a copy: the connection goes on.
    static void Look(in DirectionState state, Connection connection, ConnectionDirection result)
    {
        if (state.Limit.IsAny)
        {
            LimitFlight flight = state.Limit.Value;
            flight.Book.Detach();
            Conclude(ref flight, state, connection, result);
        }
    }

    static void Conclude(ref LimitFlight flight, in DirectionState state, Connection connection, ConnectionDirection result)
    {
        result.Answers = flight.Is(LimitMarks.Placed) ? flight.Answers.Summarise() : null;
        result.RttLoad = flight.Load.Correlation;
        result.LongestRtt = flight.Load.Longest;
        if (result.ActiveTime is not { } activeTime || connection.IsOneSided || !IsTold(flight, connection, result))
        {
            return;
        }

        LimitTimes times = SenderTimeline.Finish(ref flight, state.FirstDataTime + activeTime, activeTime);
        bool isJudged = activeTime == 0 || times.In(LimitState.NotJudged) < activeTime;
        if (isJudged && !IsWayDoubtful(flight, times, connection, result))
        {
            result.Limits = Summarise(flight, times, result.MaxReceiveWindowBytes is not null);
            result.Cwnd = CwndOf(flight.Plateau);
        }
    }

    static LimitSummary Summarise(in LimitFlight flight, in LimitTimes times, bool isWindowKnown) => new(times, Evidence.Packets, flight.Samples)
    {
        Uncertain = Math.Min(flight.Uncertain + (LevelOf(flight) is null ? 0 : flight.Plateau.DoubtfulTime), times.In(LimitState.CongestionWindow)),
        UncertainSendBuffer = isWindowKnown ? Math.Min(flight.Writer.LateTime, times.In(LimitState.SendBuffer)) : times.In(LimitState.SendBuffer),
        Spans = SpansOf(flight.Book, times),
        SendBufferBytes = times.In(LimitState.SendBuffer) > 0 ? LevelOf(flight) : null,
    };

    static LimitSpan[] SpansOf(in LimitBook book, in LimitTimes times)
    {
        Span<LimitSpan> spans = stackalloc LimitSpan[LimitTimes.States];
        int count = 0;
        for (LimitState state = 0; (int)state < LimitTimes.States; state++)
        {
            long time = times.In(state);
            if (time > 0 && (time >= times.Total / SpanParts || time >= LeastSpan) && book.Longest(state) is { FirstPacket: > 0 } span)
            {
                spans[count++] = span;
            }
        }

        return spans[..count].ToArray();
    }

    // A writer is woken when a third of the buffer is free: where it waited with less in flight, the level that bursts kept is the buffer's.
    static int? LevelOf(in LimitFlight flight)
    {
        (int level, int kept) = (flight.Writer.Level, flight.Plateau.SendBufferLevel);
        return level > 0 && 3 * level >= 2 * kept ? level : kept > 0 ? kept : null;
    }

    static CwndSummary? CwndOf(in FlightPlateau plateau) =>
        plateau.Samples == 0 ? null : new(plateau.MaxCwnd, plateau.MinCwnd, Evidence.Packets, plateau.Samples);

    // Without the handshake the way from the capture point to the sender is unknown, unless both are on one machine.
    static bool IsTold(in LimitFlight flight, Connection connection, ConnectionDirection result) =>
        flight.Is(LimitMarks.Placed)
        || connection.Vantage == (result == connection.FromClient ? Vantage.Client : Vantage.Server);

    // Where packets overtake each other those of the handshake may have, too, and the way seems shorter than it is: then a full window looks like an application that pauses.
    // Echoed timestamps follow the way; else another round trip has to be as short.
    static bool IsWayDoubtful(in LimitFlight flight, in LimitTimes times, Connection connection, ConnectionDirection result)
    {
        RttSummary back = connection.Other(result).Rtt;
        long tolerance = flight.SenderDelay / 4;
        bool isConfirmed = back.Samples > 0 && back.Min <= flight.SenderDelay + tolerance;
        return flight.IsAway && !flight.Is(LimitMarks.Echoes) && !isConfirmed && result.Reordering?.MaxExtent > tolerance
            && times.In(LimitState.Application) > times.Total / 2;
    }

    void OnAcknowledgment(ref LimitFlight flight, in DirectionState acked, in DirectionState peer, in LedgerStep step)
    {
        flight.Book.Packet = step.PacketNumber;
        if (step.Rtt > 0)
        {
            flight.Rtt.OnSample(step.Rtt + flight.SenderDelay);
            flight.Load.Add(step.Rtt, flight.InFlight, new(step.PacketNumber, step.Time));
        }

        if (step.Advance > 0 || step.NewlySacked > 0)
        {
            SenderTimeline.OnNews(ref flight, step.Time);
        }
        else if (step is { IsSackWithoutNews: true, IsDsack: false, IsDuplicateAck: true })
        {
            flight.Stale.Add(step.Time);
        }

        var arrived = new ArrivedAck
        {
            Time = step.Time + (flight.SenderDelay - (flight.Is(LimitMarks.Echoes) ? 0 : flight.SenderDelay / 16)), // rather too early than too late to be answered
            Una = acked.SndUna,
            Edge = acked.SndUna + (int)Math.Min(step.Window, int.MaxValue),
            HasEdge = step.IsWindowKnown || (peer.LastWindow == 0 && (step.Flags & (TcpFlags.Syn | TcpFlags.Fin)) == 0),
            HasPayload = step.Length > 0,
            HasUnseen = step.Unseen > 0 && flight.IsAway, // at the sender the next data has shown it
            HasNews = step.NewlySacked > 0 || step.IsDuplicateAck,
            TsVal = step.TsVal,
        };
        if (flight.IsAway)
        {
            Delay(ref flight, arrived, step.Time);
        }
        else
        {
            SenderTimeline.OnArrived(ref flight, arrived);
        }
    }

    void Delay(ref LimitFlight flight, in ArrivedAck arrived, TraceTime now)
    {
        if (arrived.TsVal != 0 && !flight.Is(LimitMarks.EchoAwaited))
        {
            flight.EchoTsVal = arrived.TsVal;
            flight.EchoTime = now;
            flight.Marks |= LimitMarks.EchoAwaited;
        }

        if (!flight.DelayLine.IsAny)
        {
            flight.DelayLine = _lines.Take();
        }

        DrainLine(ref flight, now, echo: 0);
        flight.DelayLine.Value.Add(arrived);
    }

    static void DrainLine(ref LimitFlight flight, TraceTime now, uint echo)
    {
        if (flight.DelayLine.IsAny)
        {
            ref AckDelayLine line = ref flight.DelayLine.Value;
            while (line.TryTake(now, echo, out ArrivedAck arrived))
            {
                SenderTimeline.OnArrived(ref flight, arrived);
            }
        }
    }

    static void OnData(ref LimitFlight flight, in DirectionState sent, in DirectionState peer, in LedgerStep step, int payload)
    {
        flight.Book.Packet = step.PacketNumber;
        if (flight.IsAway)
        {
            Arrive(ref flight, step);
        }

        if (sent.Mss > 0)
        {
            flight.Marks |= LimitMarks.MssKnown;
            flight.Mss = sent.Mss;
        }
        else
        {
            flight.Mss = sent.LargestPayload > 0 ? sent.LargestPayload : DirectionState.EthernetPayload;
        }

        if (step.Sent == SentKind.Retransmission)
        {
            SenderTimeline.OnResent(ref flight, step);
        }
        else
        {
            flight.Answers.OnData(step, peer, flight.SenderDelay, flight.InFlight == 0);
            SenderTimeline.OnNew(ref flight, step, payload);
        }

        if (flight.IsAway)
        {
            flight.Clock.OnSent(step.TsVal, step.Time);
        }
    }

    // What the sender had before it sent a segment.
    static void Arrive(ref LimitFlight flight, in LedgerStep step)
    {
        flight.Marks |= step.TsEcr != 0 ? LimitMarks.Echoes : LimitMarks.None;
        FollowDelay(ref flight, step);
        DrainLine(ref flight, step.Time, step.TsEcr);
    }

    // The first data that echoes a timestamp answers the acknowledgment that carried it: queues of the moment are in the delay. Only data that comes all the time can be
    // queued; behind a silence the sender may have had nothing to send, and the way is as long as in the handshake at most.
    static void FollowDelay(ref LimitFlight flight, in LedgerStep step)
    {
        if (flight.Is(LimitMarks.EchoAwaited) && unchecked((int)(step.TsEcr - flight.EchoTsVal)) >= 0)
        {
            long delay = Math.Clamp(step.Time - flight.EchoTime, LeastDelay, int.MaxValue);
            long longest = AnswerJudge.IsFlowing(flight, step.Time) ? delay : Math.Min(delay, flight.HandshakeDelay);
            flight.SenderDelay = delay < flight.SenderDelay ? (int)delay : flight.SenderDelay + (int)(Math.Max(longest - flight.SenderDelay, 0) / 8);
            flight.Marks &= ~LimitMarks.EchoAwaited;
        }
    }

    void Begin(ref ConnectionState connection, int from, in LedgerStep step)
    {
        ref DirectionState sent = ref connection.Direction[from];
        sent.Limit = _flights.Take();
        ref LimitFlight flight = ref sent.Limit.Value;
        ref readonly DirectionState peer = ref connection.Direction[from ^ 1];
        flight.Since = flight.LastSend = flight.LastEvent = flight.Drained = step.Time;
        flight.Una = sent.SndUna;
        flight.Max = step.Start;
        flight.Book.Begin(step.PacketNumber);
        flight.Book.Ribbon = recorder is null ? null : new LimitRibbon(recorder, connection.Index, from);
        flight.Unsent = -1;
        if (connection is { IsEstablished: true, HandshakeRtt: > 0, IsHandshakeAmbiguous: false })
        {
            flight.Rtt.OnSample(connection.HandshakeRtt); // as a stack takes it (RFC 6298 §2.2)
        }

        Place(ref flight, connection, from);
        bool isOvertaking = step.Start != sent.SndUna; // it may have ended the handshake in its seeming, sooner than the way is long
        flight.HandshakeDelay = isOvertaking ? int.MaxValue : flight.SenderDelay;
        if (peer.Is(DirectionMarks.ScaleKnown))
        {
            flight.Window = peer.LastWindow << peer.WindowShift;
            flight.Edge = sent.SndUna + flight.Window;
            flight.Marks |= LimitMarks.EdgeKnown;
        }
    }

    // From SYN to SYN-ACK the way leads to the server and back, from there to the acknowledgment to the client and back.
    void Place(ref LimitFlight flight, in ConnectionState connection, int from)
    {
        bool isFromClient = from == connection.Client;
        bool isSenderTold = options.Vantage == (isFromClient ? Vantage.Client : Vantage.Server);
        bool isReceiverTold = options.Vantage == (isFromClient ? Vantage.Server : Vantage.Client);
        bool isKnown = connection is { IsEstablished: true, HandshakeRtt: > 0 };
        if (isSenderTold || !isKnown)
        {
            flight.Marks |= isSenderTold ? LimitMarks.Placed : LimitMarks.None;
            return;
        }

        long server = connection.SynAckDelay;
        long delay = isReceiverTold ? connection.HandshakeRtt : isFromClient ? connection.HandshakeRtt - server : server;
        bool isAtSender = delay < LeastDelay || delay < connection.HandshakeRtt / 8;
        flight.SenderDelay = isAtSender ? 0 : (int)Math.Min(delay, int.MaxValue);
        flight.Plateau.IsAway = flight.IsAway;
        flight.Marks |= LimitMarks.Placed;
    }
}
