using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Linq;
using TcpDiag.Testing;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Etl.Buffers;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.Input;
using Xunit;

namespace TcpDiag.Traces.Tests.Etl;

/// <summary>Damaged copies: nothing but <see cref="TraceFormatException"/> escapes, memory stays bounded, and what is readable is kept.</summary>
public class EtlDamageTests
{
    const int CutStep = 4096;

    static readonly int BufferSize = (int)EtlFixtures.Header.BufferSize;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Read_CutAnywhere_KeepsEveryWholeRecordBeforeTheCut(bool compress)
    {
        byte[] whole = EtlFixtures.Write(EtlFixtures.Header, EtlFixtures.Records(400), compress);
        List<EtlRecordPosition> all = List(whole, out _);
        for (int length = BufferSize; length < whole.Length; length += 61)
        {
            List<EtlRecordPosition> read = List(whole[..length], out EtlFile file);
            int expected = all.Count(place => compress
                ? file.Entries.Exists(entry => entry.Offset == place.BufferOffset && entry.Offset + entry.StoredBytes < length)
                : place.BufferOffset + place.OffsetInBuffer + place.Length <= length);
            Assert.True(read.Count >= expected, $"cut at {length}: {read.Count} of {expected} records kept");

            // A record without a time stamp takes that of a neighbour, which may be cut off.
            Assert.Equal(all.Take(read.Count).Select(place => place with { Ticks = 0 }), read.Select(place => place with { Ticks = 0 }));
        }
    }

    [Fact]
    public void Read_CutInsideABuffer_TellsWhereAndWhat()
    {
        byte[] whole = EtlFixtures.Write(EtlFixtures.Header, EtlFixtures.Records(400), compress: false);
        using EtlFile file = EtlSamples.Open(whole[..(BufferSize + 100)]);
        TraceProblem problem = Assert.Single(file.Problems);
        Assert.Equal(BufferSize + 100, problem.OffsetBytes);
        Assert.Equal(
            "expected a buffer header, found a buffer of 0x1000 bytes at 0x1000 that runs over the next one or the end; no buffer follows",
            problem.Message);
    }

    // Nothing in the bytes shows such a cut; only the header knows how many buffers there were.
    [Fact]
    public void Read_CutBetweenBuffers_TellsHowManyAreMissing()
    {
        byte[] whole = EtlFixtures.Write(EtlFixtures.Header, EtlFixtures.Records(400), compress: false);
        using EtlFile file = EtlSamples.Open(whole[..(2 * BufferSize)]);
        TraceProblem problem = Assert.Single(file.Problems);
        Assert.Equal(2 * BufferSize, problem.OffsetBytes);
        Assert.Equal($"expected {whole.Length / BufferSize} buffers, found 2 and the end of the file: it was cut", problem.Message);
    }

    [Fact]
    public void Read_NoClockFrequency_IsTold()
    {
        byte[] bytes = EtlFixtures.Write(EtlFixtures.Header with { PerformanceFrequency = 0 }, EtlFixtures.Records(3), compress: false);
        using EtlFile file = EtlSamples.Open(bytes);
        Assert.Equal("expected a clock frequency above 0, found 0: one tick is taken for one second", Assert.Single(file.Problems).Message);
    }

    [Fact]
    public void Read_ZeroTail_IsNoProblem()
    {
        byte[] whole = EtlFixtures.Write(EtlFixtures.Header, EtlFixtures.Records(400), compress: false);
        using EtlFile file = EtlSamples.Open([.. whole, .. new byte[3 * BufferSize + 17]]);
        Assert.Equal(401, EtlFixtures.ReadAll(file).Count);
        Assert.Empty(file.Problems);
    }

    [Theory]
    [InlineData(0, 0)] // no size
    [InlineData(0, 40)] // shorter than its header
    [InlineData(0, 0x1008)] // a little too long: the next header is missed
    [InlineData(0, 0x3000)] // swallows two buffers
    [InlineData(0, 0x7FFF_FFFF)]
    [InlineData(0x30, 0x1008)] // records beyond the end
    [InlineData(0x30, -1)]
    public void Read_BufferHeaderDamaged_KeepsAllOtherBuffers(int field, int value)
    {
        byte[] bytes = EtlFixtures.Write(EtlFixtures.Header, EtlFixtures.Records(400), compress: false);
        List<EtlRecordPosition> all = List(bytes, out _);
        long damaged = 2 * BufferSize;
        BitConverter.TryWriteBytes(bytes.AsSpan((int)damaged + field), value);
        List<EtlRecordPosition> read = List(bytes, out EtlFile file);
        Assert.Superset(all.Where(place => place.BufferOffset != damaged).ToHashSet(), read.ToHashSet());
        Assert.NotEmpty(file.Problems);
    }

