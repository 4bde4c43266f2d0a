using System;
using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Memory;
using TcpDiag.Analysis.Sender;
using TcpDiag.Tcp.Spurious;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Receiver;

/// <summary>Takes in the acknowledgment, SACK blocks and window of a segment: what they say of the other end's data.</summary>
/// <param name="flights">Where the sent data of all ends is.</param>
/// <param name="recoveries">Follows what is missing, SACKed and resent.</param>
sealed class AckProcessor(FlightPool flights, RecoveryTracker recoveries)
{
    // An advance no window allows (RFC 7323 §2.3: at most 2^30): the number belongs to something else.
    const int MaxAdvance = 1 << 30;

    /// <summary>Takes in a segment with ACK.</summary>
    /// <param name="receiver">The end that acknowledges.</param>
    /// <param name="acker">What that end sends.</param>
    /// <param name="acked">The other end's data.</param>
    /// <param name="packet">The segment.</param>
    /// <param name="frame">The frame it was parsed from.</param>
    /// <param name="segment">Gets what the acknowledgment says.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnAck(
        ref ReceiveState receiver, in SendState acker, ref SendState acked, in ParsedPacket packet, ReadOnlySpan<byte> frame, ref Segment segment)
    {
        if (!acked.Space.IsKnown)
        {
            acked.Space.Begin(packet.Acknowledgment);
        }

        int advance = packet.Acknowledgment - acked.Space.SndUna;
        segment.Ack.Number = packet.Acknowledgment;
        if (advance is > 0 and < MaxAdvance)
        {
            segment.Ack.Advance = advance;
            OnAdvance(ref acked, acker, packet, ref segment);
        }
        else if (advance == 0 && packet.PayloadLength == 0)
        {
            if (packet.Window == 0 && acked is { Space.InFlight: 1, Counts.PayloadBytes: 1 })
            {
                OnRefusedProbe(ref acked, ref segment);
            }

            OnSameNumber(ref receiver, ref acked, acker, packet, ref segment);
        }

        if (packet.Options.SackBlocks > 0)
        {
            OnSack(ref receiver, ref acked, acker, packet, frame, ref segment);
        }

        if (advance == 0 && segment.Length == 0 && acked.Flight.IsAny && IsWithoutNews(receiver, acked, acker, packet, segment))
        {
            RecoveryTracker.OnAckWithoutNews(acked, segment, PathRtt.Of(acked, acker), IsGrown(receiver.Window, packet));
        }

        receiver.Window.OnAck(packet, ref segment.Ack);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void OnAdvance(ref SendState acked, in SendState acker, in ParsedPacket packet, ref Segment segment)
    {
        if (packet.Acknowledgment > acked.Space.SndMax)
        {
            OnUnseen(ref acked, ref segment);
        }

        if (acked.Flight.IsAny)
        {
            ref Flight flight = ref acked.Flight.Value;
            bool hasDuplicateAcks = acked.Space.DuplicateAcks > 0;
            segment.Ack.RttNanos = acked.Rtt.OnAcknowledged(ref flight, packet.Acknowledgment, hasDuplicateAcks, segment.Time, flights);
            if (flight.Recovery.IsAny)
            {
                OnAdvanceInRecovery(ref acked, ref flight, acker, packet, ref segment);
            }
        }

        if ((packet.Flags & TcpFlags.Syn) != 0 && packet.Acknowledgment < acked.Space.SndMax)
        {
            OnRefusedData(ref acked, packet.Acknowledgment);
        }

        acked.Times.LastAck = acked.Space.SndUna < acked.Space.DataEnd ? segment.Time : acked.Times.LastAck;
        acked.Times.LastNews = segment.Time;
        acked.Space.Acknowledge(packet.Acknowledgment);
    }

    // Something was missing, SACKed or resent, now or once.
    void OnAdvanceInRecovery(ref SendState acked, ref Flight flight, in SendState acker, in ParsedPacket packet, ref Segment segment)
    {
        long toReceiver = PathRtt.ToReceiverOf(acked.Rtt.Handshake.ToReceiverNanos, flight.Rtt.Min);
        if (!flight.Recovery.Value.TryAdvance(acked.Space.SndUna, packet.Acknowledgment, new(segment.Time, toReceiver)))
        {
            OnAdvanceAmongLosses(ref acked, ref flight, acker, packet, ref segment);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)] // nearly always all is at rest: that needs no room for it
    void OnAdvanceAmongLosses(ref SendState acked, ref Flight flight, in SendState acker, in ParsedPacket packet, ref Segment segment) =>
        recoveries.OnAdvance(ref acked, ref flight.Recovery.Value, packet, PathRtt.Of(acked, acker), ref segment);

    // An acknowledgment of what was not captured, or of the byte a zero-window probe carried.
    static void OnUnseen(ref SendState acked, ref Segment segment)
    {
        int bytes = segment.Ack.Number - acked.Space.SndMax;
        bool isProbeByte = acked.Probes.TakeProbeByte(bytes);
        acked.Counts.UniqueBytes += isProbeByte ? 1 : 0;
        acked.Counts.UnseenBytes += isProbeByte || IsOlder(acked, segment.Ack.Number) ? 0 : bytes;
        acked.Times.LastAck = isProbeByte ? segment.Time : acked.Times.LastAck;
        acked.Space.ExtendUnseen(segment.Ack.Number, isProbeByte);
        segment.Ack.Unseen = isProbeByte ? 0 : bytes;
    }

    // Whether it may have been sent before a capture that began late: nothing has been acknowledged yet that was seen to be sent for the first time, or it lies
    // below what had been SACKed. So it is where the capture begins during a recovery.
    static bool IsOlder(in SendState acked, SequenceNumber ack)
    {
        if (acked.Rtt.Handshake.WholeNanos > 0 || !acked.Flight.IsAny)
        {
            return false;
        }

        Pooled<LossRecovery> recovery = FlightPool.KnownRecoveryOf(acked);
        return acked.Flight.Value.Rtt.Count == 0 || (recovery.IsAny && recovery.Value.Missing.Old.Covers(ack));
    }

    // Data in a SYN that the answer leaves out is sent once more (RFC 7413 §4.2): nothing was lost.
    static void OnRefusedData(ref SendState sent, SequenceNumber end)
    {
        sent.Counts.UniqueBytes -= sent.Space.SndMax - end;
        sent.Space.CutTo(end);
        sent.Rtt.Clear();
    }

    // All that was ever seen of its data is one byte, and the window is closed: the capture began with a probe (RFC 9293 §3.8.6.1).
    static void OnRefusedProbe(ref SendState sent, ref Segment segment)
    {
        sent.Probes.OnRefused();
        OnRefusedData(ref sent, sent.Space.SndUna);
        segment.Ack.Marks |= AckMarks.ProbeRefused;
    }

    // A duplicate by RFC 5681 §2, but a changed window does not matter when SACK blocks say what arrived (RFC 6675 §2).
    static void OnSameNumber(ref ReceiveState receiver, ref SendState acked, in SendState acker, in ParsedPacket packet, ref Segment segment)
    {
        bool isDuplicate = acked.Space.InFlight != 0
            && (packet.Flags & (TcpFlags.Syn | TcpFlags.Fin)) == 0
            && packet.Sequence == acker.Space.SndMax
            && (packet.Window == receiver.Window.Unscaled || packet.Options.SackBlocks > 0);
        if (isDuplicate)
        {
            receiver.CountDuplicateAck();
            acked.Space.CountDuplicateAck();
            acked.Times.LastNews = segment.Time;
            segment.Ack.Marks |= AckMarks.Duplicate | (packet.Options.Has(TcpOptionKinds.Incomplete) ? AckMarks.OptionsCut : AckMarks.None);
        }
    }

    void OnSack(
        ref ReceiveState receiver, ref SendState acked, in SendState acker, in ParsedPacket packet, ReadOnlySpan<byte> frame, ref Segment segment)
    {
        SackReader.Read(ref receiver, packet, frame, ref segment.Ack);
        recoveries.OnSack(ref acked, PathRtt.Of(acked, acker), ref segment);
        acked.Times.LastNews = segment.Time;
    }

    // Whether an acknowledgment that repeats SND.UNA says nothing at all of data, so that it answers a duplicate: data above a gap would show in a SACK
    // block, and a DSACK would say so itself.
    static bool IsWithoutNews(in ReceiveState receiver, in SendState acked, in SendState acker, in ParsedPacket packet, in Segment segment) =>
        segment.Ack.Sack.NewBytes == 0 && !segment.Ack.IsDsack && receiver.Dsacks == 0
        && (packet.Flags & (TcpFlags.Syn | TcpFlags.Rst)) == 0
        && (packet.Window == receiver.Window.Unscaled || IsGrown(receiver.Window, packet))
        && packet.Sequence == acker.Space.SndMax
        && acked.Header.Sack == SackUse.On
        && !packet.Options.Has(TcpOptionKinds.Incomplete);

    // Whether it grants more than the one before, but less than twice as much. For room alone Linux sends none before that has doubled (tcp_cleanup_rbuf);
    // others do.
    static bool IsGrown(in ReceiveWindow window, in ParsedPacket packet) => packet.Window > window.Unscaled && packet.Window < 2 * window.Unscaled;
}

