using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text.Json;
using TcpDiag.Testing;
using TcpDiag.Traces.EtlPackets;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Traces.Tests.EtlPackets;

public sealed class EtlTraceReaderTests
{
    [SharedTheory]
    [InlineData(WindowsTraces.Netsh)]
    [InlineData(WindowsTraces.NetshRundown)]
    public void NetshTrace_Packets_AreThoseOfTheReference(string trace)
    {
        List<ReferencePacket> expected = ReferencePackets.Read(trace, trace + ".packets.pcapng");

        List<ReferencePacket> found = Read(trace, (in TraceRecord _) => true);

        AssertSame(expected, found, name => name.Replace("if", "eth:", StringComparison.Ordinal) + ":0");
    }

    [SharedTheory]
    [InlineData("packets")]
    [InlineData("nodrop")]
    [InlineData("miniport")]
    public void PktMonTrace_Packets_AreThoseOfTheReference(string view)
    {
        List<ReferencePacket> expected = ReferencePackets.Read(WindowsTraces.PktMon, $"{WindowsTraces.PktMon}.{view}.pcapng");

        List<ReferencePacket> found = Read(WindowsTraces.PktMon, (in TraceRecord record) => view switch
        {
            "nodrop" => !record.IsDropped,
            "miniport" => !record.IsRepeat,
            _ => true,
        });

        AssertSame(expected, found, name => Components[name]);
    }

    [SharedTheory]
    [InlineData(WindowsTraces.Netsh)]
    [InlineData(WindowsTraces.NetshRundown)]
    [InlineData(WindowsTraces.PktMon)]
    public void Trace_FactsAndCounts_AreThoseOfTheTruth(string trace)
    {
        using JsonDocument document = JsonDocument.Parse(WindowsTraces.ReadBytes(trace, "truth.json"));
        JsonElement truth = document.RootElement;
        using EtlTraceReader reader = Open(trace);
        var record = default(TraceRecord);
        long packets = 0;
        while (reader.TryRead(ref record))
        {
            packets += record.Kind == TraceRecordKind.Packet ? 1 : 0;
        }

        Assert.Equal(truth.GetProperty("packets").GetProperty("count").GetInt64(), packets);
        Assert.Equal(truth.GetProperty("records").GetInt64(), reader.RecordsRead);
        Assert.Equal(truth.GetProperty("build").GetInt32(), reader.System.WindowsBuild);
        Assert.Equal(truth.GetProperty("processors").GetInt32(), reader.System.Processors);
        Assert.Equal(truth.GetProperty("lostEvents").GetInt64(), reader.System.LostEvents);
        Assert.Equal(truth.GetProperty("startUtcFiletime").GetInt64(), reader.System.Started!.Value.ToFileTime());
        Assert.Equal("QPC at 10000000 Hz", reader.System.Clock);
        Assert.Empty(reader.Problems);
    }

    [SharedFact]
    public void PktMonTrace_Drops_HaveTheReasonsOfTheTruth()
    {
        var reasons = new SortedDictionary<string, int>(StringComparer.Ordinal);
        Read(WindowsTraces.PktMon, (in TraceRecord record) =>
        {
            string key = string.Create(CultureInfo.InvariantCulture, $"{record.Drop.Reason}@0x{record.Drop.Location:X8}");
            reasons[key] = reasons.GetValueOrDefault(key) + (record.IsDropped ? 1 : 0);
            return false;
        });

        Assert.Equal(7, reasons["1204@0xE0004500"]);
        Assert.Equal(3, reasons["8@0xE0001001"]);
    }

    [SharedTheory]
    [InlineData(WindowsTraces.Netsh, 609, 881_832)]
    [InlineData(WindowsTraces.NetshRundown, 4134, 5_985_520)]
    [InlineData(WindowsTraces.PktMon, 227, 327_304)]
    public void Trace_SegmentsSent_AreToldBetweenThePackets(string trace, int sends, long bytesSent)
    {
        using EtlTraceReader reader = Open(trace);
        var record = default(TraceRecord);
        var found = (Sends: 0, Bytes: 0L);
        TraceTime latest = default;
        while (reader.TryRead(ref record))
        {
            Assert.True(record.Time >= latest);
            latest = record.Time;
            if (record.Kind == TraceRecordKind.StackEvent && record.Event!.Kind == StackEventKind.SegmentSent)
            {
                found.Sends++;
                found.Bytes += record.Event.TryGet(StackField.Bytes, out long bytes) ? bytes : 0;
            }
        }

        Assert.Equal((sends, bytesSent), found);
    }

