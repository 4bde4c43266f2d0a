using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Testing;
using TcpDiag.Traces.Pcapng;
using Xunit;

namespace TcpDiag.Traces.Tests.Pcapng;

public sealed class PcapngReaderDamageTests
{
    static readonly byte[] Five = [1, 2, 3, 4, 5];

    // Section 28 bytes, interface 20, each packet 40.
    static byte[] ThreePackets(bool bigEndian = false) =>
        new PcapngBytes(bigEndian).Section().Interface(1, 0).Packet(0, 1, Five, 5).Packet(0, 2, Five, 5).Packet(0, 3, Five, 5).ToArray();

    [Fact]
    public void TryRead_TimesBeyondWhatNanosecondsTell_StandAtTheEndAndAreCounted()
    {
        var file = new PcapngBytes(bigEndian: false);
        file.Section().Interface(1, 0).Packet(0, ulong.MaxValue, [1], 60, []).Packet(0, 1, [1], 60, []).Packet(0, ulong.MaxValue - 1, [1], 60, []);
        using PcapngReader reader = PcapngReader.Open(new MemoryTraceInput(file.ToArray()));

        Assert.Equal([long.MaxValue, 1000, long.MaxValue], ReadRecords.All(reader).Select(packet => packet.Time.Nanoseconds));
        Assert.Equal("2 records of a time before 1678 or after 2261; they stand at the end of what can be expressed", Assert.Single(reader.Problems).Message);
    }

    [Fact]
    public void Open_NoSectionHeader_SaysWhatWasFound()
    {
        var error = Assert.Throws<TraceFormatException>(() => PcapngReader.Open(new MemoryTraceInput("GIF89a.........."u8.ToArray(), "x.pcapng")));
        Assert.Equal("x.pcapng:0@0x0: expected a pcapng Section Header Block (0a 0d 0d 0a …), found the text \"GIF89a..........\"", error.Message);
    }

