using System;
using System.Collections.Generic;
using TcpDiag.Shim.Divert;
using Xunit;

namespace TcpDiag.Shim.Tests.Divert;

/// <summary>Packets that lie one behind the other.</summary>
public class PacketBatchTests
{
    static byte[] Ipv4(int length)
    {
        byte[] packet = new byte[length];
        packet[0] = 0x45;
        packet[2] = (byte)(length >> 8);
        packet[3] = (byte)length;
        return packet;
    }

    static byte[] Ipv6(int payload)
    {
        byte[] packet = new byte[40 + payload];
        packet[0] = 0x60;
        packet[4] = (byte)(payload >> 8);
        packet[5] = (byte)payload;
        return packet;
    }

    static PacketBatch Batch(params byte[][] packets)
    {
        PacketBatch batch = new();
        for (int i = 0; i < packets.Length; i++)
        {
            batch.Add(packets[i], new DivertAddress { Timestamp = i });
        }

        return batch;
    }

    static List<int> TakeAll(PacketBatch batch)
    {
        List<int> lengths = [];
        while (batch.TryTake(out ReadOnlySpan<byte> packet, out DivertAddress address))
        {
            Assert.Equal(lengths.Count, address.Timestamp);
            lengths.Add(packet.Length);
        }

        return lengths;
    }

    [Fact]
    public void TryTake_Packets_AreSplitByTheirHeaders()
    {
        PacketBatch batch = Batch(Ipv4(20), Ipv6(0), Ipv4(1500), Ipv6(65_535));
        Assert.Equal((4, 20 + 40 + 1500 + 65_575), (batch.Count, batch.LengthBytes));
        Assert.Equal([20, 40, 1500, 65_575], TakeAll(batch));
    }

    [Theory]
    [InlineData(0)]  // no length at all
    [InlineData(19)] // less than a header
    [InlineData(99)] // more than there is
    public void TryTake_LengthThatCannotBe_GivesTheRest(byte length)
    {
        byte[] wrong = Ipv4(30);
        wrong[3] = length;
        Assert.Equal([25, 70], TakeAll(Batch(Ipv4(25), wrong, Ipv4(40))));
    }

    [Fact]
    public void TryTake_NoIpPacket_GivesTheRest() => Assert.Equal([33], TakeAll(Batch(new byte[33])));

    [Fact]
    public void IsFull_AfterTheDriversMaximum_IsTrue()
    {
        PacketBatch batch = new();
        for (int i = 0; i < PacketBatch.MaxPackets; i++)
        {
            Assert.False(batch.IsFull);
            batch.Add(Ipv4(20), default);
        }

        Assert.True(batch.IsFull);
    }

    [Fact]
    public void IsFull_LongestPacketWouldNotFit_IsTrue()
    {
        // 7 × 65,575 = 459,025 of 524,288 bytes: 65,263 are left.
        PacketBatch batch = Batch(Ipv6(65_535), Ipv6(65_535), Ipv6(65_535), Ipv6(65_535), Ipv6(65_535), Ipv6(65_535));
        Assert.False(batch.IsFull);
        batch.Add(Ipv6(65_535), default);
        Assert.True(batch.IsFull);
    }
}
