using System;
using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Connections;
using TcpDiag.Analysis.Delivery;
using TcpDiag.Analysis.Memory;
using TcpDiag.Analysis.Receiver;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Analysis.Timelines;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// Finds from packets what limits the sender of each end's data, at every instant of its active time (docs/limits.md). Captures away from the sender
/// are moved there: an acknowledgment acts later, by the part of the round trip between capture point and sender that the handshake shows.
/// </summary>
/// <param name="options">Where the capture was taken, if that is given.</param>
/// <param name="recorder">Records charts, null when none are wanted.</param>
sealed class LimitTracker(AnalysisOptions options, TimelineRecorder? recorder)
{
    readonly StructPool<SenderLimits> _limits = new();
    readonly StructPool<AckDelayLine> _lines = new();
    readonly StructPool<DeliveryRate> _rates = new();
    readonly SlowStartTracker _starts = new();
    readonly SenderExtras _extras = new();

    /// <inheritdoc cref="IDirectionObserver.Close"/>
    public void Close()
    {
        _limits.Close();
        _lines.Close();
        _rates.Close();
        _starts.Close();
    }

    /// <inheritdoc cref="IDirectionObserver.Prefetch"/>
    public static void Prefetch(in ConnectionState connection)
    {
        Of(connection.Ends[0]).Prefetch();
        Of(connection.Ends[1]).Prefetch();
    }

    /// <inheritdoc cref="IDirectionObserver.OnSegment"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnSegment(ref ConnectionState connection, int from, ref EndState sender, ref EndState receiver, in Segment segment)
    {
        if (receiver.Limits.IsAny && (segment.Flags & (TcpFlags.Ack | TcpFlags.Rst)) == TcpFlags.Ack)
        {
            OnAcknowledgment(ref Of(receiver).Value, receiver.Send, sender.Receive, segment);
        }

        int payload = segment.Length - ((int)segment.Flags & 1);
        if (segment.Length == 1 && payload == 0 && sender.Limits.IsAny)
        {
            OnFin(ref Of(sender).Value, segment);
        }

        if (payload > 0 && segment.Sent.Kind is SentKind.New or SentKind.Retransmission)
        {
            if (!sender.Limits.IsAny)
            {
                Begin(ref connection, from, segment);
            }

            if (segment.Sent.Kind == SentKind.New)
            {
                OnNew(ref Of(sender).Value, sender.Send, receiver.Send, segment, payload);
            }
            else
            {
                OnResent(ref Of(sender).Value, sender.Send, segment);
            }
        }
    }

    /// <inheritdoc cref="IDirectionObserver.OnPredicted"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnPredicted(ref EndState sender, ref EndState receiver, in Segment segment)
    {
        if (receiver.Limits.IsAny)
        {
            OnAcknowledgment(ref Of(receiver).Value, receiver.Send, sender.Receive, segment);
        }

        OnNew(ref Of(sender).Value, sender.Send, receiver.Send, segment, segment.Length);
    }

    /// <inheritdoc cref="IDirectionObserver.CoalescingLimit"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static SequenceNumber CoalescingLimit(in EndState sender, in EndState receiver)
    {
        SequenceNumber max = sender.Send.Space.SndMax;
        return receiver.Limits.IsAny && Of(receiver).Value.HearsRepeats ? max : Of(sender).Value.CoalescingLimit(max);
    }

    /// <inheritdoc cref="IDirectionObserver.OnCoalesced"/>
    public void OnCoalesced(ref EndState sender, ref EndState receiver, in Segment segment, int lastPayload)
    {
        if (receiver.Limits.IsAny)
        {
            OnAcknowledgment(ref Of(receiver).Value, receiver.Send, sender.Receive, segment);
        }

        Of(sender).Value.GoOn(segment, lastPayload);
    }

    /// <inheritdoc cref="IDirectionObserver.OnClockStep"/>
    public static void OnClockStep(ref ConnectionState connection, TraceTime time)
    {
        foreach (ref EndState end in connection.Ends)
        {
            if (end.Limits.IsAny)
            {
                ref SenderLimits limits = ref Of(end).Value;
                limits.OnGap(limits.SndMax, time);
            }
        }
    }

    /// <inheritdoc cref="IDirectionObserver.IsAtSender"/>
    public static bool IsAtSender(in EndState end) => end.Limits.IsAny && IsAtSender(Of(end).Value);

    static bool IsAtSender(in SenderLimits limits) =>
        limits.Phase.IsAtSender || limits.Quiet.IsAtSender || limits.Path is { IsHere: true } or { WasLearned: true, IsAway: false };

