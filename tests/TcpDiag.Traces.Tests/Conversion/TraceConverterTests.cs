using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using TcpDiag.Testing;
using TcpDiag.Traces.Conversion;
using TcpDiag.Traces.Filtering;
using TcpDiag.Traces.Pcapng;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Traces.Tests.EtlPackets;
using Xunit;

namespace TcpDiag.Traces.Tests.Conversion;

public sealed class TraceConverterTests
{
    const string Adapter = "Intel(R) Ethernet Connection I219-LM";

    [SharedTheory]
    [InlineData(WindowsTraces.Netsh)]
    [InlineData(WindowsTraces.NetshRundown)]
    public void Convert_NetshTrace_GivesTheReference(string trace)
    {
        AssertSame(ReferencePackets.Read(trace, trace + ".packets.pcapng"), ReferencePackets.Parse(Convert(trace, new RecordFilter())));
    }

    [SharedTheory]
    [InlineData("packets", DropChoice.All, false)]
    [InlineData("nodrop", DropChoice.NoDrops, false)]
    [InlineData("miniport", DropChoice.All, true)]
    public void Convert_PktMonTrace_GivesTheReference(string view, DropChoice drops, bool eachPacketOnce)
    {
        byte[] converted = Convert(WindowsTraces.PktMon, new RecordFilter { Drops = drops, EachPacketOnce = eachPacketOnce });

        AssertSame(ReferencePackets.Read(WindowsTraces.PktMon, $"{WindowsTraces.PktMon}.{view}.pcapng"), ReferencePackets.Parse(converted));
    }

    [SharedFact]
    public void Convert_DropsOnly_KeepsTheTenDrops()
    {
        List<ReferencePacket> packets = ReferencePackets.Parse(Convert(WindowsTraces.PktMon, new RecordFilter { Drops = DropChoice.DropsOnly }));

        Assert.Equal(10, packets.Count);
        Assert.Equal(7, packets.Count(packet => packet.Interface is "IPv4 Interface"));
    }

    [SharedFact]
    public void Convert_PktMonTrace_KeepsReasonsAndPlacesOfDrops()
    {
        using var reader = PcapngReader.Open(new MemoryTraceInput(Convert(WindowsTraces.PktMon, new RecordFilter())));
        var record = default(TraceRecord);
        var drops = new List<PacketDrop>();
        while (reader.TryRead(ref record))
        {
            if (record.Kind == TraceRecordKind.Packet && record.IsDropped)
            {
                drops.Add(record.Drop);
            }
        }

        Assert.Equal(7, drops.Count(drop => drop == new PacketDrop(1204, 0xE000_4500)));
        Assert.Equal(3, drops.Count(drop => drop == new PacketDrop(8, 0xE000_1001)));
        Assert.Equal(10, drops.Count);
    }

    [SharedFact("tshark")]
    public void Convert_PktMonTrace_TsharkShowsDropsIdsAndInterfaces()
    {
        string[][] rows = Tshark(
            Convert(WindowsTraces.PktMon, new RecordFilter()),
            "-Y", "frame.verdict", "-e", "frame.time_epoch", "-e", "frame.interface_name", "-e", "frame.packet_id", "-e", "frame.comment");

        Assert.Equal(10, rows.Length);
        Assert.Equal(
            ["1795256538.188928400", "IPv4 Interface", "9223372043297161217", "dropped: INET_EndpointNotFound at TCPIP_TL_RCV_TCP_MATCH (1204@0xE0004500)"],
            rows[0]);
        Assert.Equal(3, rows.Count(row => row[3].StartsWith("dropped: Filtered at NDIS_FAKE_FILTER_SEND (8@0xE0001001)", StringComparison.Ordinal)));
        Assert.All(rows, row => Assert.NotEmpty(row[2]));
    }

    [SharedFact("tshark")]
    public void Convert_NetshTrace_TsharkShowsTimesLengthsAndProcess()
    {
        List<ReferencePacket> expected = ReferencePackets.Read(WindowsTraces.Netsh, WindowsTraces.Netsh + ".packets.pcapng");

        string[][] rows = Tshark(
            Convert(WindowsTraces.Netsh, new RecordFilter()),
            "-e", "frame.time_epoch", "-e", "frame.len", "-e", "frame.cap_len",
            "-e", "frame.interface_name", "-e", "frame.packet_flags", "-e", "frame.comment");

        Assert.Equal(
            expected.Select(packet => string.Create(
                CultureInfo.InvariantCulture,
                $"{packet.TimeNanos / 1_000_000_000}.{packet.TimeNanos % 1_000_000_000:D9} "
                + $"{packet.OriginalLength} {packet.Data.Length} eth:7:0 0x{(int)packet.Direction:x8}")),
            rows.Select(row => string.Join(' ', row[..5])));
        Assert.Contains(rows, row => row[5] is "PID=4 TID=96");
    }

