using System;
using System.Buffers.Binary;
using System.Buffers.Text;

namespace TcpDiag.Traces.Pcapng;

/// <summary>Reads the options of a packet block into the record.</summary>
static class PcapngPacketOptions
{
    /// <summary>epb_flags: bits 0 and 1 are the direction.</summary>
    public const uint DirectionMask = 3;

    /// <summary>Type octet of an epb_verdict by Linux XDP; etl2pcapng uses it for drops by Windows.</summary>
    public const byte VerdictXdp = 2;

    /// <summary>XDP_DROP of linux/bpf.h.</summary>
    public const ulong XdpDrop = 1;

    /// <summary>Fills in what the options hold.</summary>
    /// <param name="options">Little-endian, without the length that ends the block.</param>
    /// <param name="source">The packet's interface; packets lost before this one are counted there.</param>
    /// <param name="record">The packet, with its details cleared.</param>
    public static void Read(ReadOnlySpan<byte> options, PcapngInterface source, ref TraceRecord record)
    {
        record.PcapngOptions = options;
        var reader = new PcapngOptionReader(options);
        while (reader.TryRead(out ushort code, out ReadOnlySpan<byte> value))
        {
            switch (code)
            {
                case PcapngOption.EpbFlags when value.Length == sizeof(uint):
                    record.Direction = (BinaryPrimitives.ReadUInt32LittleEndian(value) & DirectionMask) switch
                    {
                        1 => PacketDirection.Inbound,
                        2 => PacketDirection.Outbound,
                        _ => PacketDirection.Unknown,
                    };
                    break;
                case PcapngOption.EpbDropCount when value.Length == sizeof(ulong):
                    source.AddDropped(BinaryPrimitives.ReadUInt64LittleEndian(value));
                    break;
                case PcapngOption.EpbPacketId when value.Length == sizeof(ulong):
                    PcapngPacketId.Split(BinaryPrimitives.ReadUInt64LittleEndian(value), out ulong id, out ushort packet);
                    (record.PacketId, record.PacketNumber) = (id, packet);
                    break;
                case PcapngOption.EpbProcessIdThreadId when value.Length == sizeof(ulong):
                    record.ProcessId = BinaryPrimitives.ReadUInt32LittleEndian(value);
                    record.ThreadId = BinaryPrimitives.ReadUInt32LittleEndian(value[4..]);
                    break;
                case PcapngOption.EpbVerdict when value.Length == 1 + sizeof(ulong) && value[0] == VerdictXdp:
                    record.IsDropped |= BinaryPrimitives.ReadUInt64LittleEndian(value[1..]) == XdpDrop;
                    break;
                case PcapngOption.Comment when DropComment.TryRead(value, out PacketDrop drop):
                    record.Drop = drop;
                    record.IsDropped = true;
                    break;
                default:
                    break;
            }
        }
    }
}

/// <summary>
/// The comment that carries reason and place of a drop through pcapng, for which the format has no option:
/// <c>dropped: NAME at PLACE (1204@0xE0004500)</c>. The numbers at its end are read back.
/// </summary>
static class DropComment
{
    /// <summary>What the comment begins with.</summary>
    public static ReadOnlySpan<byte> Prefix => "dropped: "u8;

    /// <summary>Reads a comment.</summary>
    /// <param name="comment">Any comment of a packet, UTF-8.</param>
    /// <param name="drop">Why and where.</param>
    public static bool TryRead(ReadOnlySpan<byte> comment, out PacketDrop drop)
    {
        drop = default;
        int open = comment.LastIndexOf((byte)'(');
        if (!comment.StartsWith(Prefix) || open < 0 || comment[^1] != ')')
        {
            return false;
        }

        ReadOnlySpan<byte> numbers = comment[(open + 1)..^1];
        int at = numbers.IndexOf("@0x"u8);
        if (at < 0
            || !Utf8Parser.TryParse(numbers[..at], out uint reason, out int used) || used != at
            || !Utf8Parser.TryParse(numbers[(at + 3)..], out uint location, out used, 'X') || used != numbers.Length - at - 3)
        {
            return false;
        }

        drop = new PacketDrop(reason, location);
        return true;
    }
}

/// <summary>
/// epb_packetid: one number for a packet at all interfaces. PktMon numbers chains of packets, and the packets of a chain; the first
/// packet of a chain has the chain's number here, and the upper 16 bits distinguish the others. Numbers of other programs survive
/// being split and joined.
/// </summary>
static class PcapngPacketId
{
    const int ChainBits = 48;
    const ulong ChainMask = (1UL << ChainBits) - 1;

    /// <summary>The number of a packet.</summary>
    /// <param name="chain">Number of the chain; one of more than 48 bits stands for itself.</param>
    /// <param name="number">Which packet of the chain, from 1; 0 when there is none.</param>
    public static ulong Join(ulong chain, ushort number) => chain > ChainMask ? chain : chain | ((ulong)(Math.Max((int)number, 1) - 1) << ChainBits);

    /// <summary>Chain and packet of a number.</summary>
    /// <param name="packetId">epb_packetid.</param>
    /// <param name="chain">Number of the chain.</param>
    /// <param name="number">Which packet of the chain, from 1; 65,536 counts as 65,535.</param>
    public static void Split(ulong packetId, out ulong chain, out ushort number)
    {
        chain = packetId & ChainMask;
        number = (ushort)Math.Min(ushort.MaxValue, (packetId >> ChainBits) + 1);
    }
}

/// <summary>
/// Recognises packets that appear again under their packet id (epb_packetid): at another interface than the one the id was seen
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
