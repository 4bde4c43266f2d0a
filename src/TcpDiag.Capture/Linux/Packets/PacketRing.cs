using System;
using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Threading;
using TcpDiag.Platform.Linux;
using TcpDiag.Traces;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux.Packets;

/// <summary>
/// The TPACKET_V3 ring: blocks that the kernel fills and hands over when they are full or <see cref="RetireMilliseconds"/> old.
/// Blocks come in order; each is ours from <see cref="TryTake"/> to <see cref="Release"/>.
/// </summary>
sealed class PacketRing : IDisposable
{
    // Age at which the kernel hands over a block that is not full; up to twice that, and later on a busy processor.
    const int RetireMilliseconds = 8;

    // Small blocks: at low rates each holds only a few packets, and the ring lasts Blocks × RetireMilliseconds.
    const int BlockBytes = 1 << 18;
    const int MinBlocks = 8;

    // The kernel wants a frame size even where frames vary; only its product with the count is checked.
    const int FrameBytes = 1 << 11;

    // struct tpacket_block_desc: version, offset to private area, then struct tpacket_hdr_v1.
    const int StatusOffset = 8;
    const int UserOwns = 1;
    const int KernelOwns = 0;

    readonly MappedMemory _memory;
    readonly int _blocks;
    int _next;

    PacketRing(MappedMemory memory)
    {
        _memory = memory;
        _blocks = memory.Length / BlockBytes;
    }

    /// <summary>Sets up the ring of a socket.</summary>
    /// <exception cref="CaptureException">The kernel refused it.</exception>
    public static PacketRing Create(PacketSocket socket, int bufferBytes)
    {
        uint blocks = (uint)Math.Max(bufferBytes / BlockBytes, MinBlocks);
        uint frames = blocks * (BlockBytes / FrameBytes);

        // struct tpacket_req3: block size, blocks, frame size, frames, retire time, private area, features.
        return new(socket.MapRing([BlockBytes, blocks, FrameBytes, frames, RetireMilliseconds, 0, 0]));
    }

    /// <summary>Takes the next block if the kernel has handed it over.</summary>
    /// <param name="block">The block, valid until <see cref="Release"/>.</param>
    /// <returns>False when there is none yet.</returns>
    public bool TryTake(out Span<byte> block)
    {
        block = _memory.Slice(_next * BlockBytes, BlockBytes);
        return (Volatile.Read(ref Word(block, StatusOffset)) & UserOwns) != 0;
    }

    /// <summary>Returns the block taken last to the kernel.</summary>
    public void Release()
    {
        Volatile.Write(ref Word(_memory.Slice(_next * BlockBytes, BlockBytes), StatusOffset), KernelOwns);
        _next = (_next + 1) % _blocks;
    }

    /// <summary>
    /// Looks at the block that the kernel is filling. A count that has just been raised may still stand beside the time of an
    /// earlier packet, which only makes the answer too early.
    /// </summary>
    /// <returns>When its first packet was seen; null when it has none.</returns>
    public TraceTime? PeekPending()
    {
        Span<byte> block = _memory.Slice(_next * BlockBytes, BlockBytes);
        if (Volatile.Read(ref Word(block, RingBlockReader.PacketCount)) == 0)
        {
            return null;
        }

        var packet = default(RingPacket);
        return new RingBlockReader(block).TryRead(ref packet) ? packet.Time : default(TraceTime);
    }

    public void Dispose() => _memory.Dispose();

    static ref int Word(Span<byte> block, int offset) => ref MemoryMarshal.AsRef<int>(block[offset..]);
}

/// <summary>
/// Walks over the packets of a TPACKET_V3 block (struct tpacket_block_desc, tpacket3_hdr and sockaddr_ll of
/// linux/if_packet.h, in the machine's byte order). Offsets are checked: a damaged block ends the walk.
/// </summary>
ref struct RingBlockReader
{
    /// <summary>Offset of a block's packet count (struct tpacket_hdr_v1).</summary>
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

    public RingBlockReader(ReadOnlySpan<byte> block)
    {
        _block = block;
        _left = Word(block, PacketCount);
        _offset = (int)Word(block, FirstPacket);
    }

    /// <summary>Reads the next packet.</summary>
    /// <param name="packet">Overwritten; a view on the block.</param>
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

/// <summary>One packet of a ring block, as a view on it.</summary>
ref struct RingPacket
{
    /// <summary>When the kernel saw it: realtime clock.</summary>
    public TraceTime Time;

    /// <summary>The bytes kept, beginning with the link header, or with the IP header where the link is not Ethernet.</summary>
    public ReadOnlySpan<byte> Data;

    /// <summary>Bytes of the whole packet, counted like <see cref="Data"/>.</summary>
    public int OriginalLength;

    /// <summary>What <see cref="Data"/> begins with.</summary>
    public LinkType LinkType;

    public int InterfaceIndex;

    public PacketDirection Direction;

    /// <summary>The VLAN tag that the kernel has stripped (protocol in the upper, control information in the lower 16 bits); 0 when there was none.</summary>
    public uint VlanTag;
}
