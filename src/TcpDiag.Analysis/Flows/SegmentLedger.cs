using System;
using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Scoreboards;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Flows;

/// <summary>
/// Books one TCP segment to its connection. Everything is counted to the direction of the data it is about: a segment's
/// payload to its sender's direction, its acknowledgment, SACK blocks and window to the other one.
/// Definitions: docs/commands/analyze.md (retransmission: sequence space sent before; keep-alives and zero-window probes apart).
/// </summary>
sealed class SegmentLedger
{
    // A step no window allows (RFC 7323 §2.3: at most 2^30): the number belongs to something else.
    const int MaximumStep = 1 << 30;

    // A silence in which a lost packet may be hidden, where no round trip is known.
    const long ShortestPause = 1_000_000; // ns

    readonly FlightPool _flights;
    readonly RepairLedger _repairs;
    readonly ILedgerFollower _follower;
    LedgerStep _step;
    SegmentBurst _burst; // of the connection and direction of the segment booked last

    /// <summary>Makes a ledger.</summary>
    /// <param name="follower">Who gets each step once it is booked.</param>
    /// <param name="reasons">Who knows what senders told beside the packets; null when nothing is told.</param>
    public SegmentLedger(ILedgerFollower follower, IResendReasons? reasons = null)
    {
        _flights = new FlightPool();
        _repairs = new RepairLedger(_flights, follower, reasons);
        _follower = follower;
    }

    /// <summary>RTT samples and what else flights need.</summary>
    public FlightPool Flights => _flights;

    /// <summary>What was missing, SACKed or sent again.</summary>
    public RepairLedger Repairs => _repairs;

    /// <summary>How often the recording clock was set.</summary>
    public int ClockSteps { get; private set; }

    /// <summary>Whether there is something to be booked by <see cref="BookBurst"/>.</summary>
    public bool HasBurst => _burst.Packets > 0;

    /// <summary>The recording clock was set: each connection learns it with its next segment.</summary>
    public void OnClockStep() => ClockSteps++;

    /// <summary>Books a segment.</summary>
    /// <param name="connection">Its connection.</param>
    /// <param name="from">The direction of its payload.</param>
    /// <param name="packet">The segment.</param>
    /// <param name="frame">The frame it was parsed from.</param>
    /// <param name="time">When.</param>
    /// <param name="number">Number of the packet in the trace, from 1.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnSegment(ref ConnectionState connection, int from, in ParsedPacket packet, ReadOnlySpan<byte> frame, TraceTime time, long number)
    {
        if (connection.ClockSteps != ClockSteps)
        {
            OnClockStep(ref connection, time);
        }

        _step = default;
        _step.Time = time;
        _step.PacketNumber = number;
        _step.Flags = packet.Flags;
        _step.TsVal = packet.Options.TsVal;
        _step.TsEcr = packet.Options.TsEcr;
        Book(ref connection, from, packet, frame, time);
        _follower.OnStep(ref connection, from, _step);
    }

    /// <summary>Whether the segment booked last was new data, and told nothing else: what follows it may be booked by <see cref="TryContinue"/>.</summary>
    /// <param name="sent">The direction of its payload.</param>
    /// <param name="packet">The segment.</param>
    /// <returns>False when it has to be parsed and booked in full.</returns>
    public bool IsContinuable(in DirectionState sent, in ParsedPacket packet) =>
        _step is { Sent: SentKind.New, Advance: 0, SackBlockCount: 0, LostBefore: 0, IsCopy: false } && _step.Fresh == _step.Length
        && packet.Window != 0
        && (packet.Options.Has(TcpOptionKinds.Timestamps) || !sent.Is(DirectionMarks.HasTimestampsOption));

