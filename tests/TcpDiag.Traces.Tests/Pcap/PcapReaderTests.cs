using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Testing;
using TcpDiag.Traces.Pcap;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Traces.Tests.Pcap;

public sealed class PcapReaderTests
{
    static readonly byte[] Five = [1, 2, 3, 4, 5];

    static byte[] Words(bool bigEndian, params uint[] words)
    {
        byte[] bytes = new byte[4 * words.Length];
        for (int i = 0; i < words.Length; i++)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(4 * i), bigEndian ? BinaryPrimitives.ReverseEndianness(words[i]) : words[i]);
        }

        return bytes;
    }

    // Version 2.4 as two 16-bit numbers reads as one word in either order.
    static byte[] Head(bool bigEndian, uint magic, uint linkType = 1) =>
        Words(bigEndian, magic, bigEndian ? 0x0002_0004U : 0x0004_0002U, 0, 0, 65535, linkType);

    static byte[] Record(bool bigEndian, uint seconds, uint fraction, byte[] data, uint originalLength) =>
        [.. Words(bigEndian, seconds, fraction, (uint)data.Length, originalLength), .. data];

    [Theory]
    [InlineData(false, 0xA1B2C3D4, 1_795_255_200_123_456_000)]
    [InlineData(true, 0xA1B2C3D4, 1_795_255_200_123_456_000)]
    [InlineData(false, 0xA1B23C4D, 1_795_255_200_000_123_456)]
    [InlineData(true, 0xA1B23C4D, 1_795_255_200_000_123_456)]
    public void TryRead_EveryKind_GivesTheFields(bool bigEndian, uint magic, long nanoseconds)
    {
        byte[] file = [.. Head(bigEndian, magic, 0xF000_0071), .. Record(bigEndian, 1_795_255_200, 123_456, Five, 60), .. Record(bigEndian, 1, 0, [], 0)];
        using PcapReader reader = PcapReader.Open(new MemoryTraceInput(file));

        List<ReadRecord> packets = ReadRecords.All(reader);
        Assert.Equal(2, packets.Count);
        Assert.Equal(
            (nanoseconds, 60, LinkType.LinuxSll, 24L),
            (packets[0].Time.Nanoseconds, packets[0].OriginalLength, packets[0].LinkType, packets[0].FileOffset));
        Assert.Equal(Five, packets[0].Data);
        Assert.Equal((65535, 2L), (reader.Interfaces[0].SnapLength, reader.Interfaces[0].Packets));
        Assert.Empty(reader.Problems);
    }

    [Fact]
    public void TryRead_CutAtEveryByte_KeepsWhatIsWholeAndSaysSo()
    {
        byte[] file = [.. Head(false, 0xA1B2C3D4), .. Record(false, 1, 1, Five, 5), .. Record(false, 2, 2, Five, 5)];
        for (int length = 24; length < file.Length; length++)
        {
            using PcapReader reader = PcapReader.Open(new MemoryTraceInput(file.AsMemory(0, length)));

            Assert.Equal((length - 24) / 21, ReadRecords.All(reader).Count);
            Assert.Equal((length - 24) % 21 == 0 ? 0 : 1, reader.Problems.Count);
        }
    }

    [Fact]
    public void TryRead_HugeLength_EndsWithAProblem()
    {
        byte[] file = [.. Head(false, 0xA1B2C3D4), .. Record(false, 1, 1, Five, 5), .. Words(false, 2, 2, 0xFFFF_FFFF, 5)];
        using PcapReader reader = PcapReader.Open(new MemoryTraceInput(file));

        Assert.Single(ReadRecords.All(reader));
        Assert.Equal(
            new TraceProblem(45, "expected a packet of at most 262144 bytes, found a record that claims 4294967295; nothing readable behind it"),
            Assert.Single(reader.Problems));
    }

    [Theory]
    [InlineData(
        0xA1B2CD34U,
        24,
        "x.pcap@0x0: expected a pcap file, found one of the \"modified\" (Kuznetzov) kind, which is not read. Convert it with editcap -F pcapng")]
    [InlineData(0xA1B2C3D4U, 20, "x.pcap@0x0: expected a pcap file header of 24 bytes, found 20 bytes")]
    [InlineData(0x12345678U, 8, "x.pcap@0x0: expected a pcap magic number, found 7856341202000400")]
    public void Open_WhatIsNotRead_IsRefusedClearly(uint magic, int length, string message)
    {
        var error = Assert.Throws<TraceFormatException>(() => PcapReader.Open(new MemoryTraceInput(Head(false, magic).AsMemory(0, length), "x.pcap")));
        Assert.Equal(message, error.Message);
    }

    // Twenty records, of which the tenth is damaged: offset of its header 24 + 10 × 76.
    const int DamagedAt = 24 + (10 * 76);

    public static TheoryData<string, bool> Damages => new()
    {
        { "huge length", false }, { "huge length", true }, { "large length", false }, { "large length", true }, { "text", false }, { "text", true },
        { "inserted", false }, { "zeros", false }, { "zeros", true }, { "cut short", false }, { "cut short", true },
    };

    [Theory]
    [MemberData(nameof(Damages))]
    public void TryRead_RecordBrokenInTheMiddle_GoesOnAtTheNext(string damage, bool bigEndian)
    {
        byte[] file = Damage([.. Head(bigEndian, 0xA1B2C3D4), .. Records(bigEndian, 20)], damage, bigEndian);
        using PcapReader reader = PcapReader.Open(new MemoryTraceInput(file));

        List<ReadRecord> packets = ReadRecords.All(reader);
        // A record whose end is missing takes the header of the next one for its own bytes.
        int lost = damage is "inserted" ? -1 : damage is "cut short" ? 11 : 10;
        int[] expected = [.. Enumerable.Range(0, 20).Where(i => i != lost)];
        Assert.Equal(expected, packets.Select(packet => (int)packet.Data[0]).Where(number => number < 20));
        Assert.InRange(packets.Count, expected.Length, expected.Length + 1); // the broken one itself, where only its bytes are too few
        TraceProblem problem = Assert.Single(reader.Problems);
        Assert.InRange(problem.OffsetBytes, DamagedAt, DamagedAt + 76);
        Assert.StartsWith("expected ", problem.Message, StringComparison.Ordinal);
        Assert.Contains(", found ", problem.Message, StringComparison.Ordinal);
        Assert.Contains("; reading goes on ", problem.Message, StringComparison.Ordinal);
    }

    static byte[] Records(bool bigEndian, int count) =>
        [.. Enumerable.Range(0, count).SelectMany(i => Record(bigEndian, 1_795_255_200 + (uint)i, 7, [(byte)i, .. Enumerable.Repeat((byte)0xEE, 59)], 60))];

    static byte[] Damage(byte[] file, string damage, bool bigEndian)
    {
        Span<byte> header = file.AsSpan(DamagedAt, 16);
        switch (damage)
        {
            case "huge length":
                Words(bigEndian, 0xFFFF_FFF0).CopyTo(header[8..]);
                return file;
            case "large length":
                Words(bigEndian, 600).CopyTo(header[8..]);
                return file;
            case "text":
                "GET / HTTP/1.1\r\n"u8.CopyTo(header);
                return file;
            case "zeros":
                file.AsSpan(DamagedAt, 76).Clear();
                return file;
            case "inserted":
                return [.. file[..DamagedAt], .. "what does not belong here"u8, .. file[DamagedAt..]];
            default:
                return [.. file[..(DamagedAt + 30)], .. file[(DamagedAt + 76)..]];
        }
    }

    // Some tools write an original length below what was captured, or a snap length that is too small: that is no damage.
    [Theory]
    [InlineData(5U, 3U)]
    [InlineData(70_000U, 70_000U)]
    public void TryRead_OddRecordsInARow_AreRead(uint captured, uint original)
    {
        byte[] data = new byte[captured];
        byte[] file = [.. Head(false, 0xA1B2C3D4), .. Enumerable.Range(1, 3).SelectMany(i => Record(false, (uint)i, 1, data, original))];
        using PcapReader reader = PcapReader.Open(new MemoryTraceInput(file));
        Assert.Equal(3, ReadRecords.All(reader).Count);
        Assert.Empty(reader.Problems);
    }

    // Lengths are never believed before they are checked: what is allocated stays near the size of the file.
    [Fact]
    public void TryRead_DamageWithAFixedSeed_LosesLittleAndAllocatesLittle()
    {
        var random = new Random(20_261_121);
        byte[] original = [.. Head(false, 0xA1B2C3D4), .. Records(false, 200)];
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 2000; i++)
        {
            byte[] file = [.. original];
            int at = 24 + random.Next(file.Length - 24 - 16);
            random.NextBytes(file.AsSpan(at, random.Next(1, 17)));
            using PcapReader reader = PcapReader.Open(new MemoryTraceInput(file));
            Assert.InRange(ReadRecords.All(reader).Count, 196, 201);
        }

        Assert.InRange((GC.GetAllocatedBytesForCurrentThread() - before) / 2000, 0, 20 * original.Length);
    }

    [Fact]
    public void TryRead_MutatedFiles_EndWithoutHarm()
    {
        byte[] original = [.. Head(true, 0xA1B2C3D4), .. Enumerable.Range(0, 8).SelectMany(i => Record(true, (uint)i, 1, Five, 5))];
        var mutator = new Mutator(seed: 7);
        int records = 0;
        for (int i = 0; i < 3000; i++)
        {
            byte[] file = mutator.Mutate(original);
            try
            {
                using PcapReader reader = PcapReader.Open(new MemoryTraceInput(file));
                records += ReadRecords.All(reader).Count;
            }
            catch (TraceFormatException exception)
            {
                Assert.Contains("expected a pcap", exception.Message, StringComparison.Ordinal);
            }
        }

        Assert.InRange(records, 3000, 100_000);
    }
}
