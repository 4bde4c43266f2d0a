using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Impairment;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Simulator;
using TcpDiag.Simulator.Captures;
using TcpDiag.Simulator.Flows;
using TcpDiag.Simulator.Paths;
using TcpDiag.Wire;

namespace TcpDiag.Locate.Tests;

/// <summary>A transfer over two segments, captured in front of, between and behind them; what happened is known from the emulator's decisions.</summary>
sealed class ThreePointRun : IDecisionSink
{
    readonly List<ImpairmentDecision> _decisions = [];
    readonly Seen[] _seen = [new(SegmentPoint.Sender), new(SegmentPoint.Middle), new(SegmentPoint.Receiver)];

    public ThreePointRun(SimulatedFlow flow, EmulatorSettings path)
    {
        Flow = flow;
        MemoryStream[] files = [new(), new(), new()];
        PcapngCapture[] captures = [.. files.Select((file, i) => new PcapngCapture(file, (SegmentPoint)i, flow))];
        Result = new Simulation(flow, path, [.. captures, .. _seen], this).Run();
        foreach (PcapngCapture capture in captures)
        {
            capture.Dispose();
        }

        Captures = [.. files.Select(file => file.ToArray())];
    }

    public SimulatedFlow Flow { get; }

    public SimulationResult Result { get; }

    /// <summary>The captures, from the sender to the receiver.</summary>
    public byte[][] Captures { get; }

    /// <summary>What passed a point, 0 being the sender's.</summary>
    public IReadOnlyList<(TraceTime Time, SimulatedPacket Packet)> At(int point) => _seen[point].Packets;

    /// <summary>Decisions on the sender's packets in a segment.</summary>
    public int Count(int segment, ImpairmentAction action, bool fromSender = true) =>
        _decisions.Count(decision => decision.Segment == segment && decision.Action == action && decision.FlowHash == (fromSender ? 1u : 2u));

    /// <summary>Data, SYN and FIN of the sender that were lost in a segment.</summary>
    public int LostData(int segment)
    {
        // Packets of a direction are numbered from 1 as the sender hands them out.
        SimulatedPacket[] sent = [.. At(0).Where(seen => seen.Packet.IsFromSender).Select(seen => seen.Packet)];
        return _decisions.Count(decision => decision.Segment == segment
            && decision.FlowHash == 1
            && decision.Action is ImpairmentAction.DropLoss or ImpairmentAction.DropQueue or ImpairmentAction.DropBlackout
            && SequenceLength(sent[decision.PacketId - 1]) > 0);
    }

    /// <summary>Packets of the sender that came to a point behind one that the point before saw later (RFC 4737).</summary>
    public int Late(int point, bool hasData)
    {
        Dictionary<(ushort, uint), int> order = [];
        foreach ((TraceTime _, SimulatedPacket packet) in At(point - 1).Where(seen => Counts(seen.Packet, hasData)))
        {
            order.TryAdd((packet.IpId, packet.Seq.Value), order.Count);
        }

        (int late, int most) = (0, -1);
        foreach ((TraceTime _, SimulatedPacket packet) in At(point).Where(seen => Counts(seen.Packet, hasData)))
        {
            int place = order[(packet.IpId, packet.Seq.Value)];
            late += place < most ? 1 : 0;
            most = Math.Max(most, place);
        }

        return late;
    }

    /// <summary>What the sender's data needed from one point to the next, ns, ascending.</summary>
    public long[] Delays(int point)
    {
        Dictionary<(ushort, uint), TraceTime> before = [];
        foreach ((TraceTime time, SimulatedPacket packet) in At(point - 1).Where(seen => Counts(seen.Packet, hasData: true)))
        {
            before.TryAdd((packet.IpId, packet.Seq.Value), time);
        }

        return [.. At(point).Where(seen => Counts(seen.Packet, hasData: true))
            .Select(seen => seen.Time - before[(seen.Packet.IpId, seen.Packet.Seq.Value)]).Order()];
    }

    public void Record(in ImpairmentDecision decision) => _decisions.Add(decision);

    static bool Counts(in SimulatedPacket packet, bool hasData) => packet.IsFromSender && SequenceLength(packet) > 0 == hasData;

    static int SequenceLength(in SimulatedPacket packet) => packet.Length + ((packet.Flags & (TcpFlags.Syn | TcpFlags.Fin)) != 0 ? 1 : 0);

    sealed class Seen(SegmentPoint point) : ISegmentCapture
    {
        public SegmentPoint Point => point;

        public List<(TraceTime Time, SimulatedPacket Packet)> Packets { get; } = [];

        public void OnSegment(in SimulatedPacket packet, TraceTime time) => Packets.Add((time, packet));
    }
}
