using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Testing;
using TcpDiag.Traces.Pcapng;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Traces.Tests.Pcapng;

public sealed class PcapngWriterTests
{
    static readonly PcapngWriterOptions Bare = new() { Application = null, SnapLength = 96 };

    static TraceInterface Ethernet => new() { Index = 0, LinkType = LinkType.Ethernet };

    static byte[] Written(Action<PcapngWriter> write, PcapngWriterOptions? options = null)
    {
        var output = new MemoryStream();
        using (var writer = new PcapngWriter(output, options ?? Bare))
        {
            write(writer);
        }

        return output.ToArray();
    }

    static TraceRecord Packet(ReadOnlySpan<byte> data, long nanoseconds, int originalLength) =>
        new() { Kind = TraceRecordKind.Packet, Time = new TraceTime(nanoseconds), Data = data, OriginalLength = originalLength };

    [Fact]
    public void WriteInterface_Head_HasTheseBytes()
    {
        byte[] file = Written(writer => writer.WriteInterface(new TraceInterface { Index = 7, LinkType = LinkType.Raw, Name = "if7" }));

        Assert.Equal(
            "0A0D0D0A200000004D3C2B1A01000000FFFFFFFFFFFFFFFF0000000020000000" // section with opt_endofopt, 32 bytes
            + "010000002800000065000000600000000900010009000000020003006966370000000000" + "28000000", // raw IP, snap length 96, tsresol 9, "if7"
            Convert.ToHexString(file));
    }

    [Fact]
    public void WriteInterface_AllOptions_AreReadBack()
    {
        var source = new TraceInterface
        {
            Index = 0,
            LinkType = LinkType.Ethernet,
            Name = "Ethernet 2",
            Description = "größer",
            MacAddress = [2, 0, 0, 0, 0, 1],
            SpeedBitsPerSecond = 10_000_000_000,
        };
        source.Addresses.Add(IpAddress.FromIpv4(0x0A000001));
        source.Addresses.Add(new IpAddress(0x2001_0DB8_0000_0000, 1));
        byte[] file = Written(writer => writer.WriteInterface(source), new PcapngWriterOptions { OperatingSystem = "Windows, build 26100", Comment = "c" });
        using PcapngReader reader = PcapngReader.Open(new MemoryTraceInput(file));

        Assert.Empty(ReadRecords.All(reader));
        TraceInterface read = Assert.Single(reader.Interfaces);
        Assert.Equal((source.Name, source.Description, source.SpeedBitsPerSecond), (read.Name, read.Description, read.SpeedBitsPerSecond));
        Assert.Equal(source.Addresses, read.Addresses);
        Assert.Equal(source.MacAddress, read.MacAddress);
        Assert.Equal((26100, "tcpdiag"), (reader.System.WindowsBuild, reader.System.Recorder));
    }

    // Two packets of the chain 0x1122, at two interfaces each: the first keeps the chain's number, and each is once.
    [Fact]
    public void WritePacket_PacketsOfAChain_StayApartAndTogether()
    {
        byte[] file = Written(writer =>
        {
            writer.WriteInterface(Ethernet);
            writer.WriteInterface(Ethernet);
            foreach (int at in (int[])[0, 1, 2, 3])
            {
                TraceRecord record = Packet([(byte)(at % 2), 9], 1, 60);
                record.InterfaceIndex = at / 2;
                record.PacketId = 0x1122;
                record.PacketNumber = (ushort)((at % 2) + 1);
                writer.WritePacket(in record);
            }
        });
        using PcapngReader reader = PcapngReader.Open(new MemoryTraceInput(file));

        Assert.Equal(
            [(0x1122UL, 1, false), (0x1122UL, 2, false), (0x1122UL, 1, true), (0x1122UL, 2, true)],
            ReadRecords.All(reader).Select(packet => (packet.PacketId, (int)packet.PacketNumber, packet.IsRepeat)));
        Assert.True(file.AsSpan().IndexOf(Convert.FromHexString("05000800" + "2211000000000100")) > 0);
    }

    [Fact]
    public void WritePacket_AllOptions_HaveTheseBytes()
    {
        byte[] file = Written(writer =>
        {
            writer.WriteInterface(Ethernet);
            TraceRecord record = Packet([1, 2, 3, 4, 5], 0x1_0000_0002, 200);
            record.Direction = PacketDirection.Outbound;
            record.PacketId = 0x1122;
            record.IsDropped = true;
            record.ProcessId = 4;
            record.ThreadId = 5;
            var options = new PcapngOptionWriter(stackalloc byte[64]);
            options.AddComment("PID=4");
            writer.WritePacket(in record, options.Written);
        });

        Assert.Equal(
            "06000000" + "68000000" + "00000000" + "01000000" + "02000000" + "05000000" + "C8000000" + "0102030405000000"
            + "01000500" + "5049443D34000000" // comment
            + "02000400" + "02000000" // flags: outbound
            + "05000800" + "2211000000000000" // packet id
            + "07000900" + "020100000000000000000000" // verdict of XDP: drop
            + "08000800" + "0400000005000000" // process and thread
            + "00000000" + "68000000",
            Convert.ToHexString(file.AsSpan(32 + 32)));
    }

