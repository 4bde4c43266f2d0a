using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.IO.Compression;
using System.Linq;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Results;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests;

/// <summary>
/// The connection table against tshark, on every real capture. What differs by intent: docs/commands/analyze.md.
/// </summary>
public sealed class TsharkTests
{
    static readonly string[] Fields =
    [
        "tcp.stream", "ip.src", "ipv6.src", "tcp.srcport", "ip.dst", "ipv6.dst", "tcp.dstport", "frame.len", "tcp.len",
        "tcp.analysis.retransmission", "tcp.analysis.out_of_order", "tcp.analysis.duplicate_ack", "tcp.analysis.zero_window",
        "tcp.analysis.zero_window_probe", "tcp.analysis.keep_alive",
    ];

    public static TheoryData<string> Captures => new(SharedFolder.Exists
        ? Directory.GetFiles(SharedFolder.PathOf("traces", "pcap"), "*.pcap*")
            .Append(SharedFolder.PathOf("traces", "windows", "sample-22621-netsh", "sample-22621-netsh.packets.pcapng"))
            .Append(SharedFolder.PathOf("traces", "windows", "sample-26100-pktmon", "sample-26100-pktmon.miniport.pcapng"))
            .Append(SharedFolder.PathOf("traces", "windows", "sample-19041-netsh-rundown", "sample-19041-netsh-rundown.packets.pcapng.zip"))
            .Order(StringComparer.Ordinal)
        : ["absent"]);

    [SharedTheory("tshark")]
    [MemberData(nameof(Captures))]
    public void Conversations_EndpointsPacketsAndBytes_AgreeWithTshark(string path)
    {
        using var file = new Unpacked(path);
        Dictionary<(int Stream, string From), Counts> expected = AskTshark(file.Path);
        IReadOnlyList<Connection> connections = Analyze(file.Path).Connections;
        Assert.Equal(expected.Keys.Select(key => key.Stream).Distinct().Count(), connections.Count);
        foreach (Connection connection in connections)
        {
            AssertSame(expected, connection, connection.Client, connection.FromClient);
            AssertSame(expected, connection, connection.Server, connection.FromServer);
        }
    }

    [SharedTheory("tshark")]
    [InlineData("tcp_dupack.pcapng")]
    [InlineData("tcp_retransmissions.pcapng")]
    [InlineData("tcp_zerowindowrecovery.pcapng")]
    [InlineData("http_espn.pcapng")]
    public void Troubles_WhereTheDefinitionsAgree_AreThoseOfTshark(string name)
    {
        string path = SharedFolder.PathOf("traces", "pcap", name);
        Dictionary<(int Stream, string From), Counts> expected = AskTshark(path);
        foreach (Connection connection in Analyze(path).Connections)
        {
            AssertSameTroubles(expected, connection, connection.Client, connection.FromClient);
            AssertSameTroubles(expected, connection, connection.Server, connection.FromServer);
        }
    }

    // Four components show each packet, and some packets are dropped on their way: every packet counts once, as at the miniport.
    [SharedTheory]
    [InlineData("sample-26100-pktmon.packets.pcapng")]
    [InlineData("sample-26100-pktmon.nodrop.pcapng")]
    public void Conversations_PacketsAtSeveralComponents_CountOnce(string name)
    {
        string folder = SharedFolder.PathOf("traces", "windows", "sample-26100-pktmon");
        TraceAnalysis once = Analyze(Path.Combine(folder, "sample-26100-pktmon.miniport.pcapng"));
        TraceAnalysis all = Analyze(Path.Combine(folder, name));
        Assert.Equal(once.TcpPackets, all.TcpPackets);
        Assert.Equal(Lines(once), Lines(all));
    }

    // truth.json of the trace: 609 data segments, 881832 bytes of which 876040 new, 4 retransmissions, 92 duplicate ACKs
    // (events 1343). tshark takes three of the retransmissions for out-of-order and misses duplicate ACKs whose window differs.
    [SharedFact]
    public void Netsh22621_AgreesWithItsTruth()
    {
        string path = SharedFolder.PathOf("traces", "windows", "sample-22621-netsh", "sample-22621-netsh.packets.pcapng");
        Connection connection = Analyze(path).Connections.Single();
        Assert.Equal(611, connection.FromClient.Packets);
        Assert.Equal(513, connection.FromServer.Packets);
        Assert.Equal(609, connection.FromClient.WireSegments);
        Assert.Equal(881_832, connection.FromClient.PayloadBytes);
        Assert.Equal(876_040, connection.FromClient.UniqueBytes);
        Assert.Equal(4, connection.FromClient.Retransmissions);
        Assert.Equal(92, connection.FromClient.DuplicateAcks);
        Assert.Equal(0, connection.FromClient.Dsacks + connection.FromClient.DsacksTsharkFilter);
        Assert.Equal(1448, connection.FromClient.Mss);
    }