    /// <summary>Takes in a data segment that was predicted, to be booked at once or by <see cref="BookBurst"/>: it acknowledges what the one booked last did, in the same window, and goes on where that one ended.</summary>
    /// <param name="connection">The connection of both.</param>
    /// <param name="from">The direction of their payload.</param>
    /// <param name="segment">What is not as in the segment before.</param>
    /// <param name="frameLength">Bytes of its frame on the wire.</param>
    /// <param name="time">When.</param>
    /// <param name="number">Number of the packet in the trace, from 1.</param>
    /// <returns>False, and nothing is taken in, when its identification does not follow: packets were lost, or overtaken.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryContinue(ref ConnectionState connection, int from, in PredictedSegment segment, int frameLength, TraceTime time, long number)
    {
        ref DirectionState sent = ref connection.Direction[from];
        int segments = sent.WireSegmentsOf(segment.PayloadLength);
        ref FlightState flight = ref _flights.Of(ref sent);
        if (!flight.IpIds.TryTakeNext(segment.IpId, segments))
        {
            return false;
        }

        _flights.OnSent(ref sent, ref flight, segment.Sequence, segment.Sequence + segment.PayloadLength, time);
        if (!_burst.TryAdd(segment, frameLength, time, number))
        {
            BookBurst(ref connection, from);
            _burst.Add(segment, frameLength, time, number);
            Book(ref connection, from, segments);
            _follower.OnContinued(ref connection, from, _step);
            OpenBurst(connection, from);
        }

        return true;
    }

    /// <summary>Lets segments that follow the one booked last at once be booked together.</summary>
    /// <param name="connection">Its connection.</param>
    /// <param name="from">The direction of its payload.</param>
    public void OpenBurst(in ConnectionState connection, int from)
    {
        ref readonly DirectionState sent = ref connection.Direction[from];
        int oneSegment = Math.Min(sent.LargestPayload, sent.PieceLength);
        bool isMostAtEnd = sent.InFlight is >= 0 and <= int.MaxValue - SegmentBurst.MostBytes; // what is in flight grows up to the last segment
        _burst.Begin(_step.Time, oneSegment, isMostAtEnd ? _follower.MostGapInBurst(connection, from) : -1);
    }

    /// <summary>Books what <see cref="TryContinue"/> has not booked yet: to be called before anything else is asked of a connection, or told.</summary>
    /// <param name="connection">The connection of the segment booked last.</param>
    /// <param name="from">The direction of its payload.</param>
    public void BookBurst(ref ConnectionState connection, int from)
    {
        if (_burst.Packets > 0)
        {
            Book(ref connection, from, _burst.Packets);
            _follower.OnBurst(ref connection, from, _step);
        }

        _burst.End();
    }

    // Books the burst, which begins where the direction ends.
    void Book(ref ConnectionState connection, int from, int segments)
    {
        ref DirectionState sent = ref connection.Direction[from];
        ref readonly PredictedSegment last = ref _burst.Last;
        int bytes = last.Sequence + last.PayloadLength - _burst.Start;
        _step.Time = _burst.Time;
        _step.PacketNumber = _burst.PacketNumber;
        _step.Start = last.Sequence;
        _step.Length = last.PayloadLength;
        _step.TsVal = last.TsVal;
        _step.Flags = last.Flags;
        _step.WireSegments = segments;
        sent.Packets += _burst.Packets;
        sent.FrameBytes += _burst.FrameBytes;
        connection.Last = _burst.Time > connection.Last ? _burst.Time : connection.Last;
        sent.PayloadBytes += bytes;
        sent.WireSegments += segments;
        sent.LargestPayload = LargestOf(sent, last.PayloadLength);
        Extend(ref sent, _burst.Start, bytes, bytes, _burst.Time);
        _step.Fresh = last.PayloadLength;
        sent.LastTsVal = last.TsVal;
        sent.LastIpId = last.IpId;
    }

    /// <summary>Gives back what a direction used.</summary>
    /// <param name="direction">The direction.</param>
    public void Release(ref DirectionState direction)
    {
        _repairs.Release(direction);
        _flights.Release(ref direction);
    }

