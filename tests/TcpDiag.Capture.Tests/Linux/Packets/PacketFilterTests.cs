using System;
using System.Buffers.Binary;
using System.Linq;
using TcpDiag.Capture.Linux.Packets;
using TcpDiag.Testing;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;
using Xunit;

namespace TcpDiag.Capture.Tests.Linux.Packets;

public sealed class PacketFilterTests
{
    const uint Snap = 120;
    const ushort Ipv6 = 0x86DD;

    [Theory]
    [InlineData("tcp", true)]
    [InlineData("udp", false)]
    [InlineData("tcp port 443", true)]
    [InlineData("port 1000-2000", true)]
    [InlineData("port 444-999", false)]
    [InlineData("host 10.1.2.3", true)]
    [InlineData("host 10.1.2.4", false)]
    [InlineData("host 10.1.0.0/16", true)]
    [InlineData("host 10.2.0.0/16,10.1.2.0/30", true)]
    [InlineData("host 0.0.0.0/0", true)]
    [InlineData("host ::/0", false)]
    [InlineData("tcp host 192.0.2.1 port 443", true)]
    [InlineData("src port 443", false)]
    [InlineData("dst port 443 and src host 10.1.2.3", true)]
    [InlineData("dst host 10.1.2.3", false)]
    [InlineData("not port 443", false)]
    [InlineData("not (udp or port 444) and ip4", true)]
    [InlineData("ip6 or icmp", false)]
    [InlineData("udp or not host 10.0.0.0/8", false)]
    [InlineData("in", true)]
    [InlineData("out", false)]
    [InlineData("all", true)]
    public void Create_Ipv4_TakesWhatMatches(string match, bool expected) =>
        AssertTaken(expected, match, new() { Frame = Tcp("10.1.2.3", "192.0.2.1") });

    [Theory]
    [InlineData("tcp port 443", true)]
    [InlineData("host 2001:db8::/32", true)]
    [InlineData("host 2001:db8:0:1::/61", true)]
    [InlineData("host 2001:db8:0:8::/61", false)]
    [InlineData("host 2001:db8::2", true)]
    [InlineData("host 10.0.0.0/8", false)]
    public void Create_Ipv6_TakesWhatMatches(string match, bool expected) =>
        AssertTaken(expected, match, new() { Frame = Tcp("2001:db8::1", "2001:db8::2"), Protocol = Ipv6 });

    [Fact]
    public void Create_Ipv4Options_FindsThePorts() =>
        AssertTaken(true, "port 443",
            new() { Frame = new FrameBuilder().Ip("10.0.0.1", "10.0.0.2").Ipv4Options(1, 1, 1, 1, 1, 1, 1, 1).Tcp(1500, 443).Build() });

    [Fact]
    public void Create_LaterFragment_HasNoPorts()
    {
        byte[] fragment = new FrameBuilder().Ip("10.0.0.1", "10.0.0.2").Fragment(1480, more: false).Tcp(1500, 443).Build();

        AssertTaken(false, "port 443", new() { Frame = fragment });
        AssertTaken(true, "tcp", new() { Frame = fragment });
        AssertTaken(true, "tcp or port 443", new() { Frame = fragment });
    }

    [Fact]
    public void Create_TagWithinTheFrame_IsSteppedOver() => AssertTaken(
        true, "tcp port 443",
            new() { Frame = new FrameBuilder().Vlan(5).Ip("10.0.0.1", "10.0.0.2").Tcp(1500, 443).Build(), Protocol = 0x8100, NetworkHeader = 18 });

    [Fact]
    public void Create_NoLinkHeader_UsesTheNetworkHeader() => AssertTaken(
        true, "tcp host 10.0.0.2 port 443",
        new() { Frame = new FrameBuilder().RawIp().Ip("10.0.0.1", "10.0.0.2").Tcp(1500, 443).Build(), HardwareType = 0xFFFE, NetworkHeader = 0 });

    [Theory]
    [InlineData(772, 4, false)]
    [InlineData(772, 0, true)]
    [InlineData(1, 4, true)]
    public void Create_Loopback_ShowsEachPacketOnce(ushort hardware, byte packetType, bool expected) =>
        AssertTaken(expected, "tcp", new() { Frame = Tcp("127.0.0.1", "127.0.0.1"), HardwareType = hardware, PacketType = packetType });

    [Fact]
    public void Create_Everything_TakesOtherProtocolsToo()
    {
        byte[] arp = [.. Enumerable.Repeat((byte)0xFF, 42)];

        Assert.Equal(Snap, Run(new MatchAll(), [], new() { Frame = arp, Protocol = 0x0806 }));
        AssertTaken(false, "host 0.0.0.0/0", new() { Frame = arp, Protocol = 0x0806 });
    }

    [Theory]
    [InlineData("10.0.0.1", "10.0.0.2", 1500, 443, false)]
    [InlineData("10.0.0.2", "10.0.0.1", 443, 1500, false)]
    [InlineData("10.0.0.1", "10.0.0.2", 1501, 443, true)]
    [InlineData("10.0.0.2", "10.0.0.1", 1500, 443, true)]
    [InlineData("10.0.0.3", "10.0.0.2", 1500, 443, true)]
    public void Create_OwnConnection_IsLeftOut(string source, string destination, ushort sourcePort, ushort destinationPort, bool expected)
    {
        byte[] frame = new FrameBuilder().Ip(source, destination).Tcp(sourcePort, destinationPort).Build();
        (Endpoint, Endpoint)[] own = [(ConnectionSelectorTests.End("10.0.0.1", 1500), ConnectionSelectorTests.End("10.0.0.2", 443))];

        Assert.Equal(expected ? Snap : 0, Run(MatchParser.Parse("tcp"), own, new() { Frame = frame }));
        Assert.Equal(expected ? Snap : 0, Run(new MatchAll(), own, new() { Frame = frame }));
    }

