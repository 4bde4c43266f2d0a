using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Testing;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.Etl.Writing;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Traces.Tests.Etl;

public class EtlWriterTests
{
    public static TheoryData<string> RealFiles => EtlSamples.Real;

    [Theory]
    [InlineData(false, true)]
    [InlineData(true, true)]
    [InlineData(false, false)]
    [InlineData(true, false)]
    public void Write_EveryHeaderType_IsReadBack(bool compress, bool is64Bit)
    {
        List<byte[]> written = EtlFixtures.Records(500, is64Bit);
        EtlFileHeader header = EtlFixtures.Header with { Is64Bit = is64Bit };
        using EtlFile file = EtlSamples.Open(EtlFixtures.Write(header, written, compress));
        List<byte[]> read = EtlFixtures.ReadAll(file);
        Assert.Equal(written.Order(ByteOrder.Instance), read.Skip(1).Order(ByteOrder.Instance));
        Assert.Equal(is64Bit, file.Header.Is64Bit);
        Assert.Equal(is64Bit ? 8u : 4u, file.Header.PointerSize);
        Assert.Equal((uint)file.BufferCount, file.Header.BuffersWritten);
        Assert.Equal(compress, file.CompressedBufferCount > 0);
        Assert.Equal(0, file.MissingBuffers);
        Assert.Empty(file.Problems);
    }

    [Fact]
    public void Complete_Header_TellsWhatItWasGiven()
    {
        using var stream = new MemoryStream();
        var writer = new EtlWriter(stream, EtlFixtures.Header);
        writer.Complete(EtlFixtures.Header.StartFileTime + 5, eventsLost: 7, buffersLost: 2);
        using EtlFile file = EtlSamples.Open(stream.ToArray());
        EtlFileHeader expected = EtlFixtures.Header with
        {
            EndFileTime = EtlFixtures.Header.StartFileTime + 5,
            BuffersWritten = 1,
            PointerSize = 8,
            LayoutMajorVersion = 1,
            LayoutMinorVersion = 5,
            EventsLost = 7,
            BuffersLost = 2,
        };
        Assert.Equal(expected, file.Header);
    }