    /// <inheritdoc cref="IDirectionObserver.OnSenderHere"/>
    public static bool OnSenderHere(in EndState end)
    {
        if (!end.Limits.IsAny)
        {
            return false;
        }

        Of(end).Value.PlaceHere();
        return true;
    }

    /// <inheritdoc cref="IDirectionObserver.SenderDelay"/>
    public static long? SenderDelay(in EndState end) => end.Limits.IsAny && Of(end).Value.Path.LearnedNanos is > 0 and var delay ? delay : null;

    /// <summary>Measures what limited the sender of one end's data.</summary>
    /// <param name="end">The end.</param>
    /// <param name="facts">What is known of its data.</param>
    /// <param name="isOver">Whether nothing more comes; else it is measured on a copy, and the connection goes on.</param>
    /// <returns>Limits, congestion window, and what acknowledgments and answers took.</returns>
    public static DirectionMeasures Measure(in EndState end, in DirectionFacts facts, bool isOver)
    {
        if (!end.Limits.IsAny)
        {
            return default;
        }

        TraceTime begin = end.Send.Times.FirstData;
        if (isOver)
        {
            ref SenderLimits limits = ref Of(end).Value;
            if (facts.ActiveTime is { } activeTime)
            {
                Deliver(ref limits, begin + activeTime, echo: 0);
            }

            return Measure(ref limits, begin, facts);
        }

        SenderLimits soFar = Of(end).Value;
        soFar.Detach();
        DirectionMeasures measures = Measure(ref soFar, begin, facts);
        soFar.Release();
        return measures;
    }

    /// <inheritdoc cref="ISegmentObserver.OnClosed"/>
    public void OnClosed(ref ConnectionState connection)
    {
        foreach (ref EndState end in connection.Ends)
        {
            if (end.Limits.IsAny)
            {
                Pooled<SenderLimits> pooled = Of(end);
                pooled.Value.Release();
                pooled.Value.Path.Release(_lines);
                _rates.Return(ref pooled.Value.Rate);

                _starts.Release(ref pooled.Value);
                _limits.Return(ref pooled);
                end.Limits = default;
            }
        }
    }

    static Pooled<SenderLimits> Of(in EndState end) => end.Limits.As<SenderLimits>();

    static DirectionMeasures Measure(ref SenderLimits limits, TraceTime begin, in DirectionFacts facts) => new()
    {
        Answers = limits.Path.IsKnown ? limits.Waits.Summarise() : null,
        RttLoad = limits.Load.Correlation,
        Delivery = limits.Rate.IsAny ? limits.Rate.Value.Summarise(limits.Mss) : null,
        SlowStart = limits.Start.IsAny ? limits.Start.Value.Summary : null,
        LongestRtt = limits.Load.Longest,
        Limits = LimitsOf(ref limits, begin, facts, out CwndSummary? cwnd), // last: this judges the time up to the end
        Cwnd = cwnd,
    };

    // Null where packets do not show them.
    static LimitSummary? LimitsOf(ref SenderLimits limits, TraceTime begin, in DirectionFacts facts, out CwndSummary? cwnd)
    {
        cwnd = null;

        // Without the handshake the path from the capture point to the sender is unknown, unless both are on one machine.
        bool isSenderKnown = limits.Path.IsKnown || facts.IsAtSender;
        if (facts.ActiveTime is not { } activeTime || facts.IsOneSided || !isSenderKnown)
        {
            return null;
        }

        LimitTimes times = limits.Finish(begin + activeTime, activeTime);
        bool isJudged = activeTime == 0 || times.In(LimitState.NotJudged) < activeTime;
        if (!isJudged || IsPathDoubtful(limits, times, facts))
        {
            return null;
        }

        cwnd = limits.Cwnd;
        return Summarise(limits, times, facts.IsWindowKnown);
    }

    static LimitSummary Summarise(in SenderLimits limits, in LimitTimes times, bool isWindowKnown) => new(times, Evidence.Packets, limits.Samples)
    {
        Uncertain = Math.Min(limits.UncertainNanos, times.In(LimitState.CongestionWindow)),
        UncertainSendBuffer = isWindowKnown ? Math.Min(limits.DoubtfulBufferNanos, times.In(LimitState.SendBuffer)) : times.In(LimitState.SendBuffer),
        Spans = limits.SpansOf(times),
        SendBufferBytes = times.In(LimitState.SendBuffer) > 0 ? limits.SendBufferBytes : null,
        FullWindow = limits.Rate.IsAny && limits.Rate.Value.FullWindow.IsAny && times.In(LimitState.ReceiveWindow) > 0
            ? limits.Rate.Value.FullWindow.Value.Summary : null,
    };

