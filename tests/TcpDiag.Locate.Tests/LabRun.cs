using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Impairment;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Platform.Linux;
using TcpDiag.Shim;
using TcpDiag.Shim.Tun;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Locate.Tests;

/// <summary>
/// A transfer of iperf3 between two namespaces over an emulated path of two segments, captured by tcpdump at both ends and by the emulator between the
/// segments. What was lost where is known from the emulator's decision log.
/// </summary>
[SupportedOSPlatform("linux")]
sealed class LabRun
{
    public const ushort ClientPort = 50_000;

    static int _count;

    readonly List<ImpairmentDecision> _decisions = [];
    readonly LinkDirection _ofData;
    readonly string _folder;

    public LabRun(string folder, bool isDownload, params string[] options)
    {
        _folder = folder;
        _ofData = isDownload ? LinkDirection.In : LinkDirection.Out;
        string id = FormattableString.Invariant($"{Environment.ProcessId % 100_000}x{Interlocked.Increment(ref _count)}");
        (string near, string far) = ($"tln{id}", $"tlf{id}");
        NetworkNamespace.Create(near);
        NetworkNamespace.Create(far);
        try
        {
            Run(near, far, isDownload, options);
        }
        finally
        {
            NetworkNamespace.Delete(near);
            NetworkNamespace.Delete(far);
        }
    }

    /// <summary>The captures of sender, middle and receiver.</summary>
    public string[] Captures => _ofData == LinkDirection.Out ? [Of("near.pcap"), Of("between.pcapng"), Of("far.pcap")]
        : [Of("far.pcap"), Of("between.pcapng"), Of("near.pcap")];

    /// <summary>When the first packet passed the sender.</summary>
    public TraceTime Start { get; private set; }

    /// <summary>Why the run shows nothing: a busy machine, on which a recorder lost packets; null if all captures are whole.</summary>
    public string? Fault { get; private set; }

    /// <summary>Data, SYN and FIN of the transfer that were lost in a segment.</summary>
    public int LostData(int segment)
    {
        Packet[] sent = Read(Captures[0], onlyData: false);
        return _decisions.Count(decision => decision.Segment == segment && decision.Direction == _ofData && decision.Action.IsDrop()
            && sent[decision.PacketId - 1] is { IsOfFlow: true, SequenceLength: > 0 });
    }

    /// <summary>Data that came to a point behind one that the point before saw later (RFC 4737).</summary>
    public int Late(int point)
    {
        Dictionary<(ushort, uint), int> order = [];
        Array.ForEach(Read(Captures[point - 1], onlyData: true), packet => order.TryAdd((packet.IpId, packet.Seq), order.Count));
        (int late, int most) = (0, -1);
        foreach (Packet packet in Read(Captures[point], onlyData: true))
        {
            int place = order[(packet.IpId, packet.Seq)];
            late += place < most ? 1 : 0;
            most = Math.Max(most, place);
        }

        return late;
    }

    /// <summary>What data needed from the point before, ns, ascending.</summary>
    public long[] Delays(int point)
    {
        Dictionary<(ushort, uint), TraceTime> before = [];
        Array.ForEach(Read(Captures[point - 1], onlyData: true), packet => before.TryAdd((packet.IpId, packet.Seq), packet.Time));
        return [.. Read(Captures[point], onlyData: true).Select(packet => packet.Time - before[(packet.IpId, packet.Seq)]).Order()];
    }

    string Of(string name) => Path.Combine(_folder, name);

