using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Impairment;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Simulator.Flows;
using TcpDiag.Simulator.Paths;
using TcpDiag.Simulator.Senders;
using TcpDiag.Wire;

namespace TcpDiag.Simulator;

/// <summary>
/// One transfer over an emulated path in virtual time: from event to event, with nothing left to chance but what the path's seed decides. The same flow, path
/// and seed always give the same segments.
/// </summary>
public sealed class Simulation
{
    const long NanosPerSecond = 1_000_000_000;

    readonly SimulatedFlow _flow;
    readonly SimulatedPath _path;
    readonly IHostLog[] _logs;
    readonly SendingHost _sender;
    readonly ReceivingHost _receiver;
    TraceTime _now;

    /// <summary>Prepares a transfer.</summary>
    /// <param name="flow">The transfer.</param>
    /// <param name="path">The path; its seed decides everything random.</param>
    /// <param name="captures">Who sees the segments; one that is an <see cref="IHostLog"/> also hears what its host does.</param>
    /// <param name="decisions">Receives every decision of the path; null for none.</param>
    public Simulation(SimulatedFlow flow, EmulatorSettings path, IReadOnlyList<ISegmentCapture> captures, IDecisionSink? decisions = null)
        : this(flow, path.Seed, (buffers, observer) => new LinkEmulator(path, flow.Start, decisions, buffers, observer), captures)
    {
    }

    /// <summary>Prepares a transfer over any link.</summary>
    /// <param name="flow">The transfer.</param>
    /// <param name="seed">From which the initial sequence numbers follow.</param>
    /// <param name="link">Makes the link, with who keeps its packets and who sees them.</param>
    /// <param name="captures">Who sees the segments.</param>
    internal Simulation(
        SimulatedFlow flow, ulong seed, Func<IPacketBuffers, IPacketObserver, ILink> link, IReadOnlyList<ISegmentCapture> captures)
    {
        ArgumentNullException.ThrowIfNull(flow);
        _flow = flow = flow.Negotiated();
        _now = flow.Start;
        _path = new SimulatedPath(link, flow, captures);
        uint iss = unchecked((uint)(seed * 2_654_435_761));
        _logs = [.. captures.OfType<IHostLog>()];
        _sender = new SendingHost(flow, _path, LogsOf(SegmentPoint.Sender), new SequenceNumber(iss));
        _receiver = new ReceivingHost(flow, _path, LogsOf(SegmentPoint.Receiver), new SequenceNumber(~iss), firstByte: new SequenceNumber(iss) + 1);
    }

    /// <summary>The sender, before and after the run.</summary>
    public Sender? Sender => _sender.Tcp;

    /// <summary>The instant it has come to.</summary>
    public TraceTime Now => _now;

    /// <summary>Runs to the end: everything acknowledged and both directions closed, or the flow's limit.</summary>
    /// <returns>What came of it.</returns>
    public SimulationResult Run()
    {
        if (_flow.IsDownload)
        {
            _receiver.Open(_now);
        }
        else
        {
            _sender.Open(_now);
        }

        TraceTime limit = _flow.Start + _flow.LimitNanos;
        while (!(_sender.IsClosed && !_receiver.IsClosing) && Advance() <= limit)
        {
            Step();
        }

        SimulationResult result = Result();
        Array.ForEach(_logs, log => log.OnEnd(_now, result));
        return result;
    }

    HostLogs LogsOf(SegmentPoint point) => new([.. _logs.Where(log => log.Point == point)]);

    TraceTime Advance()
    {
        TraceTime next = Earlier(_path.NextDue, Earlier(_sender.NextTimer, _receiver.NextTimer));
        _now = next > _now ? next : _now;
        return next == TraceTime.Latest ? TraceTime.Latest : _now;
    }

    void Step()
    {
        while (_path.TryReceive(_now, out SimulatedPacket packet))
        {
            if (packet.IsFromSender)
            {
                _receiver.OnPacket(packet, _now);
                _receiver.Run(_now); // each segment is answered before the next is looked at, also where several arrive at once
            }
            else
            {
                _sender.OnPacket(packet, _now);
                _sender.Run(_now);
            }
        }

        _receiver.Run(_now);
        _sender.Run(_now);
    }

    SimulationResult Result()
    {
        long nanos = (_sender.IsDone ? _sender.DoneTime : _now) - _sender.FirstWrite;
        return new SimulationResult
        {
            IsComplete = _sender.IsDone,
            DurationNanos = nanos,
            FirstWrite = _sender.FirstWrite,
            LastRead = _receiver.Program.LastRead > _sender.FirstWrite ? _receiver.Program.LastRead : null,
            Bytes = _receiver.Program.Read,
            Reads = _receiver.Program.Reads,
            GoodputBitsPerSecond = nanos > 0 ? 8.0 * _receiver.Program.Read * NanosPerSecond / nanos : 0,
            MinRttNanos = _sender.Tcp?.MinRttNanos is > 0 and { } rtt ? rtt : null,
            Counts = _sender.Tcp?.Count() ?? new SenderCounts(),
            Truth = _sender.Truth(_now),
        };
    }

    static TraceTime Earlier(TraceTime one, TraceTime other) => one < other ? one : other;
}

/// <summary>What came of a simulated transfer.</summary>
public sealed record SimulationResult
{
    /// <summary>Whether everything was acknowledged before the limit.</summary>
    public required bool IsComplete { get; init; }

    /// <summary>From the first write to the end, ns.</summary>
    public required long DurationNanos { get; init; }

    /// <summary>When the program wrote first.</summary>
    public required TraceTime FirstWrite { get; init; }

    /// <summary>When the other program read last; null when nothing arrived.</summary>
    public required TraceTime? LastRead { get; init; }

    /// <summary>How often it read.</summary>
    public required long Reads { get; init; }

    /// <summary>Bytes the receiving program read.</summary>
    public required long Bytes { get; init; }

    /// <summary>Bytes over time, bit/s.</summary>
    public required double GoodputBitsPerSecond { get; init; }

    /// <summary>min_RTT in ns; null without a sample.</summary>
    public required long? MinRttNanos { get; init; }

    /// <summary>What happened to the sender.</summary>
    public required SenderCounts Counts { get; init; }

    /// <summary>Time by <see cref="SenderState"/>, ns.</summary>
    public required IReadOnlyList<long> Truth { get; init; }
}
