using System;
using System.Buffers.Binary;
using TcpDiag.Traces;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux.Packets;

/// <summary>
/// Walks over the packets of a TPACKET_V3 block (struct tpacket_block_desc, tpacket3_hdr and sockaddr_ll of
/// linux/if_packet.h, in the machine's byte order). Offsets are checked, so that a damaged block ends the walk.
/// </summary>
ref struct RingBlockReader
{
    /// <summary>Where a block counts its packets (struct tpacket_hdr_v1).</summary>
    public const int PacketCount = 12;

    const int FirstPacket = 16;

    // struct tpacket3_hdr, then struct sockaddr_ll at the next multiple of 16
    const int NextOffset = 0;
    const int Seconds = 4;
    const int Nanoseconds = 8;
    const int SnapLength = 12;
    const int Length = 16;
    const int Status = 20;
    const int LinkOffset = 24;
    const int NetworkOffset = 26;
    const int VlanControl = 32;
    const int VlanProtocol = 36;
    const int Address = 48;
    const int AddressInterface = Address + 4;
    const int AddressHardware = Address + 8;
    const int AddressPacketType = Address + 10;
    const int HeaderLength = Address + 20;

    const uint VlanValid = 0x10;
    const uint VlanProtocolValid = 0x40;
    const ushort DefaultVlanProtocol = 0x8100;
    const byte PacketOutgoing = 4;
    const ushort HardwareEthernet = 1;
    const ushort HardwareLoopback = 772;
    const long NanosecondsPerSecond = 1_000_000_000;

    readonly ReadOnlySpan<byte> _block;
    uint _left;
    int _offset;

    /// <summary>Starts at the first packet.</summary>
    /// <param name="block">The whole block.</param>
    public RingBlockReader(ReadOnlySpan<byte> block)
    {
        _block = block;
        _left = Word(block, PacketCount);
        _offset = (int)Word(block, FirstPacket);
    }

    /// <summary>Reads the next packet.</summary>
    /// <param name="packet">Overwritten; a view on the block.</param>
    /// <returns>False behind the last.</returns>
    public bool TryRead(ref RingPacket packet)
    {
        if (_left == 0 || _offset < 0 || _offset > _block.Length - HeaderLength)
        {
            return false;
        }

        ReadOnlySpan<byte> header = _block[_offset..];
        if (!TryReadData(header, ref packet))
        {
            return false;
        }

        packet.Time = new((Word(header, Seconds) * NanosecondsPerSecond) + Word(header, Nanoseconds));
        packet.InterfaceIndex = (int)Word(header, AddressInterface);
        packet.Direction = header[AddressPacketType] == PacketOutgoing ? PacketDirection.Outbound : PacketDirection.Inbound;
        packet.VlanTag = Vlan(header);
        _left--;
        _offset += (int)Word(header, NextOffset);
        return true;
    }

    static bool TryReadData(ReadOnlySpan<byte> header, ref RingPacket packet)
    {
        int link = Half(header, LinkOffset);
        int length = (int)Word(header, SnapLength);
        int original = (int)Word(header, Length);
        if (length < 0 || link > header.Length - length)
        {
            return false;
        }

        bool isEthernet = Half(header, AddressHardware) is HardwareEthernet or HardwareLoopback;
        int skip = isEthernet ? 0 : Math.Clamp(Half(header, NetworkOffset) - link, 0, length);
        packet.Data = header.Slice(link + skip, length - skip);
        packet.OriginalLength = Math.Max(original - skip, packet.Data.Length);
        packet.LinkType = isEthernet ? LinkType.Ethernet : LinkType.Raw;
        return true;
    }

    static uint Vlan(ReadOnlySpan<byte> header)
    {
        uint status = Word(header, Status);
        if ((status & VlanValid) == 0)
        {
            return 0;
        }

        uint protocol = (status & VlanProtocolValid) != 0 ? Half(header, VlanProtocol) : DefaultVlanProtocol;
        return (protocol << 16) | (ushort)Word(header, VlanControl);
    }

    static uint Word(ReadOnlySpan<byte> bytes, int offset) => BinaryPrimitives.ReadUInt32LittleEndian(bytes[offset..]);

    static ushort Half(ReadOnlySpan<byte> bytes, int offset) => BinaryPrimitives.ReadUInt16LittleEndian(bytes[offset..]);
}