/// <summary>Reads SACK blocks (RFC 2018) and recognises DSACKs, by RFC 2883 and as the tshark filter <c>tcp.options.sack_le &lt; tcp.ack</c> counts.</summary>
static class SackReader
{
    /// <summary>Reads the SACK blocks of an acknowledgment.</summary>
    /// <param name="receiver">The end that sent it.</param>
    /// <param name="packet">A segment with SACK blocks.</param>
    /// <param name="frame">The frame it was parsed from.</param>
    /// <param name="effect">Gets the blocks.</param>
    public static void Read(ref ReceiveState receiver, in ParsedPacket packet, ReadOnlySpan<byte> frame, ref AckEffect effect)
    {
        bool isBelowAck = false;
        int count = Math.Min((int)packet.Options.SackBlocks, SackBlocks.MaxCount);
        for (int i = 0; i < count; i++)
        {
            SackBlock block = SackBlock.Read(frame, packet.Options, i);
            effect.Sack.Add(block);
            isBelowAck |= block.Left < packet.Acknowledgment;
        }

        bool isDsack = IsDsack(effect.Sack, packet.Acknowledgment);
        effect.Marks |= isDsack ? AckMarks.Dsack : AckMarks.None;
        receiver.CountSack(isDsack, isBelowAck);
    }

    static bool IsDsack(in SackBlocks sack, SequenceNumber acknowledgment)
    {
        DsackForm form = sack.Count < 2
            ? DsackDetector.Classify(acknowledgment, sack[0])
            : DsackDetector.Classify(acknowledgment, sack[0], sack[1]);
        return form != DsackForm.None;
    }
}