    [Fact]
    public void TryRead_CutAtEveryByte_KeepsWhatIsWholeAndSaysSo()
    {
        byte[] file = ThreePackets();
        for (int length = 28; length < file.Length; length++)
        {
            using PcapngReader reader = PcapngReader.Open(new MemoryTraceInput(file.AsMemory(0, length)));
            int whole = Math.Max(0, length - 48) / 40;
            bool isBetween = length is 28 or 48 || (length > 48 && (length - 48) % 40 == 0);

            Assert.Equal(whole, ReadRecords.All(reader).Count);
            Assert.Equal(isBetween ? 0 : 1, reader.Problems.Count);
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void TryRead_LengthsThatDisagree_GoesOnAtTheNextBlock(bool bigEndian)
    {
        byte[] file = ThreePackets(bigEndian);
        file[48 + 40 - (bigEndian ? 1 : 4)] = 44; // the length that ends the first packet
        using PcapngReader reader = PcapngReader.Open(new MemoryTraceInput(file));

        Assert.Equal([2L, 3L], ReadRecords.All(reader).Select(packet => packet.Time.Nanoseconds / 1000));
        TraceProblem problem = Assert.Single(reader.Problems);
        Assert.Equal(48, problem.OffsetBytes);
        Assert.Equal("expected the block to end with its length 40, found 44; reading goes on 40 bytes later", problem.Message);
    }

    [Theory]
    [InlineData(0, "expected a block length of at least 12 and divisible by 4, found 0; reading goes on 40 bytes later")]
    [InlineData(41, "expected a block length of at least 12 and divisible by 4, found 41; reading goes on 40 bytes later")]
    public void TryRead_ImpossibleLength_GoesOnAtTheNextBlock(byte length, string message)
    {
        byte[] file = ThreePackets();
        file[88 + 4] = length;
        using PcapngReader reader = PcapngReader.Open(new MemoryTraceInput(file));

        Assert.Equal([1L, 3L], ReadRecords.All(reader).Select(packet => packet.Time.Nanoseconds / 1000));
        Assert.Equal(message, Assert.Single(reader.Problems).Message);
    }

    [Fact]
    public void TryRead_LengthBeyondTheLimit_AllocatesNothingForIt()
    {
        byte[] file = ThreePackets();
        file[48 + 7] = 0x7F; // the first packet claims 2130706472 bytes
        using PcapngReader reader = PcapngReader.Open(new MemoryTraceInput(file));
        long before = GC.GetAllocatedBytesForCurrentThread();

        Assert.Empty(ReadRecords.All(reader));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 1 << 20);
        Assert.Equal("expected a block of at most 16777216 bytes, found one of type 0x6 with 2130706472 bytes; it is skipped", reader.Problems[0].Message);
    }

    [Fact]
    public void TryRead_PacketThatDoesNotFitOrHasNoInterface_IsSkipped()
    {
        byte[] file = ThreePackets();
        file[48 + 20] = 9; // captured length 9 where 8 bytes are left
        file[88 + 8] = 1; // interface 1 of 1
        using PcapngReader reader = PcapngReader.Open(new MemoryTraceInput(file));

        Assert.Single(ReadRecords.All(reader));
        Assert.Equal([48L, 88L], reader.Problems.Select(problem => problem.OffsetBytes));
        Assert.Equal(5, reader.RecordsRead);
        Assert.StartsWith(
            "expected an Enhanced Packet Block whose packet fits into it and whose interface was described, found 06000000",
            reader.Problems[0].Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void TryRead_UnknownVersion_SkipsTheSectionOnly()
    {
        byte[] unknown = ThreePackets();
        unknown[12] = 2;
        using PcapngReader reader = PcapngReader.Open(new MemoryTraceInput((byte[])[.. unknown, .. ThreePackets()]));

        Assert.Equal(3, ReadRecords.All(reader).Count);
        Assert.Equal("expected pcapng version 1.0, found 2.0; the section is skipped", Assert.Single(reader.Problems).Message);
    }

    [Fact]
    public void TryRead_ManyProblems_AreCountedOnlyUpToALimit()
    {
        var file = new PcapngBytes(bigEndian: false);
        file.Section();
        for (int i = 0; i < 1000; i++)
        {
            file.Packet(0, 1, Five, 5);
        }

        using PcapngReader reader = PcapngReader.Open(new MemoryTraceInput(file.ToArray()));
        Assert.Empty(ReadRecords.All(reader));
        Assert.Equal(101, reader.Problems.Count);
        Assert.Equal("more problems from here on, not listed", reader.Problems[100].Message);
    }

    [Fact]
    public void TryRead_MutatedFiles_EndWithoutHarm()
    {
        var big = new PcapngBytes(bigEndian: true);
        byte[] original =
        [
            .. ThreePackets(),
            .. big.Section([.. big.Option(3, "os"u8.ToArray())]).Interface(1, 0, [.. big.Option(9, 9), .. big.Option(4, 1, 2, 3, 4, 5, 6, 7, 8)])
                .Packet(0, 1, Five, 9, [.. big.Option(2, big.U32(1)), .. big.Option(5, big.U64(7)), .. big.Option(7, [2, .. big.U64(1)])])
                .ObsoletePacket(0, 1, 1, Five, 5).SimplePacket(5, Five).Statistics(0, 1, [.. big.Option(5, big.U64(7))])
                .Block(4, [.. big.U16(1), .. big.U16(5), 1, 2, 3, 4, 0, 0, 0, 0])
                .Block(10, [.. big.U32(1), .. big.U32(2), 1, 2, 0, 0]).Block(9, "__REALTIME_TIMESTAMP=1\n"u8.ToArray()).ToArray(),
        ];
        var mutator = new Mutator(seed: 20261121);
        long records = 0;
        for (int i = 0; i < 5000; i++)
        {
            records += CountRecords(mutator.Mutate(original));
        }

        Assert.InRange(records, 5000, 100_000);
    }

    static int CountRecords(byte[] file)
    {
        try
        {
            using PcapngReader reader = PcapngReader.Open(new MemoryTraceInput(file));
            List<ReadRecord> records = ReadRecords.All(reader);
            Assert.All(records, record => Assert.InRange(record.Data.Length, 0, file.Length));
            return records.Count;
        }
        catch (TraceFormatException exception)
        {
            Assert.Contains("expected a pcapng Section Header Block", exception.Message, StringComparison.Ordinal);
            return 0;
        }
    }
}
