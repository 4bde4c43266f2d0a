using System;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;
using Xunit;

namespace TcpDiag.Impairment.Tests;

public class PacketViewTests
{
    // 10.0.0.1:4660 → 10.0.0.2:443, TCP, ECT(0), 44 bytes; header checksum 0x26c8 is the complement of
    // 4502 + 002c + 0000 + 4000 + 4006 + 0000 + 0a00 + 0001 + 0a00 + 0002 = 0xd937.
    static byte[] Ipv4() => Convert.FromHexString("4502002c00004000400626c80a0000010a000002" + "123401bb" + "0000000100000002501001000000000061626364");

    static byte[] Ipv6(string extension = "", byte next = 6) => Convert.FromHexString(
        "60200000" + (24 + (extension.Length / 2)).ToString("x4", null) + next.ToString("x2", null) + "40"
        + "20010db8000000000000000000000001" + "20010db8000000000000000000000002" + extension
        + "123401bb" + "0000000100000002501001000000000061626364");

    static ushort ChecksumOf(ReadOnlySpan<byte> header)
    {
        uint sum = 0;
        for (int i = 0; i < header.Length; i += 2)
        {
            sum += (uint)((header[i] << 8) | header[i + 1]);
        }

        sum = (sum & 0xFFFF) + (sum >> 16);
        return (ushort)~((sum & 0xFFFF) + (sum >> 16));
    }

    [Fact]
    public void ReadFacts_Ipv4_TellsAddressesAndPorts()
    {
        Assert.True(PacketView.TryRead(Ipv4(), out PacketView view));
        PacketFacts facts = view.ReadFacts(isOut: false);

        Assert.Equal("10.0.0.1:4660", facts.Source.ToString());
        Assert.Equal("10.0.0.2:443", facts.Destination.ToString());
        Assert.Equal((IpProtocol.Tcp, false, EcnCodepoint.Ect0), (facts.Protocol, facts.IsOut, view.Ecn));
    }

    [Fact]
    public void ReadFacts_Ipv6BehindExtensions_TellsPorts()
    {
        // Hop-by-hop options of 8 bytes, then a first fragment.
        Assert.True(PacketView.TryRead(Ipv6("2c00000000000000" + "0600000100000001", next: 0), out PacketView view));
        PacketFacts facts = view.ReadFacts(isOut: true);

        Assert.Equal("[2001:db8::1]:4660", facts.Source.ToString());
        Assert.Equal("[2001:db8::2]:443", facts.Destination.ToString());
        Assert.Equal(EcnCodepoint.Ect0, view.Ecn);
    }

    [Fact]
    public void ReadFacts_LaterFragment_HasNoPorts()
    {
        byte[] packet = Ipv4();
        packet[7] = 1;
        Assert.True(PacketView.TryRead(packet, out PacketView view));

        Assert.Equal(0, view.ReadFacts(isOut: true).Source.Port);
    }

    [Fact]
    public void MarkCongestionExperienced_Ipv4_KeepsTheChecksumRight()
    {
        byte[] packet = Ipv4();
        Assert.Equal(0, ChecksumOf(packet.AsSpan(0, 20)));
        Assert.True(PacketView.TryRead(packet, out PacketView view));
        view.MarkCongestionExperienced();
        view.MarkCongestionExperienced();

        Assert.Equal(EcnCodepoint.Ce, view.Ecn);
        Assert.Equal(0, ChecksumOf(packet.AsSpan(0, 20)));

        // One more in the first word, one less in the checksum.
        Assert.Equal("26c7", Convert.ToHexStringLower(packet.AsSpan(10, 2)));
    }

    [Fact]
    public void MarkCongestionExperienced_Ipv6_SetsTwoBits()
    {
        byte[] packet = Ipv6();
        Assert.True(PacketView.TryRead(packet, out PacketView view));
        view.MarkCongestionExperienced();

        Assert.Equal(EcnCodepoint.Ce, view.Ecn);
        Assert.Equal("60300000", Convert.ToHexStringLower(packet.AsSpan(0, 4)));
    }

    [Theory]
    [InlineData(0u, 20, 0x80)]
    [InlineData(7u, 20, 0x01)]
    [InlineData(191u, 43, 0x01)]
    [InlineData(192u, 20, 0x80)]
    public void FlipBit_ChangesOneBitBehindTheHeader(uint number, int at, int mask)
    {
        byte[] packet = Ipv4();
        Assert.True(PacketView.TryRead(packet, out PacketView view));
        view.FlipBit(number);

        byte[] expected = Ipv4();
        expected[at] ^= (byte)mask;
        Assert.Equal(expected, packet);
    }

    [Fact]
    public void HashFlow_DiffersByFlowAndDirectionOnly()
    {
        byte[] same = Ipv4();
        same[43] ^= 0xFF;
        byte[] otherPort = Ipv4();
        otherPort[21] ^= 1;

        Assert.Equal(Hash(Ipv4()), Hash(same));
        Assert.NotEqual(Hash(Ipv4()), Hash(otherPort));

        static uint Hash(byte[] packet) => PacketView.TryRead(packet, out PacketView view) ? view.HashFlow() : 0;
    }

    [Fact]
    public void TryRead_CutAnywhere_NeverThrows()
    {
        foreach (byte[] whole in new[] { Ipv4(), Ipv6(), Ipv6("2c00000000000000" + "0600000100000001", next: 0), Ipv6("06ff000000000000", next: 60) })
        {
            for (int length = 0; length <= whole.Length; length++)
            {
                byte[] cut = whole[..length];
                if (PacketView.TryRead(cut, out PacketView view))
                {
                    view.FlipBit(uint.MaxValue);
                    view.MarkCongestionExperienced();
                    Assert.Equal(EcnCodepoint.Ce, view.Ecn);
                    Assert.True(view.ReadFacts(isOut: true).IsOut);
                }
            }
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("00")]
    [InlineData("4402002c00004000400626c60a0000010a000002")]
    [InlineData("f5")]
    public void TryRead_NoIpPacket_SaysSo(string hex) => Assert.False(PacketView.TryRead(Convert.FromHexString(hex), out _));
}
