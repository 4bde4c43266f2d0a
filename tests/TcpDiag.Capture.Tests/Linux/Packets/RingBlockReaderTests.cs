using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Capture.Linux.Packets;
using TcpDiag.Traces;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Capture.Tests.Linux.Packets;

public sealed class RingBlockReaderTests
{
    const int FirstPacket = 48;
    const ushort Ethernet = 1;
    const ushort None = 0xFFFE;

    [Fact]
    public void TryRead_TwoPackets_AreViewsOnTheBlock()
    {
        byte[] block = Block(2);
        Packet(block, FirstPacket, next: 128, Ethernet, packetType: 0, [1, 2, 3, 4]);
        Packet(block, FirstPacket + 128, next: 0, Ethernet, packetType: 4, [5, 6]);

        var reader = new RingBlockReader(block);
        var packet = default(RingPacket);
        Assert.True(reader.TryRead(ref packet));
        Assert.Equal([1, 2, 3, 4], packet.Data.ToArray());

        // 7 s and 9 ns
        Assert.Equal(new TraceTime(7_000_000_009), packet.Time);
        Assert.Equal((1500, 3, PacketDirection.Inbound, LinkType.Ethernet), (packet.OriginalLength, packet.InterfaceIndex, packet.Direction, packet.LinkType));
        Assert.True(reader.TryRead(ref packet));
        Assert.Equal([5, 6], packet.Data.ToArray());
        Assert.Equal(PacketDirection.Outbound, packet.Direction);
        Assert.False(reader.TryRead(ref packet));
    }

    [Fact]
    public void TryRead_LinkWithoutEthernet_BeginsAtTheNetworkHeader()
    {
        byte[] block = Block(1);
        Packet(block, FirstPacket, next: 0, None, packetType: 0, [9, 9, 0x45, 0]);
        BinaryPrimitives.WriteUInt16LittleEndian(block.AsSpan(FirstPacket + 26), 82);

        var reader = new RingBlockReader(block);
        var packet = default(RingPacket);
        Assert.True(reader.TryRead(ref packet));

        // The network header stands 2 bytes behind the link header at 80: 1500 − 2 = 1498.
        Assert.Equal([0x45, 0], packet.Data.ToArray());
        Assert.Equal((1498, LinkType.Raw), (packet.OriginalLength, packet.LinkType));
    }

    [Theory]
    [InlineData(0x10 | 0x40, 0x88A8, 0x88A80005u)]
    [InlineData(0x10, 0, 0x81000005u)]
    [InlineData(0, 0x8100, 0u)]
    public void TryRead_VlanTag_IsReadByTheStatus(uint status, ushort protocol, uint expected)
    {
        byte[] block = Block(1);
        Packet(block, FirstPacket, next: 0, Ethernet, packetType: 0, [1]);
        BinaryPrimitives.WriteUInt32LittleEndian(block.AsSpan(FirstPacket + 20), status);
        BinaryPrimitives.WriteUInt32LittleEndian(block.AsSpan(FirstPacket + 32), 5);
        BinaryPrimitives.WriteUInt16LittleEndian(block.AsSpan(FirstPacket + 36), protocol);

        var reader = new RingBlockReader(block);
        var packet = default(RingPacket);
        Assert.True(reader.TryRead(ref packet));
        Assert.Equal(expected, packet.VlanTag);
    }

    [Fact]
    public void TryRead_PacketBeyondTheBlock_Ends()
    {
        byte[] block = Block(1);
        Packet(block, FirstPacket, next: 0, Ethernet, packetType: 0, [1]);
        BinaryPrimitives.WriteUInt32LittleEndian(block.AsSpan(FirstPacket + 12), 4000);

        var packet = default(RingPacket);
        var reader = new RingBlockReader(block);
        Assert.False(reader.TryRead(ref packet));
    }

    [Fact]
    public void TryRead_AnyBytes_StaysWithinTheBlock() => Prop.ForAll<byte[]>(tail =>
    {
        byte[] block = [.. Block(3).AsSpan(0, FirstPacket), .. tail, .. new byte[80]];
        var reader = new RingBlockReader(block);
        var packet = default(RingPacket);
        var lengths = new List<int>();
        while (reader.TryRead(ref packet))
        {
            lengths.Add(packet.Data.Length);
        }

        return lengths.Count <= 3 && lengths.TrueForAll(length => length <= block.Length);
    }).QuickCheckThrowOnFailure();

    static byte[] Block(int packets)
    {
        byte[] block = new byte[512];
        BinaryPrimitives.WriteInt32LittleEndian(block.AsSpan(12), packets);
        BinaryPrimitives.WriteInt32LittleEndian(block.AsSpan(16), FirstPacket);
        return block;
    }

    // struct tpacket3_hdr of 48 bytes, struct sockaddr_ll, then the frame at 80.
    static void Packet(byte[] block, int offset, uint next, ushort hardware, byte packetType, byte[] frame)
    {
        Span<byte> header = block.AsSpan(offset);
        BinaryPrimitives.WriteUInt32LittleEndian(header, next);
        BinaryPrimitives.WriteUInt32LittleEndian(header[4..], 7);
        BinaryPrimitives.WriteUInt32LittleEndian(header[8..], 9);
        BinaryPrimitives.WriteInt32LittleEndian(header[12..], frame.Length);
        BinaryPrimitives.WriteUInt32LittleEndian(header[16..], 1500);
        BinaryPrimitives.WriteUInt16LittleEndian(header[24..], 80);
        BinaryPrimitives.WriteUInt16LittleEndian(header[26..], 94);
        BinaryPrimitives.WriteUInt32LittleEndian(header[52..], 3);
        BinaryPrimitives.WriteUInt16LittleEndian(header[56..], hardware);
        header[58] = packetType;
        frame.CopyTo(header[80..]);
    }
}
