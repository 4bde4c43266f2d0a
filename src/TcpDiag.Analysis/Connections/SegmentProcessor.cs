using System;
using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Receiver;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Connections;

/// <summary>
/// Takes one TCP segment into its connection. Payload counts for the end that sent it, its acknowledgment, SACK blocks and window for the other
/// end's data. Definitions: docs/commands/analyze.md (retransmission: sequence space sent before; keep-alives and zero-window probes apart).
/// </summary>
sealed class SegmentProcessor
{
    // A step no window allows (RFC 7323 §2.3: at most 2^30): the number belongs to something else.
    const int MaxStep = 1 << 30;

    readonly FlightPool _flights = new();
    readonly RecoveryTracker _recoveries;
    readonly AckProcessor _acks;
    readonly IDirectionObserver _observer;
    Segment _segment;

    /// <summary>Makes a processor.</summary>
    /// <param name="observer">Is shown each segment once it is taken in.</param>
    /// <param name="evidence">What senders' stacks named beside the packets; null when nothing.</param>
    public SegmentProcessor(IDirectionObserver observer, ISenderEvidence? evidence = null)
    {
        _recoveries = new RecoveryTracker(_flights, observer, evidence);
        _acks = new AckProcessor(_flights, _recoveries);
        _observer = observer;
    }

    /// <summary>What is kept of sent data.</summary>
    public FlightPool Flights => _flights;

    /// <summary>What was missing, SACKed or sent again.</summary>
    public RecoveryTracker Recoveries => _recoveries;

    /// <summary>How often the recording clock was set.</summary>
    public int ClockSteps { get; private set; }

    /// <summary>The recording clock was set: each connection learns it with its next segment.</summary>
    public void OnClockStep() => ClockSteps++;

