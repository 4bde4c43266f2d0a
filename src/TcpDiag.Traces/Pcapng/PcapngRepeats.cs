using System;

namespace TcpDiag.Traces.Pcapng;

/// <summary>
/// Tells packets that appear again under their packet id (epb_packetid): at another interface than the one the id was seen
/// at first, or there with the same bytes. One id may name a chain of packets, so other bytes at the first interface are
/// another packet. Remembers the latest few thousand ids, which is far more than a machine has under way.
/// </summary>
sealed class PcapngRepeats
{
    const int SlotBits = 12;

    // 2^64 divided by the golden ratio: spreads consecutive ids over the slots (Knuth, TAOCP 3, 6.4).
    const ulong Golden = 0x9E37_79B9_7F4A_7C15;

    readonly Slot[] _slots = new Slot[1 << SlotBits];

    /// <summary>Sets <see cref="TraceRecord.Appearance"/> and <see cref="TraceRecord.IsRepeat"/>.</summary>
    /// <param name="record">A packet with a packet id.</param>
    public void Mark(ref TraceRecord record)
    {
        ulong packetId = PcapngPacketId.Join(record.PacketId, record.PacketNumber);
        ref Slot slot = ref _slots[unchecked((int)((packetId * Golden) >> (64 - SlotBits)))];
        var hash = default(HashCode);
        hash.AddBytes(record.Data);
        int content = hash.ToHashCode();
        if (slot.PacketId != packetId)
        {
            slot = new Slot { PacketId = packetId, InterfaceIndex = record.InterfaceIndex, Content = content, Appearances = 1 };
            record.Appearance = 1;
        }
        else if (slot.InterfaceIndex == record.InterfaceIndex && slot.Content != content)
        {
            record.Appearance = 1;
        }
        else
        {
            slot.Appearances = (ushort)Math.Min(ushort.MaxValue, slot.Appearances + 1);
            record.Appearance = slot.Appearances;
            record.IsRepeat = true;
        }
    }

    struct Slot
    {
        public ulong PacketId;
        public int InterfaceIndex;
        public int Content;
        public ushort Appearances;
    }
}
