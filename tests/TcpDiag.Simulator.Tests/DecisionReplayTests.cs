using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Impairment;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Simulator.Flows;
using TcpDiag.Simulator.Paths;
using TcpDiag.Simulator.Receivers;
using TcpDiag.Simulator.Senders;
using TcpDiag.Testing;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Simulator.Tests;

/// <summary>
/// A decision log says all that a path did: a simulated run over its own log is the same run, to the packet and the nanosecond; and a path that is made from
/// the header of a log, and offered the log's packets, decides the same again, also of logs that the lab recorded.
/// </summary>
public sealed class DecisionReplayTests
{
    static readonly string[] Paths =
    [
        "rate 20mbit|rtt 40ms|buffer 1bdp|reorder out:1pct:add:15ms|loss out:0.5pct",
        "rate 20mbit|rtt 40ms|buffer 1bdp|reorder out:1pct:replace:5ms",
        "rate 10mbit|rtt 20ms|buffer 20pkt|ecn 30kb|duplicate 1pct|corrupt 0.5pct",
        "rate 10mbit|rtt 60ms|aqm codel|jitter 5ms:uniform:reorder|loss in:2pct",
        "rtt 30ms|reorder out:2pct:swap:3|loss out:1pct",
    ];

    static readonly int[] Builds = [10_240, 14_393, 15_063, 17_763, 18_362, 19_041, 21_332, 22_000, 22_621];

    public static TheoryData<string> Stacks => [.. SenderVariants.Names, .. Builds.Select(build => $"{build}")];

    public static TheoryData<string> LabLogs =>
    [
        .. Directory.GetFiles(ProjectFolder.Fixture("decisions"), "*.tdil").Select(file => Path.GetFileName(file)!),
        .. Environment.GetEnvironmentVariable("TCPDIAG_DECISION_LOGS") is { Length: > 0 } folder
            ? Directory.GetFiles(folder, "*.tdil", SearchOption.AllDirectories) : [],
    ];

    [Theory]
    [MemberData(nameof(Stacks))]
    public void Run_OverItsOwnLog_IsTheSameRun(string stack)
    {
        foreach (string path in Paths)
        {
            foreach (ulong seed in new ulong[] { 1, 4_000_000_007 })
            {
                SimulatedFlow flow = FlowOf(stack);
                EmulatorSettings settings = SimulatedRun.Settings(path.Split('|')) with { Seed = seed };
                Log log = new();
                Seen made = new();
                SimulationResult first = new Simulation(flow, settings, made.Captures, log).Run();
                Seen again = new();
                SimulationResult second = new Simulation(
                    flow, seed, (buffers, observer) => new RecordedLink(log.Decisions, buffers, observer), again.Captures).Run();

                string about = $"{stack} over {path}, seed {seed}";
                Assert.True(first.IsComplete && first.Bytes == flow.Bytes, about);
                Assert.True(made.Lines.SequenceEqual(again.Lines), $"{about}: {made.FirstDifference(again)}");
                Assert.True(first with { Truth = second.Truth } == second && first.Truth.SequenceEqual(second.Truth), about);
            }
        }
    }

    [Fact]
    public void Run_OfOtherDecisions_IsAnother()
    {
        SimulatedFlow flow = FlowOf("rfc");
        EmulatorSettings settings = SimulatedRun.Settings(Paths[0].Split('|')) with { Seed = 1 };
        Log log = new();
        Seen made = new();
        new Simulation(flow, settings, made.Captures, log).Run();
        ImpairmentDecision[] late = [.. log.Decisions.Select(one => one is { Action: ImpairmentAction.Forward, PacketId: 50 } ? one with { Time = one.Time + 1 } : one)];
        Seen again = new();
        new Simulation(flow, seed: 1, (buffers, observer) => new RecordedLink(late, buffers, observer), again.Captures).Run();
        Assert.False(made.Lines.SequenceEqual(again.Lines));
    }

