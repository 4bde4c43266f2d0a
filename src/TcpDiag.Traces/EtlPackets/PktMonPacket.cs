using System;
using System.Buffers.Binary;

namespace TcpDiag.Traces.EtlPackets;

/// <summary>Payload of PktMon 160 and 170, the same in all builds from 17763 on.</summary>
readonly ref struct PktMonPacket
{
    const int HeaderBytes = 34;

    readonly ReadOnlySpan<byte> _payload;

    PktMonPacket(ReadOnlySpan<byte> payload) => _payload = payload;

    /// <summary>Number of the chain of packets.</summary>
    public ulong GroupId => BinaryPrimitives.ReadUInt64LittleEndian(_payload);

    /// <summary>Which packet of the chain, from 1.</summary>
    public ushort Number => UInt16At(8);

    /// <summary>The how-manieth sight of the packet this is, from 1.</summary>
    public ushort Appearance => UInt16At(10);

    /// <summary>PKTMON_DIRECTION_TAG.</summary>
    public ushort DirectionTag => UInt16At(12);

    /// <summary>PKTMON_PACKET_TYPE.</summary>
    public ushort PacketType => UInt16At(14);

    /// <summary>Component that saw it.</summary>
    public ushort ComponentId => UInt16At(16);

    /// <summary>Why and where it was dropped.</summary>
    public PacketDrop Drop => new(BinaryPrimitives.ReadUInt32LittleEndian(_payload[22..]), BinaryPrimitives.ReadUInt32LittleEndian(_payload[26..]));

    /// <summary>Bytes of the packet at the component.</summary>
    public ushort OriginalSize => UInt16At(30);

    /// <summary>The bytes kept; a view on the payload.</summary>
    public ReadOnlySpan<byte> Data => _payload.Slice(HeaderBytes, UInt16At(32));

    /// <summary>Reads a payload.</summary>
    /// <param name="payload">Payload of 160 or 170.</param>
    /// <param name="packet">The view.</param>
    /// <returns>False when the payload is shorter than it says.</returns>
    public static bool TryRead(ReadOnlySpan<byte> payload, out PktMonPacket packet)
    {
        packet = new PktMonPacket(payload);
        return payload.Length >= HeaderBytes && payload.Length - HeaderBytes >= packet.UInt16At(32);
    }

    ushort UInt16At(int offset) => BinaryPrimitives.ReadUInt16LittleEndian(_payload[offset..]);
}
