using System;
using System.Buffers.Binary;

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

    /// <summary>Fills in what the options tell.</summary>
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
                    PcapngPacketId.Split(BinaryPrimitives.ReadUInt64LittleEndian(value), out record.PacketId, out record.PacketNumber);
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