    [Theory]
    [MemberData(nameof(LabLogs))]
    public void Path_OfALabLog_DecidesTheSame(string name)
    {
        using FileStream file = File.OpenRead(Path.Combine(ProjectFolder.Fixture("decisions"), name));
        DecisionLogReader reader = new(file);
        List<ImpairmentDecision> recorded = [];
        while (reader.TryRead(out ImpairmentDecision decision))
        {
            recorded.Add(decision);
        }

        Assert.True(reader.IsComplete && reader.Losses == default);
        IReadOnlyList<ImpairmentDecision> decided = Decide(reader.Header, recorded);
        Assert.Equal(recorded.Select(Essence).Order(StringComparer.Ordinal), decided.Select(Essence).Order(StringComparer.Ordinal));
    }

    // Without the error of the clock: when a packet was due, and all else.
    static string Essence(ImpairmentDecision one) => FormattableString.Invariant(
        $"{(int)one.Direction} {one.PacketId:D7} {one.Segment} {one.Time.Nanoseconds - one.DelayErrorNanos} {one.Action} {one.DelayAskedNanos} {one.LengthBytes}");

    static List<ImpairmentDecision> Decide(DecisionLogHeader header, List<ImpairmentDecision> recorded)
    {
        ImpairmentOptionsParser parser = new();
        foreach (string line in header.Profile.Split('\n', StringSplitOptions.RemoveEmptyEntries))
        {
            string[] parts = line.Split(": ", 2);
            parser.Set(line, parts[0], parts[1]);
        }

        Log log = new();
        LinkEmulator link = new(parser.Build().Settings with { Seed = header.Seed }, header.StartedAt, log);
        var offers = recorded.GroupBy(one => (one.Direction, one.PacketId)).Select(group => (
            group.Key.Direction, group.Key.PacketId, First: group.First(), At: OfferedAt(group.First())));
        foreach ((LinkDirection direction, long _, ImpairmentDecision first, TraceTime at) in offers.OrderBy(one => one.At).ThenBy(one => one.PacketId))
        {
            Take(link, at);
            link.Offer(new LinkPacket { LengthBytes = first.LengthBytes, FlowHash = first.FlowHash, Direction = direction }, at);
        }

        Take(link, TraceTime.Latest);
        return log.Decisions;
    }

    static TraceTime OfferedAt(in ImpairmentDecision one) => new(one.Time.Nanoseconds - one.DelayErrorNanos - one.DelayAskedNanos);

    static void Take(LinkEmulator link, TraceTime until)
    {
        while (link.NextDue < until)
        {
            TraceTime due = link.NextDue;
            while (link.TryTake(due, out _))
            {
            }
        }
    }

    static SimulatedFlow FlowOf(string stack) => new()
    {
        Bytes = 300_000,
        IsEcn = stack is "ecn",
        Sender = int.TryParse(stack, out int build) ? SenderVariants.FindBuild(build)! : SenderVariants.Find(stack)!,
        Receiver = ReceiverVariants.Linux(stack),
    };

    sealed class Log : IDecisionSink
    {
        public List<ImpairmentDecision> Decisions { get; } = [];

        public void Record(in ImpairmentDecision decision) => Decisions.Add(decision);
    }

    // Every segment at both hosts.
    sealed class Seen
    {
        public Seen()
        {
            Captures = [new Capture(SegmentPoint.Sender, Lines), new Capture(SegmentPoint.Receiver, Lines)];
        }

        public List<string> Lines { get; } = [];

        public IReadOnlyList<ISegmentCapture> Captures { get; }

        public string FirstDifference(Seen other) =>
            Lines.Zip(other.Lines).Where(pair => !string.Equals(pair.First, pair.Second, StringComparison.Ordinal)).Select(pair => $"{pair}").FirstOrDefault("one is longer");

        sealed class Capture(SegmentPoint point, List<string> lines) : ISegmentCapture
        {
            public SegmentPoint Point => point;

            public void OnSegment(in SimulatedPacket packet, TraceTime time)
            {
                AckArrival ack = packet.Ack;
                string blocks = string.Join(' ', Enumerable.Range(0, ack.BlockCount).Select(i => $"{ack[i]}"));
                lines.Add(FormattableString.Invariant(
                    $"{point} {time.Nanoseconds} {packet.IsFromSender} {packet.Flags} {packet.Seq} {packet.Length} {packet.Ecn} {packet.TsVal} {packet.IpId} {ack.Una} {ack.Window} {ack.TsEcr} {blocks}"));
            }
        }
    }
}