    [Fact]
    public void Read_RecordSizeDamaged_SkipsToTheNextRecord()
    {
        List<byte[]> records = EtlFixtures.Records(400).Where(record => record[2] == 0x13).ToList();
        byte[] bytes = EtlFixtures.Write(EtlFixtures.Header, records, compress: false);
        List<EtlRecordPosition> all = List(bytes, out _);
        EtlRecordPosition victim = all.First(place => place.OffsetInBuffer > EtlBufferHeader.Length);
        bytes[victim.BufferOffset + victim.OffsetInBuffer] = 4;
        bytes[victim.BufferOffset + victim.OffsetInBuffer + 1] = 0;
        List<EtlRecordPosition> read = List(bytes, out EtlFile file);
        Assert.Equal(all.Where(place => place != victim), read);
        TraceProblem problem = Assert.Single(file.Problems);
        Assert.Equal(victim.BufferOffset + victim.OffsetInBuffer, problem.OffsetBytes);
        Assert.Equal($"expected a record, found 0xc0130004; {EtlRecordLayout.Align8(victim.Length)} bytes of the buffer skipped", problem.Message);
    }

    [Fact]
    public void Read_HeadersThatAllPointIntoZeros_TakesLinearTime()
    {
        // 20,000 empty buffers, each claiming to end in 16 MB of zeros: read once each that would be 320 GB.
        byte[] first = EtlFixtures.Write(EtlFixtures.Header, [], compress: false);
        byte[] empty = EtlFixtures.Write(EtlFixtures.Header, EtlFixtures.Records(1), compress: false)[BufferSize..(BufferSize + EtlBufferHeader.Length)];
        byte[] bytes = [.. first, .. Enumerable.Repeat(empty, 20_000).SelectMany(header => header), .. new byte[16 << 20], 1];
        for (int i = 0; i < 20_000; i++)
        {
            Span<byte> header = bytes.AsSpan(BufferSize + (i * EtlBufferHeader.Length));
            BitConverter.TryWriteBytes(header, 8 << 20);
            BitConverter.TryWriteBytes(header[0x30..], EtlBufferHeader.Length);
        }

        using EtlFile file = EtlSamples.Open(bytes);
        Assert.Equal(20_001, file.BufferCount);
        Assert.Equal(1000, file.Problems.Count);
        Assert.Single(EtlFixtures.ReadAll(file));
    }

    [Fact]
    public void Read_CompressedBufferThatClaimsMuch_IsNotBelieved()
    {
        byte[] bytes = EtlFixtures.Write(EtlFixtures.Header, EtlFixtures.Records(400), compress: true);
        using EtlFile whole = EtlSamples.Open(bytes);
        long damaged = whole.Entries[2].Offset;
        BitConverter.TryWriteBytes(bytes.AsSpan((int)damaged + 0x30), 60 << 20);
        using EtlFile file = EtlSamples.Open(bytes);
        Assert.Equal(whole.BufferCount - 1, file.BufferCount);
        Assert.Equal(damaged, Assert.Single(file.Problems).OffsetBytes);
        Assert.Equal(1, file.MissingBuffers);
    }

    [Fact]
    public void Open_NotAnEtlFile_SaysWhatIsThere()
    {
        var exception = Assert.Throws<TraceFormatException>(() => EtlSamples.Open([0x0A, 0x0D, 0x0D, 0x0A, 1, 2, 3, 4, 5]));
        Assert.Equal("memory@0x0: expected an .etl buffer that begins with a log file header, found bytes 0a0d0d0a01020304", exception.Message);
    }

    [Fact]
    public void Open_EmptyFile_SaysSo()
    {
        var exception = Assert.Throws<TraceFormatException>(() => EtlSamples.Open([]));
        Assert.Equal("memory@0x0: expected an .etl buffer that begins with a log file header, found an empty file", exception.Message);
    }

    [Fact]
    public void Open_HeaderRecordCut_SaysHowMuchIsThere()
    {
        byte[] whole = EtlFixtures.Write(EtlFixtures.Header, [], compress: false);
        var exception = Assert.Throws<TraceFormatException>(() => EtlSamples.Open(whole[..200]));
        Assert.Equal("memory:0@0x48: expected a log file header of at least 312 bytes, found 128 bytes", exception.Message);
    }

    [SharedTheory]
    [InlineData("AMSITrace.etl", 0)]
    [InlineData("SelfDescribingSingleEvent.etl", 300)]
    [InlineData("gcevents.etl.zip", 0)]
    [InlineData("lxcore_kernel.etl", 300)]
    [InlineData("primitive-types.etl.zip", 300)]
    public void Read_RealFileDamaged_Survives(string name, int more) => Damage(EtlSamples.ReadReal(name), 100 + more);

