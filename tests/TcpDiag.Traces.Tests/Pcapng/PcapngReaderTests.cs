using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using TcpDiag.Testing;
using TcpDiag.Traces.Pcapng;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Traces.Tests.Pcapng;

public sealed class PcapngReaderTests
{
    // 2026-11-21T10:00:00.123456Z in microseconds: 1795255200 s.
    const ulong Microseconds = 1_795_255_200_123_456;
    static readonly byte[] Five = [1, 2, 3, 4, 5];

    [Fact]
    public void TryRead_EnhancedPacketByHand_GivesItsFields()
    {
        byte[] file = Convert.FromHexString(
            "0A0D0D0A1C0000004D3C2B1A01000000FFFFFFFFFFFFFFFF1C000000" // section, 28 bytes
            + "010000001400000065000000000001001400" + "0000" // interface: raw IP, snap length 65536
            + "06000000280000000000000000" + "000000E803000005000000C8000000" + "0102030405000000" + "28000000"); // time 1000 µs, 5 of 200 bytes
        using PcapngReader reader = PcapngReader.Open(new MemoryTraceInput(file));

        ReadRecord packet = Assert.Single(ReadRecords.All(reader));
        Assert.Equal(TraceRecordKind.Packet, packet.Kind);
        Assert.Equal(new TraceTime(1_000_000), packet.Time);
        Assert.Equal(Five, packet.Data);
        Assert.Equal(200, packet.OriginalLength);
        Assert.Equal(LinkType.Raw, packet.LinkType);
        Assert.Equal(48, packet.FileOffset);
        Assert.Equal(65536, Assert.Single(reader.Interfaces).SnapLength);
        Assert.Equal(3, reader.RecordsRead);
        Assert.Empty(reader.Problems);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void TryRead_PacketOptions_AreDecodedInBothByteOrders(bool bigEndian)
    {
        var file = new PcapngBytes(bigEndian);
        file.Section().Interface(1, 0).Packet(
            0, Microseconds, Five, 1500,
            [
                .. file.Option(1, Encoding.UTF8.GetBytes("a comment")), .. file.Option(2, file.U32(2)), .. file.Option(4, file.U64(7)),
                .. file.Option(5, file.U64(0x1_0000_0002)), .. file.Option(7, [2, .. file.U64(1)]), .. file.Option(8, [.. file.U32(1234), .. file.U32(5678)]),
                .. PcapngBytes.EndOfOptions(),
            ]);
        using PcapngReader reader = PcapngReader.Open(new MemoryTraceInput(file.ToArray()));

        ReadRecord packet = Assert.Single(ReadRecords.All(reader));
        Assert.Equal(1_795_255_200_123_456_000, packet.Time.Nanoseconds);
        Assert.Equal(Five, packet.Data);
        Assert.Equal(1500, packet.OriginalLength);
        Assert.Equal(PacketDirection.Outbound, packet.Direction);
        Assert.Equal(0x1_0000_0002UL, packet.PacketId);
        Assert.Equal(1234U, packet.ProcessId);
        Assert.Equal(5678U, packet.ThreadId);
        Assert.True(packet.IsDropped);
        Assert.Equal(7, reader.Interfaces[0].Dropped);
        Assert.Equal("0100090061", Convert.ToHexString(packet.Options.AsSpan(0, 5)));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void TryRead_InterfaceOptions_AreDecodedInBothByteOrders(bool bigEndian)
    {
        var file = new PcapngBytes(bigEndian);
        file.Section([.. file.Option(3, "64-bit Windows 11 (22H2), build 22621"u8.ToArray()), .. file.Option(4, "dumpcap"u8.ToArray())]).Interface(
            1, 128,
            [
                .. file.Option(2, "eth0\0rubbish"u8.ToArray()), .. file.Option(3, "the wire"u8.ToArray()), .. file.Option(4, 10, 0, 0, 1, 255, 0, 0, 0),
                .. file.Option(5, [0x20, 1, 0xD, 0xB8, .. new byte[11], 1, 64]),
                .. file.Option(6, 2, 0, 0, 0, 0, 1), .. file.Option(8, file.U64(1_000_000_000)),
                .. file.Option(9, 9), .. file.Option(14, file.U64(5)), .. PcapngBytes.EndOfOptions(),
            ]).Packet(0, 17, Five, 5);
        using PcapngReader reader = PcapngReader.Open(new MemoryTraceInput(file.ToArray()));

        ReadRecord packet = Assert.Single(ReadRecords.All(reader));
        TraceInterface point = Assert.Single(reader.Interfaces);
        Assert.Equal(5_000_000_017, packet.Time.Nanoseconds);
        Assert.Equal(("eth0", "the wire", 128), (point.Name, point.Description, point.SnapLength));
        Assert.Equal(["10.0.0.1", "2001:db8::1"], point.Addresses.Select(address => address.ToString()), StringComparer.Ordinal);
        Assert.Equal(new byte[] { 2, 0, 0, 0, 0, 1 }, point.MacAddress);
        Assert.Equal(1_000_000_000UL, point.SpeedBitsPerSecond);
        Assert.Equal(22621, reader.System.WindowsBuild);
        Assert.Equal("dumpcap", reader.System.Recorder);
        Assert.Equal(1, point.Packets);
        Assert.Null(point.Dropped);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void TryRead_ObsoletePacketBlock_IsReadLikeTheEnhancedOne(bool bigEndian)
    {
        var file = new PcapngBytes(bigEndian);
        file.Section().Interface(1, 0).Interface(113, 0)
            .ObsoletePacket(1, 3, Microseconds, Five, 99, [.. file.Option(2, file.U32(1)), .. PcapngBytes.EndOfOptions()])
            .ObsoletePacket(1, 0xFFFF, Microseconds, Five, 99);
        using PcapngReader reader = PcapngReader.Open(new MemoryTraceInput(file.ToArray()));

        ReadRecord packet = ReadRecords.All(reader)[0];
        Assert.Equal((1, LinkType.LinuxSll, 99, PacketDirection.Inbound), (packet.InterfaceIndex, packet.LinkType, packet.OriginalLength, packet.Direction));
        Assert.Equal(Five, packet.Data);
        Assert.Equal(3, reader.Interfaces[1].Dropped);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void TryRead_SimplePacketBlock_IsCutAtTheSnapLengthAndTakesTheTimeBefore(bool bigEndian)
    {
        var file = new PcapngBytes(bigEndian);
        file.Section().Interface(1, 6).Packet(0, Microseconds, Five, 5).SimplePacket(1000, [9, 8, 7, 6, 5, 4]).SimplePacket(2, [1, 2]);
        using PcapngReader reader = PcapngReader.Open(new MemoryTraceInput(file.ToArray()));

        List<ReadRecord> packets = ReadRecords.All(reader);
        Assert.Equal(new byte[] { 9, 8, 7, 6, 5, 4 }, packets[1].Data);
        Assert.Equal(1000, packets[1].OriginalLength);
        Assert.Equal(packets[0].Time, packets[1].Time);
        Assert.Equal(new byte[] { 1, 2 }, packets[2].Data);
        Assert.Contains("no time stamps", Assert.Single(reader.Problems).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void TryRead_SeveralSections_NumberInterfacesOn()
    {
        var little = new PcapngBytes(bigEndian: false);
        var big = new PcapngBytes(bigEndian: true);
        byte[] first = little.Section().Interface(1, 0).Packet(0, 1, [1], 1).ToArray();
        byte[] second = big.Section().Interface(101, 0).Packet(0, 2, [2], 1).ToArray();
        using PcapngReader reader = PcapngReader.Open(new MemoryTraceInput((byte[])[.. first, .. second, .. first]));

        Assert.Equal([0, 1, 2], ReadRecords.All(reader).Select(packet => packet.InterfaceIndex));
        Assert.Equal([LinkType.Ethernet, LinkType.Raw, LinkType.Ethernet], reader.Interfaces.Select(point => point.LinkType));
        Assert.Empty(reader.Problems);
    }

    [Fact]
    public void TryRead_PiecesOfOneRecording_GoOnWithTheirInterfaces()
    {
        byte[] first = Piece("pieces: 7\n", 1).Packet(0, 1, [1], 1).Interface(101, 0).Packet(1, 2, [2], 1).ToArray();
        byte[] second = Piece("pieces: 7\n", 1).Interface(101, 0).Packet(1, 3, [3], 1).ToArray();
        byte[] third = Piece("pieces: 7\n", 1).Interface(113, 0).Interface(101, 0).Packet(0, 4, [4], 1).Packet(1, 5, [5], 1).Packet(2, 6, [6], 1).ToArray();

        // The third describes another interface in second place: from there on all are new.
        Assert.Equal([0, 1, 1, 0, 2, 3], InterfacesOf([.. first, .. second, .. third], 4));
    }

    [Theory]
    [InlineData("pieces: 7\n", "pieces: 8\n")]
    [InlineData("match: tcp\n", "match: tcp\n")]
    public void TryRead_PiecesOfDifferentRecordings_NumberInterfacesOn(string first, string second) =>
        Assert.Equal([0, 1], InterfacesOf([.. Piece(first, 1).Packet(0, 1, [1], 1).ToArray(), .. Piece(second, 1).Packet(0, 2, [2], 1).ToArray()], 2));

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void TryRead_InterfaceStatistics_TellDropsAndAreHandedOnInNanoseconds(bool bigEndian)
    {
        var first = new PcapngBytes(bigEndian);
        first.Section().Interface(1, 0).Packet(0, 1, Five, 5);
        var file = new PcapngBytes(bigEndian);
        file.Section().Interface(1, 0).Statistics(
            0, Microseconds,
            [
                .. file.Option(2, [.. file.U32(0), .. file.U32(1000)]), .. file.Option(4, file.U64(50)), .. file.Option(5, file.U64(4)),
                .. file.Option(7, file.U64(3)), .. PcapngBytes.EndOfOptions(),
            ]);
        using PcapngReader reader = PcapngReader.Open(new MemoryTraceInput((byte[])[.. first.ToArray(), .. file.ToArray()]));

        ReadRecord block = ReadRecords.All(reader)[1];
        Assert.Equal(TraceRecordKind.Block, block.Kind);
        Assert.Equal((1, 1_795_255_200_123_456_000), (block.InterfaceIndex, block.Time.Nanoseconds));
        Assert.Equal(7, reader.Interfaces[1].Dropped);

        // Interface 1 over both sections, and the time in nanoseconds; the start, 1000 µs, is 0xF4240 ns.
        ulong time = 1_795_255_200_123_456_000;
        var expected = new PcapngBytes(bigEndian: false);
        expected.Statistics(
            1, time,
            [
                .. expected.Option(2, [.. expected.U32(0), .. expected.U32(0xF4240)]),
                .. expected.Option(4, expected.U64(50)), .. expected.Option(5, expected.U64(4)),
                .. expected.Option(7, expected.U64(3)), .. PcapngBytes.EndOfOptions(),
            ]);
        Assert.Equal(expected.ToArray(), block.Data);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void TryRead_OtherBlocks_AreHandedOnLittleEndian(bool bigEndian)
    {
        byte[] Blocks(PcapngBytes to) => to
            .Block(4,
            [
                .. to.U16(1), .. to.U16(9), 10, 0, 0, 1, .. "host\0"u8, 0, 0, 0, .. to.U32(0), .. to.Option(2, "dns"u8.ToArray()),
                .. PcapngBytes.EndOfOptions(),
            ])
            .Block(10, [.. to.U32(0x544c534b), .. to.U32(3), .. "abc"u8, 0])
            .Block(0xBAD, [.. to.U32(4711), 1, 2, 3, 4])
            .Block(9, "__REALTIME_TIMESTAMP=1795255200123456\nMESSAGE=hello\n\0\0"u8.ToArray()).ToArray();
        byte[] head = new PcapngBytes(bigEndian).Section().ToArray();
        using PcapngReader reader = PcapngReader.Open(new MemoryTraceInput((byte[])[.. head, .. Blocks(new PcapngBytes(bigEndian))]));

        List<ReadRecord> records = ReadRecords.All(reader);
        Assert.All(records, record => Assert.Equal(TraceRecordKind.Block, record.Kind));
        Assert.Equal(Blocks(new PcapngBytes(bigEndian: false)), records.SelectMany(record => record.Data));
        Assert.Empty(reader.Problems);
    }

    static PcapngBytes Piece(string comment, ushort linkType)
    {
        var file = new PcapngBytes(bigEndian: false);
        return file.Section([.. file.Option(1, Encoding.UTF8.GetBytes(comment)), .. PcapngBytes.EndOfOptions()]).Interface(linkType, 0);
    }

    static List<int> InterfacesOf(byte[] file, int interfaces)
    {
        using PcapngReader reader = PcapngReader.Open(new MemoryTraceInput(file));
        List<int> found = [.. ReadRecords.All(reader).Select(packet => packet.InterfaceIndex)];
        Assert.Equal(interfaces, reader.Interfaces.Count);
        Assert.Empty(reader.Problems);
        return found;
    }
}

public sealed class TimestampScaleTests
{
    [Theory]
    [InlineData(0, 3, 0, 3_000_000_000)] // seconds
    [InlineData(3, 1_500, 0, 1_500_000_000)] // 1500 ms
    [InlineData(6, 1_795_255_200_123_456, 0, 1_795_255_200_123_456_000)]
    [InlineData(9, 1_795_255_200_123_456_789, 0, 1_795_255_200_123_456_789)]
    [InlineData(12, 1_999, 0, 1)] // 1999 ps
    [InlineData(19, 12_345_678_901_234_567_890, 0, 1_234_567_890)] // 1.2345678901234567890 s
    [InlineData(127, ulong.MaxValue, 0, 1)] // finer than 64 bits can tell: as good as nothing
    [InlineData(0x80, 7, 0, 7_000_000_000)] // 2^0 seconds
    [InlineData(0x8A, 1_536, 0, 1_500_000_000)] // 1536/1024 s
    [InlineData(0xA0, 0x1_8000_0000, 0, 1_500_000_000)] // 32.32 fixed point: 1.5 s
    [InlineData(0xC0, 0x8000_0000_0000_0000, 0, 500_000_000)] // 2^63/2^64 s
    [InlineData(0xFF, ulong.MaxValue, 0, 0)] // 2^-127 s
    [InlineData(6, 1, 10, 10_000_001_000)]
    [InlineData(9, 5, -1, -999_999_995)]
    [InlineData(9, long.MaxValue, 0, long.MaxValue)] // the last that fits
    [InlineData(9, ulong.MaxValue, 0, long.MaxValue)] // beyond: the end, not the start of time
    [InlineData(6, 9_223_372_036_854_776, 0, long.MaxValue)] // 224 ns beyond
    [InlineData(6, 9_223_372_036_854_775, 0, 9_223_372_036_854_775_000)]
    [InlineData(0x80, ulong.MaxValue, 0, long.MaxValue)]
    [InlineData(0, 1, long.MaxValue, long.MaxValue)]
    [InlineData(0, 0, long.MinValue, long.MinValue)]
    [InlineData(9, 9_223_372_036_854_775_808, -1, 9_223_372_035_854_775_808)] // 2^63 ns less a second fits again
    public void ToNanoseconds_FollowsResolutionAndOffset(byte resolution, ulong units, long offsetSeconds, long expected) =>
        Assert.Equal(expected, new TimestampScale(resolution, offsetSeconds).ToNanoseconds(units));
}
