using System.Collections.Generic;
using System.Linq;
using TcpDiag.Impairment;
using TcpDiag.Impairment.Losses;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Simulator.Flows;
using TcpDiag.Simulator.Paths;
using TcpDiag.Simulator.Senders;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Tests;

/// <summary>
/// A transfer over 50 ms each way without a bottleneck. Of the packets to the receiver the first is the SYN, the second ends the handshake, and data begins
/// with the third. Times are ms from the handshake's end, which is 100 ms behind the SYN.
/// </summary>
sealed class SimulatedRun : ISegmentCapture
{
    public const long Ms = 1_000_000;
    public const int FirstData = 3;

    readonly List<(long Nanos, SimulatedPacket Packet)> _seen = [];
    readonly Simulation _simulation;
    readonly TraceTime _start;

    SimulatedRun(SimulatedFlow flow, EmulatorSettings path, SegmentPoint point)
    {
        Point = point;
        _start = flow.Start + (100 * Ms);
        _simulation = new Simulation(flow, path, [this]);
        Result = _simulation.Run();
    }

    public SegmentPoint Point { get; }

    public SimulationResult Result { get; }

    public Sender Tcp => _simulation.Sender!;

    public SenderCounts Counts => Result.Counts;

    public double DurationMs => (double)Result.DurationNanos / Ms;

    public IReadOnlyList<(long Nanos, SimulatedPacket Packet)> Seen => _seen;

    /// <summary>A flow of whole segments of 1000 bytes, with Reno and no delay test.</summary>
    public static SimulatedFlow Flow(int segments) => new()
    {
        Bytes = 1_000L * segments,
        Mtu = 1_052,
        Sender = new SenderTraits { Congestion = Senders.Timeline.Reno },
    };

    /// <summary>Runs with exactly these packets lost.</summary>
    public static SimulatedRun Losing(SimulatedFlow flow, long[] toReceiver, long[]? toSender = null, SegmentPoint point = SegmentPoint.Sender) =>
        new(flow, new EmulatorSettings { Out = Link(toReceiver), In = Link(toSender ?? []) }, point);

    /// <summary>Runs over a path given as on a command line.</summary>
    public static SimulatedRun Over(SimulatedFlow flow, params string[] options) => new(flow, Settings(options), SegmentPoint.Sender);

    public static EmulatorSettings Settings(params string[] options)
    {
        ImpairmentOptionsParser parser = new();
        foreach (string option in options)
        {
            string[] parts = option.Split(' ', 2);
            parser.Set($"--{parts[0]}", parts[0], parts[1]);
        }

        return parser.Build().Settings;
    }

    public double TruthMs(SenderState state) => (double)Result.Truth[(int)state] / Ms;

    /// <summary>When data segments passed the point, as <c>ms:segment</c>.</summary>
    public string Data() => string.Join(
        ' ', _seen.Where(seen => seen.Packet.Length > 0).Select(seen => $"{(seen.Nanos - (100 * Ms)) / Ms}:{SegmentOf(seen.Packet)}"));

    /// <inheritdoc/>
    public void OnSegment(in SimulatedPacket packet, TraceTime time) => _seen.Add((time - _start + (100 * Ms), packet));

    int SegmentOf(SimulatedPacket packet) => (packet.Seq - _seen.First(seen => seen.Packet is { IsFromSender: true, Length: > 0 }).Packet.Seq) / 1_000;

    static PathSettings Link(long[] lost) => new(new LinkSettings
    {
        DelayNanos = 50 * Ms,
        Losses = lost.Length == 0 ? [] : [new ListedLoss([.. lost.Order().Select(id => new PacketRange(id, id))])],
    });
}