    [SharedFact("tshark")]
    public void Convert_EveryInterface_HasTheSameSnapLengthAndStatistics()
    {
        byte[] converted = Convert(WindowsTraces.PktMon, new RecordFilter());
        string path = Path.GetTempFileName();
        try
        {
            File.WriteAllBytes(path, converted);
            ProgramResult info = ExternalProgram.Run("capinfos", path);
            Assert.Equal(5, info.Lines.Count(line => line.Trim() is "Capture length = 262144"));
            Assert.Equal(5, info.Lines.Count(line => line.Trim() is "Number of stat entries = 1"));
        }
        finally
        {
            File.Delete(path);
        }
    }

    [SharedFact("tshark")]
    public void Convert_WithEvents_TsharkShowsThemBetweenThePackets()
    {
        string[][] rows = Tshark(
            Convert(Open(WindowsTraces.Netsh), new RecordFilter(), writesEvents: true), "-e", "frame.protocols", "-e", "systemd_journal.message");

        Assert.Equal(1134, rows.Count(row => row[0].StartsWith("eth", StringComparison.Ordinal)));
        Assert.Equal(609, rows.Count(row => row[0] is "systemd_journal" && row[1].StartsWith("segment sent", StringComparison.OrdinalIgnoreCase)));
    }

    [SharedFact]
    public void Convert_WithEvents_ReadBackTellsTheSame()
    {
        using TraceReader before = Open(WindowsTraces.Netsh);
        using TraceReader after = PcapngReader.Open(
            new MemoryTraceInput(Convert(Open(WindowsTraces.Netsh), new RecordFilter(), writesEvents: true)), TraceOpenOptions.Default);

        Assert.Equal(Events(before), Events(after));
    }

    [SharedFact]
    public void Convert_Process_KeepsItsConnection()
    {
        // truth.json: process 6204 owns the connection; its first packets come before the event that says so (1002).
        List<ReferencePacket> packets = ReferencePackets.Parse(Convert(WindowsTraces.Netsh, new RecordFilter { Processes = ["6204"] }));

        Assert.InRange(packets.Count, 1120, 611 + 513);
    }

    [SharedTheory]
    [InlineData("http_espn.pcapng")]
    [InlineData("dns.pcap")]
    [InlineData("tcp_retransmissions.pcapng")]
    public void Convert_PacketFile_KeepsEveryPacketAndOption(string name)
    {
        string path = SharedFolder.PathOf("traces", "pcap", name);
        using TraceReader before = TraceFile.Open(path);
        byte[] converted = Convert(TraceFile.Open(path, new TraceOpenOptions { DecodeStackEvents = false }), new RecordFilter());
        using TraceReader after = PcapngReader.Open(new MemoryTraceInput(converted), TraceOpenOptions.Default);

        Assert.Equal(Rows(before), Rows(after));
    }

    [SharedFact]
    public void Convert_HostAndPort_ChooseTheConnection()
    {
        Assert.True(AddressRange.TryParse("10.77.1.3", out AddressRange host));

        List<ReferencePacket> packets = ReferencePackets.Parse(Convert(WindowsTraces.Netsh, new RecordFilter { Hosts = [host], Ports = [5711] }));

        // truth.json: 611 packets out, 513 in
        Assert.Equal(611 + 513, packets.Count);
    }

    [SharedFact]
    public void Convert_Interface_KeepsItsPackets()
    {
        List<ReferencePacket> packets = ReferencePackets.Parse(Convert(WindowsTraces.PktMon, new RecordFilter { Interfaces = ["i219"] }));

        Assert.Equal(399, packets.Count);
        Assert.All(packets, packet => Assert.Equal(Adapter, packet.Interface));
    }