    static TraceAnalysis Analyze(string path)
    {
        using TraceReader reader = TraceFile.Open(path);
        return TraceAnalyzer.Analyze(reader);
    }

    static string[] Lines(TraceAnalysis analysis) =>
    [
        .. analysis.Connections.Select(c => string.Create(
            CultureInfo.InvariantCulture,
            $"{c.Client} {c.Server} {c.FromClient.Packets} {c.FromServer.Packets} {c.FromClient.UniqueBytes} {c.FromClient.Retransmissions} {c.End}")),
    ];

    static void AssertSame(Dictionary<(int Stream, string From), Counts> expected, Connection connection, Endpoint from, ConnectionDirection direction)
    {
        Counts counts = expected.GetValueOrDefault((connection.Index, from.ToString()), new Counts());
        Assert.Equal(
            (connection.Index, counts.Packets, counts.FrameBytes, counts.PayloadBytes),
            (connection.Index, direction.Packets, direction.FrameBytes, direction.PayloadBytes));
    }

    static void AssertSameTroubles(Dictionary<(int Stream, string From), Counts> expected, Connection connection, Endpoint from, ConnectionDirection direction)
    {
        Counts sent = expected.GetValueOrDefault((connection.Index, from.ToString()), new Counts());
        Endpoint peer = from == connection.Client ? connection.Server : connection.Client;
        Counts back = expected.GetValueOrDefault((connection.Index, peer.ToString()), new Counts());
        Assert.Equal(
            (sent.Retransmissions, sent.OutOfOrder, back.DuplicateAcks, back.ZeroWindows, sent.Probes, sent.KeepAlives),
            (direction.Retransmissions, direction.OutOfOrder, direction.DuplicateAcks, direction.ZeroWindows, direction.ZeroWindowProbes,
                direction.KeepAlives));
    }

    static Dictionary<(int Stream, string From), Counts> AskTshark(string path)
    {
        string[] arguments = ["-r", path, "-T", "fields", "-E", "occurrence=f", .. Fields.SelectMany(field => new[] { "-e", field })];
        var counts = new Dictionary<(int Stream, string From), Counts>();
        foreach (string line in ExternalProgram.Run("tshark", arguments).Lines)
        {
            string[] value = line.Split('\t');
            if (value.Length == Fields.Length && value[0].Length > 0)
            {
                _ = IpAddress.TryParse(value[1].Length > 0 ? value[1] : value[2], out IpAddress address);
                var from = new Endpoint(address, ushort.Parse(value[3], CultureInfo.InvariantCulture));
                (int Stream, string From) key = (int.Parse(value[0], CultureInfo.InvariantCulture), from.ToString());
                counts.TryAdd(key, new Counts());
                counts[key].Add(value);
            }
        }

        return counts;
    }

    sealed class Counts
    {
        public long Packets { get; private set; }

        public long FrameBytes { get; private set; }

        public long PayloadBytes { get; private set; }

        public long Retransmissions { get; private set; }

        public long OutOfOrder { get; private set; }

        public long DuplicateAcks { get; private set; }

        public long ZeroWindows { get; private set; }

        public long Probes { get; private set; }

        public long KeepAlives { get; private set; }

        public void Add(string[] value)
        {
            Packets++;
            FrameBytes += long.Parse(value[7], CultureInfo.InvariantCulture);
            PayloadBytes += value[8].Length > 0 ? long.Parse(value[8], CultureInfo.InvariantCulture) : 0;
            Retransmissions += value[9].Length > 0 ? 1 : 0;
            OutOfOrder += value[10].Length > 0 ? 1 : 0;
            DuplicateAcks += value[11].Length > 0 ? 1 : 0;
            ZeroWindows += value[12].Length > 0 ? 1 : 0;
            Probes += value[13].Length > 0 ? 1 : 0;
            KeepAlives += value[14].Length > 0 ? 1 : 0;
        }
    }

    // tshark does not read .zip.
    sealed class Unpacked : IDisposable
    {
        readonly string? _folder;

        public Unpacked(string path)
        {
            Path = path;
            if (path.EndsWith(".zip", StringComparison.Ordinal))
            {
                _folder = Directory.CreateTempSubdirectory("tcpdiag-test-").FullName;
                ZipFile.ExtractToDirectory(path, _folder);
                Path = Directory.GetFiles(_folder).Single();
            }
        }

        public string Path { get; }

        public void Dispose()
        {
            if (_folder is not null)
            {
                Directory.Delete(_folder, recursive: true);
            }
        }
    }
}