    [Fact]
    public void Create_FrameCutAnywhere_IsRefusedOrTaken()
    {
        BpfInstruction[] program = PacketFilter.Create(MatchParser.Parse("tcp port 443"), [], (int)Snap);
        byte[] frame = Tcp("10.1.2.3", "192.0.2.1");

        // Both ports are there with 14 + 20 + 4 bytes.
        int[] taken = [.. Enumerable.Range(0, frame.Length + 1).Where(length => new BpfMachine { Frame = frame[..length] }.Run(program) > 0)];
        Assert.Equal(38, taken[0]);
        Assert.Equal(frame.Length + 1 - 38, taken.Length);
    }

    [Fact]
    public void Create_LongestLists_FitTheKernelsLimit()
    {
        string hosts = string.Join(',', Enumerable.Range(1, 16).Select(i => $"10.0.0.{i},2001:db8::{i:x}"));
        string ports = string.Join(',', Enumerable.Range(1, 32).Select(i => $"{i * 10}-{(i * 10) + 5}"));

        // BPF_MAXINSNS, linux/bpf_common.h
        Assert.InRange(PacketFilter.Create(MatchParser.Parse($"tcp host {hosts} port {ports}"), [], (int)Snap).Length, 1, 4096);
    }

    [Fact]
    public void Create_TooLong_SaysHowLong()
    {
        string hosts = string.Join(',', Enumerable.Range(1, 120).Select(i => $"10.0.0.{i}"));
        CaptureException refused = Assert.Throws<CaptureException>(() => PacketFilter.Create(MatchParser.Parse($"host {hosts}"), [], (int)Snap));

        Assert.EndsWith("instructions, a filter of the kernel 4096 at most. Name fewer hosts and ports.", refused.Message, System.StringComparison.Ordinal);
    }

    static byte[] Tcp(string source, string destination) => new FrameBuilder().Ip(source, destination).Tcp(1500, 443).Build();

    static void AssertTaken(bool expected, string match, BpfMachine machine) => Assert.Equal(expected ? Snap : 0, Run(MatchParser.Parse(match), [], machine));

    static uint Run(MatchRule match, (Endpoint, Endpoint)[] own, BpfMachine machine) => machine.Run(PacketFilter.Create(match, own, (int)Snap));
}

/// <summary>Runs a classic BPF program on a frame as the kernel does (Documentation/networking/filter.rst), for the instructions we emit.</summary>
sealed class BpfMachine
{
    const int NetworkOffset = -0x100000;
    const int AncillaryOffset = -0x1000;

    public required byte[] Frame { get; init; }

    public int NetworkHeader { get; init; } = 14;

    public ushort Protocol { get; init; } = 0x0800;

    public ushort HardwareType { get; init; } = 1;

    public byte PacketType { get; init; }

    /// <summary>Runs the program.</summary>
    /// <returns>What it returns: bytes to keep; 0 as well when it reads beyond the frame.</returns>
    public uint Run(BpfInstruction[] program)
    {
        uint a = 0;
        uint x = 0;
        for (int at = 0; at < program.Length; at++)
        {
            (ushort code, byte jumpTrue, byte jumpFalse, uint k) = program[at];
            switch (code)
            {
                case 0x20 or 0x28 or 0x30 or 0x48:
                    int size = code switch { 0x20 => 4, 0x30 => 1, _ => 2 };
                    if (!TryLoad(unchecked((int)(k + (code == 0x48 ? x : 0))), size, out a))
                    {
                        return 0;
                    }

                    break;
                case 0x54: a &= k; break;
                case 0x64: a <<= (int)k; break;
                case 0x74: a >>= (int)k; break;
                case 0x07: x = a; break;
                case 0x01: x = k; break;
                case 0x05: at += (int)k; break;
                case 0x15: at += a == k ? jumpTrue : jumpFalse; break;
                case 0x25: at += a > k ? jumpTrue : jumpFalse; break;
                case 0x35: at += a >= k ? jumpTrue : jumpFalse; break;
                case 0x45: at += (a & k) != 0 ? jumpTrue : jumpFalse; break;
                case 0x06: return k;
                default: throw new InvalidOperationException($"unknown instruction 0x{code:x}");
            }
        }

        throw new InvalidOperationException("the program runs past its end");
    }

    bool TryLoad(int offset, int size, out uint value)
    {
        value = 0;
        if (offset is >= AncillaryOffset and < 0)
        {
            value = (offset - AncillaryOffset) switch
            {
                0 => Protocol,
                4 => PacketType,
                28 => HardwareType,
                _ => throw new InvalidOperationException("unknown ancillary load"),
            };
            return true;
        }

        int start = offset < 0 ? offset - NetworkOffset + NetworkHeader : offset;
        if (start > Frame.Length - size)
        {
            return false;
        }

        ReadOnlySpan<byte> bytes = Frame.AsSpan(start, size);
        value = size switch { 1 => bytes[0], 2 => BinaryPrimitives.ReadUInt16BigEndian(bytes), _ => BinaryPrimitives.ReadUInt32BigEndian(bytes) };
        return true;
    }
}