    // Where packets overtake each other those of the handshake may have, too, and the path seems shorter than it is: then a full window looks like an
    // application that pauses. Echoed timestamps follow the path; else another round trip has to be as short.
    static bool IsPathDoubtful(in SenderLimits limits, in LimitTimes times, in DirectionFacts facts)
    {
        long tolerance = limits.Path.DelayNanos / 4;
        bool isConfirmed = facts.RttBack.Samples > 0 && facts.RttBack.Min <= limits.Path.DelayNanos + tolerance;
        return limits.Path.IsAway && !limits.Path.HasEchoes && !isConfirmed && facts.MaxReorderingNanos > tolerance
            && times.In(LimitState.Application) > times.Total / 2;
    }

    void OnAcknowledgment(ref SenderLimits limits, in SendState acked, in ReceiveState acker, in Segment segment)
    {
        limits.OnPacket(segment.PacketNumber);
        uint sample = 0;
        if (segment.Ack.RttNanos > 0)
        {
            sample = limits.OnRtt(segment.Ack.RttNanos + limits.Path.DelayNanos);
            limits.Load.Add(segment.Ack.RttNanos, limits.InFlight, new(segment.PacketNumber, segment.Time));
        }

        if (limits.IsRecovering || segment.Ack.Unseen > 0)
        {
            limits.OnDisturbed(acker.HasSackBlocks, segment);
        }
        else if (segment.Ack.Delivered > 0)
        {
            limits.OnDelivered(segment, sample, _rates);
        }

        if (segment.Ack.Advance > 0 || segment.Ack.Sack.NewBytes > 0)
        {
            limits.OnNews(segment.Time);
        }
        else if (segment.Ack.IsSackWithoutNews && segment.Ack.IsDuplicate && !segment.Ack.IsDsack)
        {
            limits.OnStaleSack(segment.Time);
        }

        if (limits.Path.IsAway)
        {
            Delay(ref limits, acked, acker.Window, segment);
        }
        else
        {
            OnArrived(ref limits, acked, acker.Window, segment);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void OnArrived(ref SenderLimits limits, in SendState acked, in ReceiveWindow window, in Segment segment)
    {
        if (limits.Path.IsLearning)
        {
            limits.Path.AwaitEcho(segment.TsVal, segment.Time, limits.LastAck);
            if (segment.Length == 0)
            {
                limits.Quiet.OnAck(segment.Time, limits.LastEvent);
            }
        }

        int inFlight = limits.InFlight;
        int peak = limits.HasSentSinceAck && !limits.IsRecovering ? inFlight : 0;
        limits.OnArrived(ArrivedOf(limits, acked, window, segment, segment.Time, hasUnseen: false)); // at the sender the next data has shown it
        if (limits.Start.IsAny)
        {
            _starts.OnAcknowledged(ref limits, acked, segment, inFlight, peak);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static ArrivedAck ArrivedOf(
        in SenderLimits limits, in SendState acked, in ReceiveWindow window, in Segment segment, TraceTime time, bool hasUnseen)
    {
        return new()
        {
            Time = time,
            Una = acked.Space.SndUna,
            Edge = acked.Space.SndUna + (int)Math.Min(segment.Ack.IsWindowKnown ? segment.Ack.Window : window.MaxBytes, int.MaxValue / 2),
            HasEdge = segment.Ack.IsWindowKnown || (segment.Ack.HasWindow && (segment.Ack.Window == 0 || limits.HasEdge)), // closed and open show at any scale
            HasPayload = segment.Length > 0,
            HasUnseen = hasUnseen,
            HasNews = segment.Ack.Sack.NewBytes > 0 || segment.Ack.IsDuplicate,
            TsVal = segment.TsVal,
        };
    }

    // A method of its own: what is seen at the sender needs no room for what waits.
    [MethodImpl(MethodImplOptions.NoInlining)]
    void Delay(ref SenderLimits limits, in SendState acked, in ReceiveWindow window, in Segment segment)
    {
        ArrivedAck ack = ArrivedOf(limits, acked, window, segment, segment.Time, segment.Ack.Unseen > 0);
        limits.Path.Prepare(ack, segment.Time, _lines);
        Deliver(ref limits, segment.Time, echo: 0);
        limits.Path.Enqueue(ack);
    }

    static void Deliver(ref SenderLimits limits, TraceTime now, uint echo)
    {
        while (limits.Path.TryTake(now, echo, out ArrivedAck ack))
        {
            limits.OnArrived(ack);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)] // by itself it has registers for all it needs
    void OnNew(ref SenderLimits limits, in SendState sent, in SendState peer, in Segment segment, int payload)
    {
        OnData(ref limits, sent, segment);
        limits.Phase.OnData(segment.Time);
        limits.Waits.OnData(segment, peer, limits.Path, limits.InFlight == 0);
        limits.OnNew(segment, payload);
        _starts.OnSent(ref limits, segment.Time);
        limits.OpenBurst(SlowStartTracker.QuietBytes(limits));
    }

    static void OnResent(ref SenderLimits limits, in SendState sent, in Segment segment)
    {
        OnData(ref limits, sent, segment);
        limits.OnResent(segment, sent.Space.SndUna >= sent.Space.DataEnd);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static void OnData(ref SenderLimits limits, in SendState sent, in Segment segment)
    {
        limits.OnPacket(segment.PacketNumber);
        if (limits.Path.IsLearning)
        {
            OnDataUnplaced(ref limits, segment);
        }

        if (limits.Path.IsAway)
        {
            OnDataFromAfar(ref limits, segment);
        }

        limits.OnSizes(sent.Sizes);
    }

    // A FIN without data limits nothing, but it may answer the last acknowledgment.
    static void OnFin(ref SenderLimits limits, in Segment segment)
    {
        if (limits.Path.IsLearning)
        {
            limits.Quiet.OnData(segment.Time, limits.MinRttNanos);
        }
    }

    // Where the capture was taken has not shown yet.
    static void OnDataUnplaced(ref SenderLimits limits, in Segment segment)
    {
        limits.Quiet.OnData(segment.Time, limits.MinRttNanos);
        int? learned = limits.WindowOpened is { } opened
            ? limits.Path.LearnFromWindow(opened, segment.Time, limits.MinRttNanos)
            : limits.Path.Learn(segment.Ack.TsEcr, segment.Time, limits.LastSend, limits.MinRttNanos);
        if (learned is { } delay)
        {
            limits.PlaceLate(delay, segment.Time);
        }
    }

    // What the sender had before it sent a segment.
    static void OnDataFromAfar(ref SenderLimits limits, in Segment segment)
    {
        limits.Path.OnEcho(segment.Ack.TsEcr);
        limits.Path.OnData(segment.Ack.TsEcr, segment.Time, limits.IsFlowing(segment.Time));
        Deliver(ref limits, segment.Time, segment.Ack.TsEcr);
    }

    void Begin(ref ConnectionState connection, int from, in Segment segment)
    {
        ref EndState sender = ref connection.Ends[from];
        ref readonly ReceiveWindow window = ref connection.Ends[from ^ 1].Receive.Window;
        Pooled<SenderLimits> pooled = _limits.Take();
        sender.Limits = pooled.As<Untyped>();
        ref SenderLimits limits = ref pooled.Value;
        bool isResent = segment.Sent.Kind == SentKind.Retransmission; // sent first before the capture began
        limits.Begin(
            isResent ? sender.Send.Times.FirstData : segment.Time, sender.Send.Space.SndUna, isResent ? sender.Send.Space.SndMax : segment.Start);
        limits.BeginTimeline(segment.PacketNumber, _extras, recorder is null ? default : new IntervalChart(recorder, connection.Index, from));
        if (!connection.Handshake.IsEstablished)
        {
            limits.BeginLate();
        }

        if (connection.Handshake.HasRtt)
        {
            limits.OnRtt(connection.Handshake.RttNanos); // as a stack takes it (RFC 6298 §2.2)
        }

        Place(ref limits, connection.Handshake, from);
        limits.Path.KeepHandshakeDelay(isReliable: segment.Start == sender.Send.Space.SndUna);
        if (!limits.Path.IsKnown)
        {
            limits.Path.BeginLearning();
        }

        if (window.IsScaleKnown)
        {
            limits.OnWindow(window.Bytes);
        }
    }

    // From SYN to SYN-ACK the path leads to the server and back, from there to the acknowledgment to the client and back.
    void Place(ref SenderLimits limits, in HandshakeState handshake, int from)
    {
        bool isFromClient = from == handshake.Client;
        bool isSenderGiven = options.Vantage == (isFromClient ? Vantage.Client : Vantage.Server);
        bool isReceiverGiven = options.Vantage == (isFromClient ? Vantage.Server : Vantage.Client);
        bool isMeasured = handshake is { IsEstablished: true, RttNanos: > 0 };
        if (isSenderGiven)
        {
            limits.Place(0);
        }
        else if (isMeasured)
        {
            long server = handshake.SynAckDelayNanos;
            long delay = isReceiverGiven ? handshake.RttNanos : isFromClient ? handshake.RttNanos - server : server;
            bool isAtSender = delay < Thresholds.MinSenderDelayNanos || delay < handshake.RttNanos / 8;
            limits.Place(isAtSender ? 0 : delay);
        }
    }
}