    [SharedTheory]
    [InlineData("sample-22621-netsh")]
    [InlineData("sample-26100-pktmon")]
    public void Read_GeneratedFileDamaged_Survives(string name) => Damage(EtlSamples.ReadGenerated(name), 60);

    [SharedFact]
    [Trait("Needs", "time")]
    public void Read_LargeRealFileCut_Survives() => CutLargeRealFile(64 * CutStep);

    [LongSharedFact]
    public void Read_LargeRealFileCutEverywhere_Survives() => CutLargeRealFile(CutStep);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Read_FixtureDamaged_Survives(bool compress) =>
        Damage(EtlFixtures.Write(EtlFixtures.Header, EtlFixtures.Records(300), compress), 1500);

    [Fact]
    public void Read_BuffersSwapped_GivesTheSameTimeOrder()
    {
        byte[] bytes = EtlFixtures.Write(EtlFixtures.Header, EtlFixtures.Records(400), compress: false);
        List<byte[]> expected = EtlFixtures.ReadAll(EtlSamples.Open(bytes), EtlReadOrder.Time);
        byte[][] buffers = [.. bytes.Chunk(BufferSize)];
        (buffers[1], buffers[^1]) = (buffers[^1], buffers[1]);
        byte[] swapped = [.. buffers.SelectMany(buffer => buffer)];
        Assert.Equal(expected, EtlFixtures.ReadAll(EtlSamples.Open(swapped), EtlReadOrder.Time));
    }

    static void CutLargeRealFile(int step)
    {
        byte[] bytes = EtlSamples.ReadReal("net.4.5.2.x64.etl.zip");
        for (int length = CutStep; length < bytes.Length; length += step)
        {
            ReadEverything(bytes[..length]);
        }
    }

    static void Damage(byte[] original, int mutations)
    {
        for (int length = CutStep; length < original.Length; length += CutStep)
        {
            ReadEverything(original[..length]);
        }

        var mutator = new Mutator(1);
        for (int i = 0; i < mutations; i++)
        {
            ReadEverything(mutator.Mutate(original));
        }
    }

    // Every way of reading finishes, agrees about the number of records, and stays below 256 MB.
    static void ReadEverything(byte[] bytes)
    {
        long before = GC.GetTotalAllocatedBytes();
        try
        {
            using EtlFile file = EtlSamples.Open(bytes);
            long counted = EtlEventCounter.Count(file, threads: 1).Records;
            EtlTotals inFileOrder = EtlTotals.Of(file, EtlReadOrder.File, withPayload: false);
            EtlTotals inTimeOrder = EtlTotals.Of(file, EtlReadOrder.Time, withPayload: false);
            Assert.Equal(inFileOrder.Records, counted);
            Assert.Equal(inFileOrder.Records, inTimeOrder.Records);
            Assert.Equal(inFileOrder.ExtendedItems, inTimeOrder.ExtendedItems);
        }
        catch (TraceFormatException exception)
        {
            Assert.Contains("expected", exception.Message, StringComparison.Ordinal);
        }

        Assert.InRange(GC.GetTotalAllocatedBytes() - before, 0, 256L << 20);
    }

    static List<EtlRecordPosition> List(byte[] bytes, out EtlFile file)
    {
        file = EtlSamples.Open(bytes);
        return EtlRecordPosition.List(file, EtlReadOrder.File);
    }
}

/// <summary>Traces inside an archive, through the inputs that commands use.</summary>
public class EtlZipTests
{
    [SharedTheory]
    [InlineData("gcevents.etl.zip", 71)]
    [InlineData("net.4.5.2.x64.etl.zip", 179_474)]
    [InlineData("primitive-types.etl.zip", 7)]
    public void Open_Archive_ReadsTheTraceInIt(string name, long records)
    {
        using EtlFile file = EtlFile.Open(TraceInputs.OpenSeekable(SharedFolder.PathOf("traces", "etl", name)));
        Assert.Equal(records, EtlEventCounter.Count(file).Records);
        Assert.EndsWith(name, file.Path, System.StringComparison.Ordinal);
    }

    [Fact]
    public void Open_GzippedFile_ReadsAsThePlainOne()
    {
        byte[] bytes = EtlFixtures.Write(EtlFixtures.Header, EtlFixtures.Records(300), compress: true);
        string path = Path.GetTempFileName();
        try
        {
            using (var gzip = new GZipStream(File.Create(path), CompressionLevel.Fastest))
            {
                gzip.Write(bytes);
            }

            using EtlFile plain = EtlSamples.Open(bytes);
            using EtlFile packed = EtlFile.Open(TraceInputs.OpenSeekable(path));
            Assert.Equal(EtlFixtures.ReadAll(plain), EtlFixtures.ReadAll(packed));
            Assert.Equal(301, EtlFixtures.ReadAll(packed, EtlReadOrder.Time).Count);
        }
        finally
        {
            File.Delete(path);
        }
    }
}