    [Fact]
    public void WritePacket_ToldByPcapng_PassesItsOptionsOnceWithoutThoseNotToBeCopied()
    {
        var bytes = new PcapngBytes(bigEndian: false);
        byte[] kept = [.. bytes.Option(2, bytes.U32(1)), .. bytes.Option(3, 2, 1, 2, 3, 4), .. bytes.Option(1, "hello"u8.ToArray())];
        byte[] source = [.. kept, .. bytes.Option(PcapngOption.CustomBytesNoCopy, 1, 2, 3, 4, 5), .. PcapngBytes.EndOfOptions()];
        byte[] file = Written(writer =>
        {
            writer.WriteInterface(Ethernet);
            TraceRecord record = Packet([1], 1, 1);
            record.Direction = PacketDirection.Inbound;
            record.PcapngOptions = source;
            writer.WritePacket(in record);
        });
        using PcapngReader reader = PcapngReader.Open(new MemoryTraceInput(file));

        Assert.Equal([.. kept, .. PcapngBytes.EndOfOptions()], Assert.Single(ReadRecords.All(reader)).Options);
    }

    [Fact]
    public void WriteInterfaceStatistics_AreReadBack()
    {
        byte[] file = Written(writer =>
        {
            writer.WriteInterface(Ethernet);
            writer.WriteInterfaceStatistics(0, new TraceTime(5), received: 100, dropped: 3);
        });
        using PcapngReader reader = PcapngReader.Open(new MemoryTraceInput(file));

        Assert.Equal(5, Assert.Single(ReadRecords.All(reader)).Time.Nanoseconds);
        Assert.Equal(3, reader.Interfaces[0].Dropped);
    }

    [Fact]
    public void WriteBlock_Statistics_NameTheNewInterface()
    {
        byte[] source = new PcapngBytes(bigEndian: false).Statistics(0, 9).ToArray();
        byte[] file = Written(writer =>
        {
            writer.WriteInterface(Ethernet);
            writer.WriteInterface(Ethernet);
            writer.WriteBlock(new TraceRecord { Kind = TraceRecordKind.Block, Data = source, InterfaceIndex = 1 });
        });

        Assert.Equal(new PcapngBytes(bigEndian: false).Statistics(1, 9).ToArray(), file[^source.Length..]);
    }

    [Fact]
    public void WriteBlock_CustomNotToBeCopied_StaysBehind()
    {
        byte[] source = new PcapngBytes(bigEndian: false).Block(0x4000_0BAD, 1, 0, 0, 0).ToArray();
        byte[] file = Written(writer => writer.WriteBlock(new TraceRecord { Kind = TraceRecordKind.Block, Data = source, InterfaceIndex = -1 }));

        Assert.Equal(32, file.Length);
    }

    [Fact]
    public void WriteJournalEntry_IsPaddedWithZeros()
    {
        byte[] file = Written(writer => writer.WriteJournalEntry("MESSAGE=x\n"u8));

        Assert.Equal("09000000" + "18000000" + "4D4553534147453D780A0000" + "18000000", Convert.ToHexString(file.AsSpan(32)));
    }

    [Fact]
    public void WritePacket_InterfaceNotWritten_IsRefused() =>
        Assert.Throws<ArgumentOutOfRangeException>(() => Written(writer => writer.WritePacket(Packet([1], 1, 1))));

    [Fact]
    public void WritePacket_LargerThanTheBuffer_IsReadBack()
    {
        byte[] data = [.. Enumerable.Range(0, 3_000_001).Select(i => (byte)(i * 7))];
        byte[] file = Written(writer =>
        {
            writer.WriteInterface(Ethernet);
            writer.WritePacket(Packet(data, 1, data.Length));
            writer.WritePacket(Packet([1], 2, 1));
        });
        using PcapngReader reader = PcapngReader.Open(new MemoryTraceInput(file));

        List<ReadRecord> packets = ReadRecords.All(reader);
        Assert.Equal(2, packets.Count);
        Assert.True(data.AsSpan().SequenceEqual(packets[0].Data));
    }

    [Fact]
    public void Property_WhatIsWrittenIsReadBack()
    {
        Gen<(byte[] Data, long Time, byte Flags)[]> files = ArbMap.Default.GeneratorFor<(byte[] Data, long Time, byte Flags)>().ArrayOf();
        Prop.ForAll(files.ToArbitrary(), packets =>
        {
            byte[] file = Written(writer =>
            {
                writer.WriteInterface(Ethernet);
                writer.WriteInterface(Ethernet);
                foreach ((byte[] data, long time, byte flags) in packets)
                {
                    TraceRecord record = Packet(data, time, data.Length + flags);
                    record.InterfaceIndex = flags & 1;
                    record.Direction = (PacketDirection)(flags % 3);
                    record.PacketId = (ulong)(flags >> 1);
                    record.ProcessId = (uint)(flags >> 2);
                    writer.WritePacket(in record);
                }
            });
            using PcapngReader reader = PcapngReader.Open(new MemoryTraceInput(file));
            Assert.Equal(
                packets.Select(p => (
                    Convert.ToHexString(p.Data),
                    Math.Max(0, p.Time),
                    p.Data.Length + p.Flags,
                    p.Flags & 1,
                    (PacketDirection)(p.Flags % 3),
                    (ulong)(p.Flags >> 1),
                    (uint)(p.Flags >> 2))),
                ReadRecords.All(reader).Select(
                    r => (Convert.ToHexString(r.Data), r.Time.Nanoseconds, r.OriginalLength, r.InterfaceIndex, r.Direction, r.PacketId, r.ProcessId)));
            Assert.Empty(reader.Problems);
        }).QuickCheckThrowOnFailure();
    }
}