    void OnClockStep(ref ConnectionState connection, TraceTime time)
    {
        connection.ClockSteps = ClockSteps;
        foreach (ref DirectionState direction in connection.Direction)
        {
            FlightPool.StopSamples(ref direction);
        }

        _follower.OnClockStep(ref connection, time);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void Book(ref ConnectionState connection, int from, in ParsedPacket packet, ReadOnlySpan<byte> frame, TraceTime time)
    {
        ref DirectionState sent = ref connection.Direction[from];
        ref DirectionState acked = ref connection.Direction[from ^ 1];
        sent.Packets++;
        acked.Unanswered = 0;
        connection.Last = time > connection.Last ? time : connection.Last; // several interfaces may leave a file out of order
        if ((packet.Flags & (TcpFlags.Syn | TcpFlags.Rst | TcpFlags.Fin)) != 0 && !ControlSegments.OnSegment(ref connection, from, packet, ref _step))
        {
            return;
        }

        if (!connection.IsEstablished && Handshake.IsForeign(connection, from, packet))
        {
            _step.Sent = SentKind.Foreign;
            _step.Flags = TcpFlags.None; // it tells nobody anything
            return;
        }

        int segments = sent.WireSegmentsOf(packet.PayloadLength);
        if (sent.Flight.IsAny || packet.PayloadLength > 0)
        {
            OnIdentification(connection, ref sent, packet, segments);
        }

        OnSent(ref sent, ref acked, packet, segments, time, connection, from);
        if ((packet.Flags & TcpFlags.Ack) != 0)
        {
            if (!connection.IsEstablished && (packet.Flags & TcpFlags.Syn) == 0)
            {
                Handshake.OnAck(ref connection, from, packet, time);
            }

            OnAck(ref sent, ref acked, packet, frame, connection, from);
            if (connection.End == ConnectionEnd.Rst && _step.Advance > 0)
            {
                ControlSegments.OnAdvance(ref connection, acked, packet.Acknowledgment);
            }
        }

        if (sent.Is(DirectionMarks.HasTimestampsOption) && (packet.Options.Kinds & (TcpOptionKinds.Timestamps | TcpOptionKinds.Incomplete)) == 0)
        {
            sent.Unstamped += acked.Is(DirectionMarks.HasTimestampsOption) ? 1 : 0; // RFC 7323 §3.2: every segment carries them
        }

        sent.LastWindow = packet.Window;
        sent.LastTsVal = packet.Options.TsVal;
        sent.LastIpId = SendOrder.IpIdOf(packet);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void OnIdentification(in ConnectionState connection, ref DirectionState sent, in ParsedPacket packet, int segments)
    {
        if ((packet.Traits & PacketTraits.IsIpv6) == 0 && !_flights.Of(ref sent).IpIds.TryTakeNext((ushort)packet.IpId, segments))
        {
            OnOtherIdentification(sent, packet, segments, connection.HandshakeRtt);
        }
    }

    void OnOtherIdentification(in DirectionState sent, in ParsedPacket packet, int segments, long roundTrip)
    {
        bool isAfterPause = _step.Time - sent.LastSendTime > Math.Max(roundTrip / 2, ShortestPause);
        bool isDisturbed = isAfterPause || packet.Sequence != sent.SndMax || FlightPool.WasMissingAny(sent, _step.Time + (-2 * roundTrip));
        ref IpIdAccount ids = ref sent.Flight.Value.IpIds;
        bool isKnown = ids.Take((ushort)packet.IpId, sent.LastIpId, segments, isDisturbed, out int leftOut);
        _step.LostBefore = isDisturbed && ids.IsOwnCounter ? leftOut : 0;
        _step.IsCopy = isKnown && !isAfterPause; // a sender may use the number of the original again (RFC 1122 §3.2.1.5), later
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void OnSent(ref DirectionState sent, ref DirectionState acked, in ParsedPacket packet, int segments, TraceTime time, in ConnectionState connection, int from)
    {
        SequenceNumber start = packet.Sequence + (((int)packet.Flags >> 1) & 1);
        int length = packet.PayloadLength + ((int)packet.Flags & 1);
        _step.Start = start;
        _step.Length = length;
        if (!sent.Is(DirectionMarks.HasSequence))
        {
            Begin(ref sent, start);
        }

        if (length == 0)
        {
            if (start != sent.SndMax)
            {
                OnEmptyElsewhere(ref sent, acked, start);
            }

            return;
        }

        if (packet.PayloadLength > 0 && !OnPayload(ref sent, acked, packet.PayloadLength, segments, start, time))
        {
            return;
        }

        if (start == sent.SndMax)
        {
            OnNew(ref sent, start, length, packet.PayloadLength, time);
        }
        else
        {
            OnElsewhere(ref sent, acked, packet, time, connection, from);
        }
    }

    // Counts payload; false when the segment was a probe and occupies no sequence space.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    bool OnPayload(ref DirectionState sent, in DirectionState acked, int payload, int segments, SequenceNumber start, TraceTime time)
    {
        sent.PayloadBytes += payload;
        sent.WireSegments += segments;
        _step.WireSegments = segments;
        if (!sent.Is(DirectionMarks.DataSeen))
        {
            sent.FirstDataTime = time;
            sent.DataEnd = start;
            sent.Marks |= DirectionMarks.DataSeen;
        }

        if (payload == 1)
        {
            return !ProbeAccount.IsProbe(ref sent, acked, ref _step);
        }

        sent.LargestPayload = LargestOf(sent, payload);
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static int LargestOf(in DirectionState sent, int payload) =>
        payload > sent.LargestPayload && payload <= DirectionState.EthernetPayload ? payload : sent.LargestPayload;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void OnNew(ref DirectionState sent, SequenceNumber start, int length, int payload, TraceTime time)
    {
        Extend(ref sent, start, length, payload, time);
        _flights.OnSent(ref sent, ref _flights.Of(ref sent), start, sent.SndMax, time);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void Extend(ref DirectionState sent, SequenceNumber start, int length, int payload, TraceTime time)
    {
        sent.SndMax = start + length;
        sent.UniqueBytes += payload;
        sent.DataEnd = payload > 0 ? start + payload : sent.DataEnd;
        sent.MaxInFlight = Math.Max(sent.MaxInFlight, sent.InFlight);
        sent.LastSendTime = time;
        _step.Sent = _step.Sent == SentKind.None ? SentKind.New : _step.Sent;
        _step.Fresh = length;
    }

    static void Begin(ref DirectionState direction, SequenceNumber at)
    {
        direction.SndUna = at;
        direction.SndMax = at;
        direction.Marks |= DirectionMarks.HasSequence;
    }

    void OnEmptyElsewhere(ref DirectionState sent, in DirectionState acked, SequenceNumber start)
    {
        if (sent.Packets == 1 && start > sent.SndMax)
        {
            Begin(ref sent, start); // the first acknowledgment captured was older than the first segment
        }

        ProbeAccount.OnEmpty(ref sent, acked, ref _step);
    }

    // A segment that does not begin at SND.MAX.
    void OnElsewhere(ref DirectionState sent, in DirectionState acked, in ParsedPacket packet, TraceTime time, in ConnectionState connection, int from)
    {
        SequenceNumber start = _step.Start;
        int ahead = start - sent.SndMax;
        if (ahead > 0)
        {
            bool isKnown = sent.Packets > 1 && ahead < MaximumStep; // the first segment captured may start anywhere
            if (isKnown)
            {
                _repairs.OnJump(ref sent, packet, _step);
            }

            OnNew(ref sent, start, _step.Length, packet.PayloadLength, time);
            return;
        }

        int fresh = Math.Max(start + _step.Length - sent.SndMax, 0);
        int old = _step.Length - fresh;
        int resent = old == 0 ? 0 : old - _repairs.OnOldSequence(ref sent, packet, RoundTripOf(connection, from), ref _step);
        if (_step.Sent == SentKind.Retransmission)
        {
            Handshake.CountUnanswered(ref sent, time);
            FlightPool.StopSamples(ref sent);
            sent.LastSendTime = time;
        }

        int resentFin = fresh == 0 && resent > 0 ? (int)packet.Flags & 1 : 0;
        sent.UniqueBytes += packet.PayloadLength - (resent - resentFin);
        if (fresh > 0)
        {
            OnNew(ref sent, sent.SndMax, fresh, 0, time);
            sent.DataEnd = start + packet.PayloadLength;
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void OnAck(ref DirectionState sent, ref DirectionState acked, in ParsedPacket packet, ReadOnlySpan<byte> frame, in ConnectionState connection, int from)
    {
        if (!acked.Is(DirectionMarks.HasSequence))
        {
            Begin(ref acked, packet.Acknowledgment);
        }

        int advance = packet.Acknowledgment - acked.SndUna;
        _step.Acknowledgment = packet.Acknowledgment;
        if (advance is > 0 and < MaximumStep)
        {
            _step.Advance = advance;
            OnAdvance(ref acked, packet, connection, from);
        }
        else if (advance == 0 && packet.PayloadLength == 0)
        {
            AckAccount.OnSame(ref acked, sent, packet, ref _step);
        }

        if (packet.Options.SackBlocks > 0)
        {
            OnSack(ref acked, packet, frame, connection, from);
        }

        if (advance == 0 && _step.Length == 0 && acked.Flight.IsAny && AckAccount.IsRepeat(sent, acked, packet, _step))
        {
            OnRepeat(sent, acked, packet, connection, from);
        }

        AckAccount.OnWindow(sent, ref acked, packet, ref _step);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void OnAdvance(ref DirectionState acked, in ParsedPacket packet, in ConnectionState connection, int from)
    {
        if (packet.Acknowledgment > acked.SndMax)
        {
            AckAccount.OnUnseen(ref acked, ref _step);
        }

        if (acked.Flight.IsAny)
        {
            ref FlightState flight = ref acked.Flight.Value;
            _step.Rtt = _flights.OnAcknowledged(ref acked, ref flight, packet, _step.Time);
            if (flight.Board.IsAny)
            {
                OnAdvance(ref acked, flight, packet, connection, from);
            }
        }

        if ((packet.Flags & TcpFlags.Syn) != 0 && packet.Acknowledgment < acked.SndMax)
        {
            OnRefusedData(ref acked, packet.Acknowledgment);
        }

        acked.LastAckTime = acked.SndUna < acked.DataEnd ? _step.Time : acked.LastAckTime;
        acked.LastNewsTime = _step.Time;
        acked.SndUna = packet.Acknowledgment;
        acked.DupAckRun = 0;
    }

    // Something was missing, SACKed or resent, now or once.
    void OnAdvance(ref DirectionState acked, in FlightState flight, in ParsedPacket packet, in ConnectionState connection, int from)
    {
        ref Scoreboard board = ref flight.Board.Value;
        long toReceiver = RoundTrip.ToReceiverOf(HandshakeTimes.Of(connection, from ^ 1).ToReceiver, flight.Rtt.Min);
        if (!board.TryAdvance(acked.SndUna, packet.Acknowledgment, new(_step.Time, toReceiver)))
        {
            _repairs.OnAdvance(ref acked, ref board, packet, RoundTripOf(connection, from ^ 1), ref _step);
        }
    }

    // Data in a SYN that the answer leaves out is sent once more (RFC 7413 §4.2): nothing was lost.
    static void OnRefusedData(ref DirectionState sent, SequenceNumber end)
    {
        sent.UniqueBytes -= sent.SndMax - end;
        sent.SndMax = end;
        sent.DataEnd = end;
        sent.SendTimes = 0;
    }

    void OnRepeat(in DirectionState sent, in DirectionState acked, in ParsedPacket packet, in ConnectionState connection, int from) =>
        RepairLedger.OnRepeat(acked, _step.TsEcr, RoundTripOf(connection, from ^ 1), _step.Time, AckAccount.IsGrown(sent, packet));

    void OnSack(ref DirectionState acked, in ParsedPacket packet, ReadOnlySpan<byte> frame, in ConnectionState connection, int from)
    {
        SackAccount.OnSack(ref acked, packet, frame, ref _step);
        _repairs.OnSack(ref acked, RoundTripOf(connection, from ^ 1), ref _step);
        acked.LastNewsTime = _step.Time;
    }

    static RoundTrip RoundTripOf(in ConnectionState connection, int data)
    {
        var handshake = HandshakeTimes.Of(connection, data);
        return RoundTrip.Of(handshake.Whole, handshake.ToReceiver, FlightPool.MinRtt(connection.Direction[data]), FlightPool.MinRtt(connection.Direction[data ^ 1]));
    }
}
