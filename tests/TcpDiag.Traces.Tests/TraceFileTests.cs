using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using TcpDiag.Testing;
using TcpDiag.Traces.Pcapng;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Traces.Tests.Input;
using TcpDiag.Traces.Tests.Pcapng;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Traces.Tests;

public sealed class TraceFileTests
{
    static byte[] Pcapng(string name, params ulong[] microseconds)
    {
        var file = new PcapngBytes(bigEndian: false);
        file.Section().Interface(1, 0, [.. file.Option(2, Encoding.UTF8.GetBytes(name)), .. PcapngBytes.EndOfOptions()]);
        foreach (ulong time in microseconds)
        {
            file.Packet(0, time, [(byte)time], 1, [.. file.Option(5, file.U64(time)), .. PcapngBytes.EndOfOptions()]);
        }

        return file.ToArray();
    }

    [Theory]
    [InlineData("0A0D0D0A1C0000004D3C2B1A", TraceFormat.Pcapng)]
    [InlineData("0A0D0D0A0000001C1A2B3C4D", TraceFormat.Pcapng)]
    [InlineData("D4C3B2A1", TraceFormat.Pcap)]
    [InlineData("A1B23C4D", TraceFormat.Pcap)]
    [InlineData("34CDB2A1", TraceFormat.Pcap)]
    public void Detect_KnownFirstBytes_TellTheFormat(string head, TraceFormat expected) =>
        Assert.Equal(expected, TraceFile.Detect("x", Convert.FromHexString(head)));

    [Theory]
    [InlineData(0xC0010002)]
    [InlineData(0xC0020002)]
    public void Detect_MarkerOfTheFirstRecord_TellsEtl(uint marker)
    {
        byte[] head = new byte[76];
        BitConverter.TryWriteBytes(head.AsSpan(72), marker);

        Assert.Equal(TraceFormat.Etl, TraceFile.Detect("x", head));
    }

    [Theory]
    [InlineData("7F454C46", "x@0x0: expected an .etl, .pcapng or .pcap trace, found 7f454c46")]
    [InlineData("", "x@0x0: expected an .etl, .pcapng or .pcap trace, found nothing")]
    public void Detect_AnythingElse_SaysWhatWasFound(string head, string message) =>
        Assert.Equal(message, Assert.Throws<TraceFormatException>(() => TraceFile.Detect("x", Convert.FromHexString(head))).Message);

    [Fact]
    public void Open_Compressed_IsReadLikePlain()
    {
        var output = new MemoryStream();
        using (var gzip = new System.IO.Compression.GZipStream(output, System.IO.Compression.CompressionLevel.Fastest))
        {
            gzip.Write(Pcapng("a", 1, 2, 3));
        }

        using var file = new TemporaryFile(output.ToArray());
        using TraceReader reader = TraceFile.Open(file.Path);

        Assert.Equal(TraceFormat.Pcapng, reader.Format);
        Assert.Equal(3, ReadRecords.All(reader).Count);
    }

    [Fact]
    public void Open_SeveralTraces_AreMergedByTimeAndRenumbered()
    {
        using var first = new TemporaryFile(Pcapng("a", 1, 4, 5, 9));
        using var second = new TemporaryFile(Pcapng("b", 2, 3, 5, 7, 8));
        using var third = new TemporaryFile(Pcapng("c", 6));
        using TraceReader reader = TraceFile.Open([first.Path, second.Path, third.Path]);

        List<ReadRecord> records = ReadRecords.All(reader);
        Assert.Equal([1, 2, 3, 4, 5, 5, 6, 7, 8, 9], records.Select(record => (int)record.Data[0]));
        Assert.Equal(
            ["a", "b", "b", "a", "a", "b", "c", "b", "b", "a"],
            records.Select(record => reader.Interfaces[record.InterfaceIndex].Name ?? string.Empty),
            StringComparer.Ordinal);
        Assert.Equal([4L, 5L, 1L], reader.Interfaces.Select(point => point.Packets));
        Assert.All(records, record => Assert.Equal((ulong)record.Data[0], record.PacketId));
        Assert.All(records, record => Assert.Equal(16, record.Options.Length));

        // Ten packets, three sections and three interfaces.
        Assert.Equal((first.Path, 16L), (reader.Path, reader.RecordsRead));
    }

    [Fact]
    public void Open_NoTrace_IsRefused() => Assert.Throws<ArgumentException>(() => TraceFile.Open([]));

    [Fact]
    public void TryRead_JournalEntryOfThisProject_IsAStackEvent()
    {
        var written = new StackEvent();
        written.Reset(StackEventKind.SegmentSent, new TraceTime(1_795_255_200_123_456_789), "test");
        written.Set(StackField.Cwnd, 14600);
        byte[] file = JournalFile(written);
        using PcapngReader reader = PcapngReader.Open(new MemoryTraceInput(file));
        var record = default(TraceRecord);

        Assert.True(reader.TryRead(ref record));
        Assert.Equal(TraceRecordKind.StackEvent, record.Kind);
        Assert.Equal(written.Time, record.Time);
        Assert.True(record.Event!.TryGet(StackField.Cwnd, out long cwnd));
        Assert.Equal(14600, cwnd);
        Assert.Equal(9, record.Data[0]);
    }

    [Fact]
    public void TryRead_JournalEntryWhenEventsAreNotAskedFor_IsABlock()
    {
        var written = new StackEvent();
        written.Reset(StackEventKind.SegmentSent, new TraceTime(1_795_255_200_123_456_000), "test");
        using PcapngReader reader = PcapngReader.Open(new MemoryTraceInput(JournalFile(written)), new TraceOpenOptions { DecodeStackEvents = false });

        ReadRecord block = Assert.Single(ReadRecords.All(reader));
        Assert.Equal((TraceRecordKind.Block, written.Time), (block.Kind, block.Time));
    }

    static byte[] JournalFile(StackEvent written)
    {
        byte[] entry = new byte[JournalEncoder.MaxLength(written)];
        int length = JournalEncoder.Encode(written, entry);
        var output = new MemoryStream();
        using (var writer = new PcapngWriter(output))
        {
            writer.WriteJournalEntry(entry.AsSpan(0, length));
        }

        return output.ToArray();
    }
}
