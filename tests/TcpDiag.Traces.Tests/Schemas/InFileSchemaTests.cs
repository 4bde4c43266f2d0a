using System;
using System.Buffers.Binary;
using System.IO;
using TcpDiag.Testing;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.Etl.Writing;
using TcpDiag.Traces.Schemas;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Traces.Tests.Etl;
using Xunit;

namespace TcpDiag.Traces.Tests.Schemas;

/// <summary>A trace whose own description of 1332 differs from every bundled one: sequence number first, the Tcb last.</summary>
public sealed class InFileSchemaTests
{
    [Fact]
    public void EtlTraceReader_DescribedBehindItsEvents_DecodesByTheTrace()
    {
        using var reader = EtlTraceReader.Open(new MemoryTraceInput(Trace(describesItself: true)));
        var record = default(TraceRecord);

        Assert.True(reader.TryRead(ref record));
        Assert.Equal(StackEventKind.SegmentSent, record.Event!.Kind);
        Assert.Equal(0xFFFF_8000_0000_1111ul, record.Event.Tcb);
        Assert.True(record.Event.TryGet(StackField.Bytes, out long bytes));
        Assert.Equal(1448, bytes);
        Assert.False(reader.TryRead(ref record));
    }

    [Fact]
    public void EtlTraceReader_NotDescribed_DecodesByTheBundledLayout()
    {
        using var reader = EtlTraceReader.Open(new MemoryTraceInput(Trace(describesItself: false)));
        var record = default(TraceRecord);

        Assert.True(reader.TryRead(ref record));

        // The bundled layout begins with the Tcb: sequence number and bytes read as one pointer.
        Assert.Equal((1448ul << 32) | 77_000, record.Event!.Tcb);
    }

    [Theory]
    [InlineData(0x64, 0xFFFF_FFFF)] // more properties than bytes
    [InlineData(0x68, 4)] // more at the top than there are
    [InlineData(EventInfoBytes.PropertiesOffset + 4, 0xFFFF_FFF0)] // a name far outside
    public void Scan_DamagedDescription_DoesNotCrash(int offset, uint value)
    {
        byte[] info = EventInfoBytes.Describe(StackEventTable.Tcpip);
        BinaryPrimitives.WriteUInt32LittleEndian(info.AsSpan(offset), value);
        var scan = new InFileSchemaScan();
        var record = default(EtlRecord);
        Assert.True(EtlRecord.TryParse(new EtlRecordBuilder().Build(EventInfoBytes.Header(0), info), ref record));

        scan.Add(record);

        Assert.InRange(scan.Schemas.Count, 0, 1);
    }

    static byte[] Trace(bool describesItself)
    {
        using var stream = new MemoryStream();
        using var writer = new EtlWriter(stream, EtlFixtures.Header);
        var builder = new EtlRecordBuilder();
        byte[] payload = new byte[16];
        BinaryPrimitives.WriteUInt32LittleEndian(payload, 77_000);
        BinaryPrimitives.WriteUInt32LittleEndian(payload.AsSpan(4), 1448);
        BinaryPrimitives.WriteUInt64LittleEndian(payload.AsSpan(8), 0xFFFF_8000_0000_1111);
        long ticks = EtlFixtures.Header.StartTicks;
        writer.Write(builder.Build(new EtlRecordHeader { Ticks = ticks + 1, Provider = StackEventTable.Tcpip, Id = 1332, Version = 3 }, payload), 0);
        if (describesItself)
        {
            writer.Write(builder.Build(EventInfoBytes.Header(ticks + 2), EventInfoBytes.Describe(StackEventTable.Tcpip)), 0);
        }

        writer.Complete(EtlFixtures.Header.StartFileTime + 5, 0, 0);
        return stream.ToArray();
    }
}