    [Fact]
    public void Dispose_WithoutComplete_LeavesAnUnclosedFile()
    {
        using var stream = new MemoryStream();
        using (var writer = new EtlWriter(stream, EtlFixtures.Header))
        {
            foreach (byte[] record in EtlFixtures.Records(300))
            {
                writer.Write(record, 0);
            }
        }

        using EtlFile file = EtlSamples.Open(stream.ToArray());
        Assert.False(file.Header.IsClosed);
        Assert.Equal(1u, file.Header.BuffersWritten);
        Assert.True(file.BufferCount > 1);
        Assert.StartsWith("expected the time at which the session was stopped, found none", Assert.Single(file.Problems).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Write_OneRecord_GivesTheBytesOfTheFormat()
    {
        byte[] record = EtlFixtures.Records(1)[0];
        byte[] bytes = EtlFixtures.Write(EtlFixtures.Header, [record], compress: false);
        int size = (int)EtlFixtures.Header.BufferSize;
        Assert.Equal(2 * size, bytes.Length);

        // Header buffer: size, flags 0x21, type 4, state 3, the SYSTEM64 header record of version 2.
        Assert.Equal(size, BinaryPrimitives.ReadInt32LittleEndian(bytes));
        Assert.Equal([0x03, 0, 0, 0], bytes[0x2C..0x30]);
        Assert.Equal([0x21, 0, 4, 0], bytes[0x34..0x38]);
        Assert.Equal([0x02, 0, 0x02, 0xC0], bytes[0x48..0x4C]);

        // Data buffer: sequence number 1, flags 0x21 because it is the last, type 0; 0xFF behind the record.
        byte[] data = bytes[size..];
        int filled = 0x48 + EtlRecordLayout.Align8(record.Length);
        Assert.Equal(1, BinaryPrimitives.ReadInt64LittleEndian(data.AsSpan(0x18)));
        Assert.Equal(filled, BinaryPrimitives.ReadInt32LittleEndian(data.AsSpan(0x30)));
        Assert.Equal([0x21, 0, 0, 0], data[0x34..0x38]);
        Assert.Equal(record, data[0x48..(0x48 + record.Length)]);
        Assert.False(data.AsSpan(filled).ContainsAnyExcept((byte)0xFF));
    }

    [Fact]
    public void Write_BytesThatDoNotCompress_StoresThemPlain()
    {
        var noise = new byte[3000];
        new Random(1).NextBytes(noise);
        byte[] record = new EtlRecordBuilder().Build(new EtlRecordHeader(), noise).ToArray();
        using EtlFile file = EtlSamples.Open(EtlFixtures.Write(EtlFixtures.Header, [record], compress: true));
        Assert.Equal(0, file.CompressedBufferCount);
        Assert.Equal(record, EtlFixtures.ReadAll(file)[1]);
    }

    [Fact]
    public void Write_RecordLongerThanABuffer_IsRefused()
    {
        using var writer = new EtlWriter(new MemoryStream(), EtlFixtures.Header with { BufferSize = 1024 });
        byte[] record = new EtlRecordBuilder().Build(new EtlRecordHeader(), new byte[1024 - 0x48 - 0x50 + 1]).ToArray();
        Assert.Throws<ArgumentException>(() => writer.Write(record, 0));
    }

    [Fact]
    public void Build_HeaderOfARecord_GivesTheSameRecord()
    {
        foreach (byte[] bytes in EtlFixtures.Records(100))
        {
            var record = default(EtlRecord);
            Assert.True(EtlRecord.TryParse(bytes, ref record));
            var builder = new EtlRecordBuilder();
            foreach (EtlExtendedItem item in new EtlExtendedItems(record.ExtendedData))
            {
                builder.AddExtendedItem(item.Type, item.Data);
            }

            Assert.Equal(bytes, builder.Build(EtlRecordHeader.Of(record), record.Payload).ToArray());
        }
    }

    [Theory]
    [InlineData(EtlClockType.Qpc, 10_000_000, 20_000_000)]
    [InlineData(EtlClockType.Qpc, 3_000_000, 6_000_000)]
    [InlineData(EtlClockType.CpuCycles, 0, 5_000_000_000)] // 2500 MHz
    public void Clock_TwoSecondsAfterTheStart_IsThatInstant(EtlClockType type, long frequency, long ticks)
    {
        EtlFileHeader header = EtlFixtures.Header with { ClockType = type, PerformanceFrequency = frequency, CpuSpeedMegahertz = 2500 };
        using EtlFile file = EtlSamples.Open(EtlFixtures.Write(header, [], compress: false));
        Assert.Equal(type, file.Clock.Type);
        Assert.Equal(
            TraceTime.FromFileTime(header.StartFileTime) + 2_000_000_000,
            file.Clock.ToTime(header.StartTicks + ticks));
    }

    [Fact]
    public void Clock_SystemTime_TakesTicksAsFileTime()
    {
        EtlFileHeader header = EtlFixtures.Header with { ClockType = EtlClockType.SystemTime };
        using EtlFile file = EtlSamples.Open(EtlFixtures.Write(header, [], compress: false));
        Assert.Equal(EtlFixtures.Header.StartFileTime, file.Clock.ToTime(EtlFixtures.Header.StartFileTime).ToFileTime());
    }

    [SharedTheory]
    [MemberData(nameof(RealFiles))]
    [Trait("Needs", "time")]
    public void Write_RecordsOfARealFile_AreReadBack(string name)
    {
        using EtlFile original = EtlSamples.OpenReal(name);
        using var stream = new MemoryStream();
        var writer = new EtlWriter(stream, original.Header with { BufferSize = 1 << 17 }, compress: true);
        using EtlRecordCursor cursor = original.Read(EtlReadOrder.Time);
        var record = default(EtlRecord);
        Assert.True(cursor.TryRead(ref record));
        while (cursor.TryRead(ref record))
        {
            writer.Write(record.Bytes, record.Processor);
        }

        writer.Complete(original.Header.EndFileTime);
        using EtlFile copy = EtlSamples.Open(stream.ToArray());
        Assert.Equal(EtlEventCounter.Count(original).Events, EtlEventCounter.Count(copy).Events);
        EtlTotals totals = EtlTotals.Of(copy, EtlReadOrder.Time);
        EtlTotals before = EtlTotals.Of(original, EtlReadOrder.Time);
        Assert.Equal(before.Records, totals.Records);
        Assert.Equal(before.LastTicks, totals.LastTicks);
    }
}