    [Fact]
    public void OffloadedSegment_CutByTheCapture_GetsTheLengthTheStackTold()
    {
        byte[] frame = new FrameBuilder().Ip("10.0.0.1", "10.0.0.2").Tcp(1, 2).Seq(77_000).PayloadLength(9000).Offloaded().Build();
        var lengths = new OffloadLengths();
        lengths.OnRecord(new EventBytes(new Guid("2f07e2ee-15db-40f1-90ef-9d7ba282188a"), 1332).U64(0xA).U32(1, 2, 9000, 77_000, 3).Parse());

        Assert.True(lengths.TryFind(frame.AsSpan(0, 120), LinkType.Ethernet, out int length));
        Assert.Equal(14 + 20 + 20 + 9000, length);
    }

    [Theory]
    [InlineData(76_999u, 9000u)] // another segment
    [InlineData(77_000u, 10u)] // shorter than what was captured
    [InlineData(77_000u, 0u)]
    [InlineData(77_000u, 0xFFFF_FFFFu)] // no offload is that long
    public void OffloadedSegment_NothingFits_StaysUnknown(uint seq, uint bytes)
    {
        byte[] frame = new FrameBuilder().Ip("10.0.0.1", "10.0.0.2").Tcp(1, 2).Seq(77_000).PayloadLength(9000).Offloaded().Build();
        var lengths = new OffloadLengths();
        lengths.OnRecord(new EventBytes(new Guid("2f07e2ee-15db-40f1-90ef-9d7ba282188a"), 1332).U64(0xA).U32(1, 2, bytes, seq, 3).Parse());

        Assert.False(lengths.TryFind(frame.AsSpan(0, 120), LinkType.Ethernet, out _));
    }

    [SharedFact]
    public void NetshTrace_Reading_AllocatesNothingPerRecord()
    {
        byte[] trace = WindowsTraces.ReadTrace(WindowsTraces.NetshRundown);
        using EtlTraceReader reader = EtlTraceReader.Open(new MemoryTraceInput(trace));
        var record = default(TraceRecord);
        for (int i = 0; i < 100; i++)
        {
            Assert.True(reader.TryRead(ref record));
        }

        long before = GC.GetAllocatedBytesForCurrentThread();
        long records = 0;
        while (reader.TryRead(ref record))
        {
            records++;
        }

        // The first event of a kind may allocate its layout, and the runtime a little for itself while it recompiles; the
        // smallest object has 24 bytes, so one for every third record would show.
        Assert.True(records > 12_000);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 8 * records);
    }

    static readonly Dictionary<string, string> Components = new(StringComparer.Ordinal)
    {
        ["component7"] = "Intel(R) Ethernet Connection I219-LM",
        ["component21"] = "WFP Native MAC Layer LightWeight Filter-0000",
        ["component22"] = "QoS Packet Scheduler-0000",
        ["component35"] = "TCPIP",
        ["component41"] = "IPv4 Interface",
    };

    static EtlTraceReader Open(string trace) => EtlTraceReader.Open(new MemoryTraceInput(WindowsTraces.ReadTrace(trace)));

    delegate bool Choice(in TraceRecord record);

    static List<ReferencePacket> Read(string trace, Choice choose)
    {
        using EtlTraceReader reader = Open(trace);
        var packets = new List<ReferencePacket>();
        var record = default(TraceRecord);
        while (reader.TryRead(ref record))
        {
            if (record.Kind == TraceRecordKind.Packet && choose(record))
            {
                packets.Add(new ReferencePacket(
                    reader.Interfaces[record.InterfaceIndex].Name!, (int)record.LinkType, record.Time.Nanoseconds, record.OriginalLength,
                    record.Direction, record.Data.ToArray()));
            }
        }

        return packets;
    }

    static void AssertSame(List<ReferencePacket> expected, List<ReferencePacket> found, Func<string, string> nameOf)
    {
        Assert.Equal(
            expected.Select(packet => (
                nameOf(packet.Interface), packet.LinkType, packet.TimeNanos, packet.OriginalLength, packet.Direction, Convert.ToHexString(packet.Data))),
            found.Select(packet => (
                packet.Interface, packet.LinkType, packet.TimeNanos, packet.OriginalLength, packet.Direction, Convert.ToHexString(packet.Data))));
    }
}