    /// <summary>Takes in a segment.</summary>
    /// <param name="connection">Its connection.</param>
    /// <param name="from">The end that sent it.</param>
    /// <param name="sender">The same, so that it is looked up once for all.</param>
    /// <param name="packet">The segment.</param>
    /// <param name="frame">The frame it was parsed from.</param>
    /// <param name="time">When.</param>
    /// <param name="number">Number of the packet in the trace, from 1.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnSegment(
        ref ConnectionState connection, int from, ref EndState sender, in ParsedPacket packet, ReadOnlySpan<byte> frame, TraceTime time, long number)
    {
        ref EndState receiver = ref connection.EndOf(from ^ 1);
        if (connection.ClockSteps != ClockSteps)
        {
            OnClockStep(ref connection, time);
        }

        _segment = default;
        _segment.Time = time;
        _segment.PacketNumber = number;
        _segment.Flags = packet.Flags;
        _segment.TsVal = packet.Options.TsVal;
        _segment.Ack.TsEcr = packet.Options.TsEcr;
        _segment.Sent.IsMarked = EcnCounts.IsMarked(packet.TrafficClass);
        Process(ref connection, from, ref sender, ref receiver, packet, frame, time);
        _observer.OnSegment(ref connection, from, ref sender, ref receiver, _segment);
    }

    /// <summary>Whether the latest segment was new data, and said nothing else: what follows it may go to <see cref="TryContinue"/>.</summary>
    /// <param name="sent">The end that sent it.</param>
    /// <param name="packet">The segment.</param>
    /// <returns>False when what follows has to be parsed.</returns>
    public bool IsContinuable(in SendState sent, in ParsedPacket packet) =>
        _segment.Sent.Kind == SentKind.New && _segment.Sent.MissingBefore == 0 && !_segment.Sent.IsCopy
        && _segment.Ack.Advance == 0 && _segment.Ack.Sack.Count == 0
        && _segment.Sent.NewBytes == _segment.Length
        && packet.Window != 0
        && !EcnCounts.IsIn(_segment) // or each that follows would have to be counted
        && (packet.Options.Has(TcpOptionKinds.Timestamps) || !sent.Header.HasTimestamps);

    /// <summary>
    /// Takes in a data segment that was predicted: it acknowledges what the latest segment did, in the same window, and goes on where that one ended
    /// (<see cref="HeaderPrediction"/>).
    /// </summary>
    /// <param name="connection">The connection of both.</param>
    /// <param name="from">The end that sent them.</param>
    /// <param name="predicted">What is not as in the segment before.</param>
    /// <param name="frameLength">Bytes of its frame on the wire.</param>
    /// <param name="time">When.</param>
    /// <param name="number">Number of the packet in the trace, from 1.</param>
    /// <returns>False, and nothing is taken in, when its identification does not follow: packets were lost, or overtaken.</returns>
    public bool TryContinue(ref ConnectionState connection, int from, in PredictedSegment predicted, int frameLength, TraceTime time, long number)
    {
        ref EndState sender = ref connection.EndOf(from);
        ref EndState receiver = ref connection.EndOf(from ^ 1);
        ref SendState sent = ref sender.Send;
        int segments = sent.Sizes.WireSegmentsOf(predicted.PayloadLength);
        ref Flight flight = ref sent.Flight.Value;
        if (!flight.IpIds.TryTakeNext(predicted.IpId, segments))
        {
            return false;
        }

        _segment.Time = time;
        _segment.PacketNumber = number;
        _segment.Start = predicted.Sequence;
        _segment.Length = predicted.PayloadLength;
        _segment.TsVal = predicted.TsVal;
        _segment.Flags = predicted.Flags;
        _segment.Sent.WireSegments = segments;
        sent.Counts.Packets++;
        sent.Counts.FrameBytes += frameLength;
        connection.Captured.Extend(time);
        sent.CountPayload(predicted.Sequence, predicted.PayloadLength, segments, time);
        sent.Sizes.OnPayload(predicted.PayloadLength, predicted.Sequence, sent.Space.SndUna);
        OnNew(ref sent, ref flight, predicted.Sequence, predicted.PayloadLength, predicted.PayloadLength);
        if (!receiver.Receive.Window.IsScaleKnown)
        {
            OnFlight(connection, from, sent, ref receiver.Receive.Window);
        }

        sent.Header.LastTsVal = predicted.TsVal;
        sent.Header.LastIpId = predicted.IpId;
        _observer.OnPredicted(ref connection, from, ref sender, ref receiver, _segment);
        return true;
    }

    /// <summary>Says which segments may be coalesced behind the latest one.</summary>
    /// <param name="connection">Its connection.</param>
    /// <param name="from">The end that sent it.</param>
    /// <param name="segments">Begins behind it.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void BeginCoalescing(ref ConnectionState connection, int from, CoalescedSegments segments)
    {
        ref EndState sender = ref connection.EndOf(from);
        ref EndState receiver = ref connection.EndOf(from ^ 1);
        CoalescingLimit limit = default;
        if (receiver.Receive.Window.IsScaleKnown)
        {
            limit.End = _observer.CoalescingLimit(sender, receiver);
            limit.MaxPayload = sender.Send.Sizes.KnownPayload;
            limit.IsCounted = sender.Send.Flight.Value.IpIds.TryGetNext(out limit.NextIpId);
        }

        segments.Begin(_segment.Time, limit);
    }

    /// <summary>Takes in what was coalesced behind the latest segment: each was one wire segment, and larger than none before.</summary>
    /// <param name="connection">Its connection.</param>
    /// <param name="from">The end that sent all.</param>
    /// <param name="segments">At least one.</param>
    public void OnCoalesced(ref ConnectionState connection, int from, CoalescedSegments segments)
    {
        ref EndState sender = ref connection.EndOf(from);
        ref SendState sent = ref sender.Send;
        ref Flight flight = ref sent.Flight.Value;
        sent.Rtt.OnSent(ref flight, segments.Sent, _flights);
        SendTime last = segments.Sent[^1];
        _segment.Start = sent.Space.SndMax;
        _segment.Length = last.End - _segment.Start;
        _segment.Time = segments.Time;
        _segment.PacketNumber = segments.PacketNumber;
        _segment.TsVal = segments.TsVal;
        _segment.Flags = segments.Flags;
        _segment.Sent.WireSegments = segments.Packets;
        _ = flight.IpIds.TryGetNext(out ushort ipId) && flight.IpIds.TryTakeNext(ipId, segments.Packets);
        sent.Counts.Packets += segments.Packets;
        sent.Counts.FrameBytes += segments.FrameBytes;
        sent.Counts.WireSegments += segments.Packets;
        sent.Counts.PayloadBytes += _segment.Length;
        connection.Captured.Extend(segments.Time);
        sent.Extend(_segment.Start, _segment.Length, _segment.Length, ref _segment);
        sent.Header.LastTsVal = segments.TsVal;
        sent.Header.LastIpId = segments.IpId;
        _observer.OnCoalesced(ref sender, ref connection.EndOf(from ^ 1), _segment, last.End - last.Start);
    }

    /// <summary>No further segment comes: from now on connections are only summed up and released.</summary>
    public void Close() => _flights.Close();

    /// <summary>Gives back what a connection used.</summary>
    public void Release(ref ConnectionState connection)
    {
        _flights.Release(ref connection.Ends[0].Send);
        _flights.Release(ref connection.Ends[1].Send);
    }

    void OnClockStep(ref ConnectionState connection, TraceTime time)
    {
        connection.ClockSteps = ClockSteps;
        foreach (ref EndState end in connection.Ends)
        {
            end.Send.Rtt.Stop(end.Send.Space);
        }

        _observer.OnClockStep(ref connection, time);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void Process(
        ref ConnectionState connection, int from, ref EndState sender, ref EndState receiver, in ParsedPacket packet, ReadOnlySpan<byte> frame, TraceTime time)
    {
        sender.Send.Counts.Packets++;
        receiver.Send.Times.OnHeard();
        connection.Captured.Extend(time);
        if ((packet.Flags & (TcpFlags.Syn | TcpFlags.Rst | TcpFlags.Fin)) != 0 && !OnControl(ref connection, from, packet, time))
        {
            return;
        }

        if (!connection.Handshake.IsEstablished && Handshake.IsForeign(connection, from, packet))
        {
            _segment.Sent.Kind = SentKind.Foreign;
            _segment.Flags = TcpFlags.None; // it says nothing to anybody
            return;
        }

        int segments = sender.Send.Sizes.WireSegmentsOf(packet.PayloadLength);
        if (sender.Send.Flight.IsAny || packet.PayloadLength > 0)
        {
            OnIdentification(connection, ref sender.Send, packet, segments);
        }

        if (packet.PayloadLength > 0 && !sender.Send.Space.HasData && !sender.Syn.IsSeen)
        {
            BeginLate(ref sender.Send, packet, connection.Captured.Start);
        }

        OnSent(ref sender.Send, receiver, packet, segments, time);
        if (_segment.Sent.Kind == SentKind.New && !receiver.Receive.Window.IsScaleKnown)
        {
            OnFlight(connection, from, sender.Send, ref receiver.Receive.Window);
        }

        if ((packet.Flags & TcpFlags.Ack) != 0)
        {
            OnAck(ref connection, from, ref sender, ref receiver.Send, packet, frame, time);
        }

        OnHeader(ref sender, receiver, packet);
    }

    void OnFlight(in ConnectionState connection, int from, in SendState sent, ref ReceiveWindow window)
    {
        window.OnFlight(sent.Space.InFlight, sent.Sizes.FullPayload);
        if (window.IsScaleKnown)
        {
            _observer.OnScaleShown(in connection, from);
        }
    }

    // What was acknowledged up to here had been sent before the capture began; so had this, where its stack says that it is sent again.
    void BeginLate(ref SendState sent, in ParsedPacket packet, TraceTime begin)
    {
        sent.Counts.UnseenBytes = 0;
        if (!_recoveries.IsNamed(packet))
        {
            return;
        }

        if (!sent.Space.IsKnown)
        {
            sent.Space.Begin(packet.Sequence);
        }

        SequenceNumber end = packet.Sequence + packet.PayloadLength;
        if (end > sent.Space.SndMax && end - sent.Space.SndMax < MaxStep)
        {
            sent.BeginResent(end, begin);
        }
    }

    // False for a reset, whose numbers need not fit.
    bool OnControl(ref ConnectionState connection, int from, in ParsedPacket packet, TraceTime time)
    {
        if ((packet.Flags & TcpFlags.Rst) != 0)
        {
            _segment.Sent.Kind = Closing.OnReset(ref connection, from, packet);
            return false;
        }

        if ((packet.Flags & TcpFlags.Syn) != 0)
        {
            Handshake.OnSyn(ref connection, from, packet, time);
        }

        if ((packet.Flags & TcpFlags.Fin) != 0)
        {
            Closing.OnFin(ref connection, from);
        }

        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void OnAck(
        ref ConnectionState connection, int from, ref EndState sender, ref SendState acked, in ParsedPacket packet, ReadOnlySpan<byte> frame, TraceTime time)
    {
        if (!connection.Handshake.IsEstablished && (packet.Flags & TcpFlags.Syn) == 0)
        {
            Handshake.OnAck(ref connection, from, packet, time);
        }

        _acks.OnAck(ref sender.Receive, sender.Send, ref acked, packet, frame, ref _segment);
        if (connection.Closing.End == ConnectionEnd.Rst && _segment.Ack.Advance > 0)
        {
            Closing.OnAdvance(ref connection, from ^ 1, packet.Acknowledgment);
        }
    }

    // What the header says of its end beside data and acknowledgment.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static void OnHeader(ref EndState sender, in EndState receiver, in ParsedPacket packet)
    {
        ref HeaderFields header = ref sender.Send.Header;
        if (header.HasTimestamps && (packet.Options.Kinds & (TcpOptionKinds.Timestamps | TcpOptionKinds.Incomplete)) == 0)
        {
            header.Unstamped += receiver.Send.Header.HasTimestamps ? 1 : 0; // RFC 7323 §3.2: every segment carries them
        }

        sender.Receive.Window.OnSegment(packet.Window);
        header.LastTsVal = packet.Options.TsVal;
        header.LastIpId = IpIdSequence.Of(packet);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void OnIdentification(in ConnectionState connection, ref SendState sent, in ParsedPacket packet, int segments)
    {
        if ((packet.Traits & PacketTraits.IsIpv6) == 0 && !_flights.Of(ref sent).IpIds.TryTakeNext((ushort)packet.IpId, segments))
        {
            OnOtherIdentification(sent, packet, segments, connection.Handshake.RttNanos);
        }
    }

    void OnOtherIdentification(in SendState sent, in ParsedPacket packet, int segments, long roundTripNanos)
    {
        ref Flight flight = ref sent.Flight.Value;
        bool isAfterPause = _segment.Time - sent.Times.LastSend > Math.Max(roundTripNanos / 2, Thresholds.MinPauseNanos);
        bool isDisturbed = isAfterPause || packet.Sequence != sent.Space.SndMax
            || (flight.Recovery.IsAny && flight.Recovery.Value.Missing.WasAny(_segment.Time + (-2 * roundTripNanos)));
        bool isKnown = flight.IpIds.Take((ushort)packet.IpId, sent.Header.LastIpId, segments, isDisturbed, out int leftOut);
        _segment.Sent.MissingBefore = isDisturbed && flight.IpIds.IsOwnCounter ? (ushort)leftOut : (ushort)0;
        _segment.Sent.IsCopy = isKnown && !isAfterPause; // a sender may use the number of the original again (RFC 1122 §3.2.1.5), later
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void OnSent(ref SendState sent, in EndState receiver, in ParsedPacket packet, int segments, TraceTime time)
    {
        SequenceNumber start = packet.Sequence + (((int)packet.Flags >> 1) & 1);
        int length = packet.PayloadLength + ((int)packet.Flags & 1);
        _segment.Start = start;
        _segment.Length = length;
        if (!sent.Space.IsKnown)
        {
            sent.Space.Begin(start);
        }

        if (length == 0)
        {
            if (start != sent.Space.SndMax)
            {
                OnEmptyElsewhere(ref sent, receiver, start);
            }

            return;
        }

        if (packet.PayloadLength > 0 && !OnPayload(ref sent, receiver, packet.PayloadLength, segments, time))
        {
            return;
        }

        if (start == sent.Space.SndMax)
        {
            OnNew(ref sent, start, length, packet.PayloadLength);
        }
        else
        {
            OnElsewhere(ref sent, receiver.Send, packet, time);
        }
    }

    // Counts payload; false when the segment was a probe and occupies no sequence space.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    bool OnPayload(ref SendState sent, in EndState receiver, int payload, int segments, TraceTime time)
    {
        _segment.Sent.WireSegments = segments;
        sent.CountPayload(_segment.Start, payload, segments, time);
        if (payload == 1)
        {
            return !sent.Probes.IsProbe(sent.Space, receiver.IsWindowClosed, ref _segment);
        }

        sent.Sizes.OnPayload(payload, _segment.Start, sent.Space.SndUna);
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void OnNew(ref SendState sent, SequenceNumber start, int length, int payload) =>
        OnNew(ref sent, ref _flights.Of(ref sent), start, length, payload);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void OnNew(ref SendState sent, ref Flight flight, SequenceNumber start, int length, int payload)
    {
        sent.Extend(start, length, payload, ref _segment);
        if (payload > 0)
        {
            sent.Rtt.OnSent(ref flight, start, start + length, _segment.Time, _flights); // no FIN alone: its answer may wait for a program
        }
    }

    void OnEmptyElsewhere(ref SendState sent, in EndState receiver, SequenceNumber start)
    {
        if (sent.Counts.Packets == 1 && start > sent.Space.SndMax)
        {
            sent.Space.Begin(start); // the first acknowledgment captured was older than the first segment
        }

        sent.Probes.OnEmpty(sent.Space, receiver.IsWindowClosed, ref _segment);
    }

    // A segment that does not begin at SND.MAX.
    void OnElsewhere(ref SendState sent, in SendState other, in ParsedPacket packet, TraceTime time)
    {
        SequenceNumber start = _segment.Start;
        int ahead = start - sent.Space.SndMax;
        if (ahead > 0)
        {
            bool isKnown = sent.Counts.Packets > 1 && ahead < MaxStep; // the first segment captured may start anywhere
            if (isKnown)
            {
                _recoveries.OnJump(ref sent, packet, _segment);
            }

            OnNew(ref sent, start, _segment.Length, packet.PayloadLength);
            return;
        }

        int fresh = Math.Max(start + _segment.Length - sent.Space.SndMax, 0);
        int old = _segment.Length - fresh;
        int resent = old == 0 ? 0 : old - _recoveries.OnOldSequence(ref sent, packet, PathRtt.Of(sent, other), ref _segment);
        if (_segment.Sent.Kind == SentKind.Retransmission)
        {
            sent.Times.CountUnanswered(time);
            sent.Rtt.Stop(sent.Space);
            sent.Times.LastSend = time;
        }

        int resentFin = fresh == 0 && resent > 0 ? (int)packet.Flags & 1 : 0;
        sent.Counts.UniqueBytes += packet.PayloadLength - (resent - resentFin);
        if (fresh > 0)
        {
            OnNew(ref sent, sent.Space.SndMax, fresh, 0);
            sent.Space.ExtendData(start + packet.PayloadLength);
        }
    }
}