    [SharedFact]
    public void Convert_TimeSpan_KeepsWhatLiesInIt()
    {
        List<ReferencePacket> all = ReferencePackets.Read(WindowsTraces.PktMon, WindowsTraces.PktMon + ".packets.pcapng");
        Assert.True(TimeBound.TryParse("0.5", out TimeBound from));
        Assert.True(TimeBound.TryParse("2026-11-21T10:22:18.8Z", out TimeBound to));
        long start = all[0].TimeNanos;

        List<ReferencePacket> packets = ReferencePackets.Parse(Convert(WindowsTraces.PktMon, new RecordFilter { From = from, To = to }));

        Assert.NotEmpty(packets);
        Assert.Equal(all.Where(packet => packet.TimeNanos >= start + 500_000_000 && packet.TimeNanos <= 1_795_256_538_800_000_000).Select(
            packet => packet.TimeNanos), packets.Select(packet => packet.TimeNanos));
    }

    [SharedFact]
    public void Convert_Interruption_EndsTheWork()
    {
        using TraceReader reader = EtlTraceReader.Open(new MemoryTraceInput(WindowsTraces.ReadTrace(WindowsTraces.Netsh)));
        using var writer = new PcapngWriter(new MemoryStream());

        Assert.Throws<OperationCanceledException>(() => new TraceConverter(reader, writer, new RecordFilter()).Run(new CancellationToken(canceled: true)));
    }

    static EtlTraceReader Open(string trace) => EtlTraceReader.Open(new MemoryTraceInput(WindowsTraces.ReadTrace(trace)));

    static byte[] Convert(string trace, RecordFilter filter) => Convert(Open(trace), filter);

    static byte[] Convert(TraceReader opened, RecordFilter filter, bool writesEvents = false)
    {
        using TraceReader reader = opened;
        using var output = new MemoryStream();
        using (var writer = new PcapngWriter(output))
        {
            new TraceConverter(reader, writer, filter) { WritesEvents = writesEvents }.Run(CancellationToken.None);
        }

        return output.ToArray();
    }

    static List<string> Events(TraceReader reader)
    {
        var rows = new List<string>();
        var record = default(TraceRecord);
        while (reader.TryRead(ref record))
        {
            if (record.Kind == TraceRecordKind.StackEvent)
            {
                StackEvent stackEvent = record.Event!;
                stackEvent.TryGet(StackField.SeqNo, out long seq);
                stackEvent.TryGet(StackField.Cwnd, out long cwnd);
                rows.Add(string.Create(
                    CultureInfo.InvariantCulture,
                    $"{stackEvent.Kind} {stackEvent.Time.Nanoseconds} {stackEvent.Tcb:x} {stackEvent.ProcessId} {stackEvent.Local} "
                    + $"{stackEvent.Remote} {stackEvent.Source} {seq} {cwnd}"));
            }
        }

        return rows;
    }

    static List<string> Rows(TraceReader reader)
    {
        var rows = new List<string>();
        var record = default(TraceRecord);
        while (reader.TryRead(ref record))
        {
            rows.Add(record.Kind == TraceRecordKind.Packet
                ? $"{reader.Interfaces[record.InterfaceIndex].Name} {record.LinkType} {record.Time.Nanoseconds} {record.OriginalLength} "
                    + $"{System.Convert.ToHexString(record.Data)} {System.Convert.ToHexString(record.PcapngOptions)}"
                : $"{record.Kind}");
        }

        return rows;
    }

    static string[][] Tshark(byte[] pcapng, params string[] arguments)
    {
        string path = Path.GetTempFileName();
        try
        {
            File.WriteAllBytes(path, pcapng);
            ProgramResult result = ExternalProgram.Run("tshark", ["-r", path, "-T", "fields", .. arguments]);
            Assert.True(result.ExitCode == 0, result.Error);
            return [.. result.Lines.Select(line => line.Split('\t'))];
        }
        finally
        {
            File.Delete(path);
        }
    }

    static void AssertSame(List<ReferencePacket> expected, List<ReferencePacket> found)
    {
        Assert.Equal(
            expected.Select(packet => (packet.LinkType, packet.TimeNanos, packet.OriginalLength, packet.Direction, System.Convert.ToHexString(packet.Data))),
            found.Select(packet => (packet.LinkType, packet.TimeNanos, packet.OriginalLength, packet.Direction, System.Convert.ToHexString(packet.Data))));
        Assert.Equal(Numbered(expected), Numbered(found));
    }

    // The references number interfaces by component; the product names them. The same packets must share one.
    static List<int> Numbered(List<ReferencePacket> packets)
    {
        List<string> names = [.. packets.Select(packet => packet.Interface).Distinct()];
        return [.. packets.Select(packet => names.IndexOf(packet.Interface))];
    }
}
