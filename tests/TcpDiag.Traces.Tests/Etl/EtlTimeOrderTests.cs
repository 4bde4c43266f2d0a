using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.Etl.Writing;
using Xunit;

namespace TcpDiag.Traces.Tests.Etl;

public class EtlTimeOrderTests
{
    [Theory]
    [InlineData(1, false)]
    [InlineData(2, true)]
    [InlineData(3, false)]
    [InlineData(4, true)]
    public void Read_SeveralProcessors_EqualsAPlainSort(int seed, bool compress)
    {
        using EtlFile file = EtlSamples.Open(EtlFixtures.Write(EtlFixtures.Header, EtlFixtures.Records(2000, seed: seed), compress));
        List<EtlRecordPosition> read = EtlRecordPosition.List(file, EtlReadOrder.Time);
        Assert.Equal(EtlRecordPosition.Sorted(file), read);
        Assert.Equal(read.Select(place => place.Ticks).Order(), read.Select(place => place.Ticks));
    }

    [Fact]
    public void Read_RotatedCircularFile_EqualsAPlainSort()
    {
        // After a wrap the newest buffers stand behind the header and the oldest are gone: h 7 8 9 4 5 6.
        EtlFileHeader header = EtlFixtures.Header with { LogFileMode = EtlLogFileModes.Circular };
        int size = (int)header.BufferSize;
        byte[][] buffers = [.. EtlFixtures.Write(header, EtlFixtures.Records(600), compress: false).Chunk(size)];
        Assert.True(buffers.Length > 10);
        byte[] rotated = [.. buffers[0].Concat(buffers[7..10].SelectMany(b => b)).Concat(buffers[4..7].SelectMany(b => b))];
        using EtlFile file = EtlSamples.Open(rotated);
        Assert.Equal(EtlRecordPosition.Sorted(file), EtlRecordPosition.List(file, EtlReadOrder.Time));
        Assert.Equal(7, file.BufferCount);
        Assert.Equal(3, file.MissingBuffers);
        Assert.Empty(file.Problems);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Read_OneStreamForAllProcessors_SortsSmallInversions(int seed)
    {
        // Up to 5 ms out of place (50,000 ticks), inside buffers and across their borders.
        var random = new Random(seed);
        List<byte[]> records = [];
        var builder = new EtlRecordBuilder();
        for (int i = 0; i < 2000; i++)
        {
            long ticks = EtlFixtures.Header.StartTicks + 50_000 + (i * 1000L) + random.Next(-50_000, 50_000);
            records.Add(builder.Build(new EtlRecordHeader { Ticks = ticks, Id = (ushort)i }, []).ToArray());
        }

        EtlFileHeader header = EtlFixtures.Header with { LogFileMode = EtlLogFileModes.NoPerProcessorBuffering };
        using var stream = new MemoryStream();
        var writer = new EtlWriter(stream, header);
        records.ForEach(record => writer.Write(record, 0));
        writer.Complete(header.StartFileTime + 1);
        using EtlFile file = EtlSamples.Open(stream.ToArray());
        List<EtlRecordPosition> read = EtlRecordPosition.List(file, EtlReadOrder.Time);
        Assert.Equal(2001, read.Count);
        Assert.Equal(read.Select(place => place.Ticks).Order(), read.Select(place => place.Ticks));
        Assert.Equal(EtlRecordPosition.Sorted(file), read);
    }

    [Fact]
    public void Read_TwoCursorsAtOnce_DoNotDisturbEachOther()
    {
        using EtlFile file = EtlSamples.Open(EtlFixtures.Write(EtlFixtures.Header, EtlFixtures.Records(500), compress: true));
        using EtlRecordCursor first = file.Read(EtlReadOrder.Time);
        using EtlRecordCursor second = file.Read(EtlReadOrder.File);
        var one = default(EtlRecord);
        var other = default(EtlRecord);
        int count = 0;
        while (first.TryRead(ref one) && second.TryRead(ref other))
        {
            count++;
        }

        Assert.Equal(501, count);
        Assert.False(second.TryRead(ref other));
    }

    [Fact]
    public void TryRead_AfterDispose_IsFalse()
    {
        using EtlFile file = EtlSamples.Open(EtlFixtures.Write(EtlFixtures.Header, EtlFixtures.Records(500), compress: false));
        foreach (EtlReadOrder order in Enum.GetValues<EtlReadOrder>())
        {
            EtlRecordCursor cursor = file.Read(order);
            var record = default(EtlRecord);
            Assert.True(cursor.TryRead(ref record));
            cursor.Dispose();
            Assert.False(cursor.TryRead(ref record));
        }
    }

    [Theory]
    [InlineData(EtlReadOrder.File, false)]
    [InlineData(EtlReadOrder.File, true)]
    [InlineData(EtlReadOrder.Time, false)]
    [InlineData(EtlReadOrder.Time, true)]
    public void TryRead_AllRecords_AllocatesNothingPerRecord(EtlReadOrder order, bool compress)
    {
        using EtlFile file = EtlSamples.Open(EtlFixtures.Write(EtlFixtures.Header, EtlFixtures.Records(20_000), compress));
        Assert.True(file.BufferCount > 500);

        // Other tests collect garbage meanwhile, which empties the array pool: one undisturbed pass of ten is enough.
        Assert.Contains(0, Enumerable.Range(0, 10).Select(_ => AllocatedInSecondHalf(file, order)));
    }

    [Fact]
    public void Count_AnyNumberOfThreads_GivesTheSame()
    {
        using EtlFile file = EtlSamples.Open(EtlFixtures.Write(EtlFixtures.Header, EtlFixtures.Records(20_000), compress: true));
        EtlEventCounts expected = EtlEventCounter.Count(file, threads: 1);
        Assert.Equal(20_001, expected.Records);
        Assert.Equal(20_001, expected.Events.Sum(entry => entry.Count));
        foreach (int threads in new[] { 2, 3, 8, 0 })
        {
            EtlEventCounts counts = EtlEventCounter.Count(file, threads);
            Assert.Equal(expected.Events, counts.Events);
            Assert.Equal(expected with { Events = [] }, counts with { Events = [] });
        }
    }

    // The first half opens a buffer per processor and grows the heap.
    static long AllocatedInSecondHalf(EtlFile file, EtlReadOrder order)
    {
        using EtlRecordCursor cursor = file.Read(order);
        var record = default(EtlRecord);
        for (int i = 0; i < 10_000; i++)
        {
            Assert.True(cursor.TryRead(ref record));
        }

        long before = GC.GetAllocatedBytesForCurrentThread();
        long records = 0;
        while (cursor.TryRead(ref record))
        {
            records++;
        }

        // Whole bytes per record: now and then the runtime allocates a little for itself, while it recompiles.
        return (GC.GetAllocatedBytesForCurrentThread() - before) / records;
    }
}
