using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Traces.EtlPackets;

/// <summary>
/// Lengths of offloaded and cut segments that the stack did not log (<see cref="OffloadLengths"/>): a segment ends where
/// the next one of its flow and direction begins. Such a segment is held back, and with it what follows, until that one
/// comes or the room is full; then it keeps the captured length. The order of the records stays as it is.
/// </summary>
sealed class OffloadLookAhead
{
    // At most 128 KiB each (a packet event has 64 KiB, HeldRecord keeps twice that).
    const int MaxHeld = 128;

    // Flows whose latest held segment is remembered; a flow that shares a slot takes it over.
    const int FlowSlots = 256;

    readonly Slot[] _slots = new Slot[MaxHeld];
    readonly (ulong Flow, SequenceNumber Sequence)[] _latest = new (ulong, SequenceNumber)[FlowSlots];
    int _first;
    int _count;
    int _waiting;
    bool _isAtEnd;

    /// <summary>Whether nothing is held.</summary>
    public bool IsEmpty => _count == 0;

    /// <summary>A stack event that a record held next may keep: those held before have their own.</summary>
    public StackEvent FreeEvent => SlotAt(_count).Event ??= new StackEvent();

    /// <summary>Gives out the oldest record if nothing is left to wait for.</summary>
    /// <param name="record">Overwritten when the result is true; valid until the next <see cref="Hold"/>.</param>
    /// <returns>False when nothing is held, or the next record of the trace is needed first.</returns>
    public bool TryTake(ref TraceRecord record)
    {
        if (_count == 0 || (SlotAt(0).IsWaiting && _count < MaxHeld - 1 && !_isAtEnd))
        {
            return false;
        }

        ref Slot oldest = ref SlotAt(0);
        oldest.Held!.CopyTo(ref record);
        Settle(ref oldest);
        _first = (_first + 1) % MaxHeld;
        _count--;
        return true;
    }

    /// <summary>Takes the next record of the trace, and keeps it when it or one before it waits.</summary>
    /// <param name="record">The record.</param>
    /// <param name="isLengthMissing">Whether it is an offloaded segment of unknown length.</param>
    /// <returns>False when it need not be held: the caller passes it on.</returns>
    public bool Hold(scoped in TraceRecord record, bool isLengthMissing)
    {
        if (_count == 0 && !isLengthMissing)
        {
            return false;
        }

        ref Slot slot = ref SlotAt(_count);
        slot.IsWaiting = false;
        if (record.Kind == TraceRecordKind.Packet && (isLengthMissing || _waiting > 0))
        {
            var packet = default(ParsedPacket);
            if (PacketParser.TryParse(record.Data, record.LinkType, ref packet) && packet.IsTcp)
            {
                Look(packet, isLengthMissing, ref slot);
            }
        }

        if (_count == 0 && !slot.IsWaiting)
        {
            return false;
        }

        (slot.Held ??= new HeldRecord()).CopyFrom(record);
        _count++;
        return true;
    }

    /// <summary>Says that no record follows, so that what is held is given out.</summary>
    public void End() => _isAtEnd = true;

    void Look(in ParsedPacket packet, bool isLengthMissing, ref Slot slot)
    {
        ulong flow = FlowKey.Of(packet, out bool isFromHigh).Hash(isFromHigh ? 1UL : 0);
        for (int i = 0; i < _count && _waiting > 0; i++)
        {
            ref Slot earlier = ref SlotAt(i);
            if (earlier.IsWaiting && earlier.Flow == flow && earlier.TryEndAt(packet.Sequence))
            {
                Settle(ref earlier);
            }
        }

        if (isLengthMissing && !IsRetransmission(flow, packet.Sequence))
        {
            slot.Wait(flow, packet);
            _waiting++;
        }
    }

    // What follows a retransmission is no neighbour of it.
    bool IsRetransmission(ulong flow, SequenceNumber sequence)
    {
        ref (ulong Flow, SequenceNumber Sequence) latest = ref _latest[flow % FlowSlots];
        if (latest.Flow == flow && sequence < latest.Sequence)
        {
            return true;
        }

        latest = (flow, sequence);
        return false;
    }

    void Settle(ref Slot slot)
    {
        _waiting -= slot.IsWaiting ? 1 : 0;
        slot.IsWaiting = false;
    }

    ref Slot SlotAt(int index) => ref _slots[(_first + index) % MaxHeld];

    // Mutable on purpose: lives in the ring, its buffers stay with it.
    struct Slot
    {
        public HeldRecord? Held;
        public StackEvent? Event;
        public ulong Flow;
        public bool IsWaiting;
        SequenceNumber _dataStart;
        int _payloadOffset;
        int _finBytes;

        public void Wait(ulong flow, in ParsedPacket packet)
        {
            Flow = flow;
            IsWaiting = true;
            _payloadOffset = packet.PayloadOffset;
            _finBytes = (packet.Flags & TcpFlags.Fin) != 0 ? 1 : 0;
            _dataStart = packet.Sequence + ((packet.Flags & TcpFlags.Syn) != 0 ? 1 : 0);
        }

        // A segment that begins at or before this one is a copy, a retransmission or a keep-alive, and shows nothing.
        public readonly bool TryEndAt(SequenceNumber next)
        {
            int payload = next - _dataStart - _finBytes;
            return payload is > 0 and <= OffloadLengths.MaxBytes && Held!.TryReconstructLength(_payloadOffset + payload);
        }
    }
}
