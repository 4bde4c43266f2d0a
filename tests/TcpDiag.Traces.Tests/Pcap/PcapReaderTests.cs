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
            new TraceProblem(45, "expected a packet of at most 16777200 bytes, found a record that claims 4294967295; reading ends here"),
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