    void Run(string near, string far, bool isDownload, string[] options)
    {
        ImpairmentOptionsParser parser = new();
        Array.ForEach(options, option => parser.Set(option, option.Split(' ')[0], option.Split(' ')[1]));
        using TunLink link = new(End(near, "10.79.0.1"), End(far, "10.79.0.2"));
        using CancellationTokenSource stop = new();
        using MemoryStream log = new();
        ShimOptions run = new() { TimeLimit = TimeSpan.FromMinutes(2), Log = log, Between = File.Create(Of("between.pcapng")) };
        Task<ShimReport> shim = Task.Factory.StartNew(
            () => ShimRun.Run(link, new MatchAll(), parser.Build(), run, stop.Token), default, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        ExternalProgram.Run("bash", "-c", Script, "bash", _folder, near, far, isDownload ? "-R" : string.Empty);
        stop.Cancel();
        ShimReport report = shim.GetAwaiter().GetResult();
        log.Position = 0;
        DecisionLogReader reader = new(log);
        while (reader.TryRead(out ImpairmentDecision decision))
        {
            _decisions.Add(decision);
        }

        Packet[] sent = Read(Captures[0], onlyData: false);
        Start = sent[0].Time;
        int[] expected = [(int)_decisions.Where(decision => decision.Direction == _ofData).Max(decision => decision.PacketId), Dropped(0), Dropped(1)];
        int[] seen = [sent.Length, Read(Captures[1], onlyData: false).Length, Read(Captures[2], onlyData: false).Length];
        bool isWhole = seen[0] == expected[0] && seen[1] == seen[0] - expected[1] && seen[2] == seen[1] - expected[2];
        Fault = isWhole ? null : $"captured {string.Join(", ", seen)} of {expected[0]}, {expected[1]} and {expected[2]} dropped; {report.Fault}";
    }

    int Dropped(int segment) =>
        _decisions.Count(decision => decision.Direction == _ofData && decision.Segment == segment && decision.Action.IsDrop());

    // Those of one direction, in the order captured: the sender's capture holds them in the order of their numbers.
    Packet[] Read(string path, bool onlyData)
    {
        List<Packet> packets = [];
        using TraceReader reader = TraceFile.Open(path);
        var record = default(TraceRecord);
        while (reader.TryRead(ref record))
        {
            ReadOnlySpan<byte> ip = record.Data;
            if (record.Kind != TraceRecordKind.Packet || ip[15] != (_ofData == LinkDirection.Out ? 1 : 2)) // last byte of the source
            {
                continue;
            }

            ReadOnlySpan<byte> tcp = ip[20..];
            int payload = BinaryPrimitives.ReadUInt16BigEndian(ip[2..]) - 20 - (tcp[12] >> 4 << 2);
            bool isOfFlow = BinaryPrimitives.ReadUInt16BigEndian(tcp) == ClientPort || BinaryPrimitives.ReadUInt16BigEndian(tcp[2..]) == ClientPort;
            Packet packet = new(
                record.Time, BinaryPrimitives.ReadUInt16BigEndian(ip[4..]), BinaryPrimitives.ReadUInt32BigEndian(tcp[4..]),
                payload + ((tcp[13] & 3) != 0 ? 1 : 0), isOfFlow);
            if (!onlyData || (isOfFlow && packet.SequenceLength > 0))
            {
                packets.Add(packet);
            }
        }

        return [.. packets];
    }

    static TunEnd End(string place, string address) =>
        IpAddress.TryParse(address, out IpAddress parsed) ? new TunEnd(place, "link0", parsed, 24)
            : throw new ArgumentException("No address.", nameof(address));

    readonly record struct Packet(TraceTime Time, ushort IpId, uint Seq, int SequenceLength, bool IsOfFlow);

    // Folder, near, far, -R for a download. Nothing but the transfer may be on the link: packets are counted from the first.
    const string Script = """
        set -e
        for n in $2 $3; do ip netns exec $n sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1; done
        ip netns exec $2 tcpdump -i link0 -s 100 -B 16384 -w $1/near.pcap > /dev/null 2> $1/near.err & A=$!
        ip netns exec $3 tcpdump -i link0 -s 100 -B 16384 -w $1/far.pcap > /dev/null 2> $1/far.err & B=$!
        for f in near far; do for i in $(seq 100); do grep -q listening $1/$f.err && break; sleep 0.1; done; done
        ip netns exec $3 iperf3 -s -1 > /dev/null & D=$!
        sleep 0.7
        timeout 40 ip netns exec $2 iperf3 -c 10.79.0.2 -n 8M --cport 50000 -C cubic $4 > $1/iperf.txt || true
        sleep 2.5 # what the kernel hands to tcpdump comes up to a second late
        kill -INT $A $B; wait $A $B || true; kill $D 2> /dev/null || true
        """;
}
