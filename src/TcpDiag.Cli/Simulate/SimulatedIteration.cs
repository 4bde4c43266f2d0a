using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Lab;
using TcpDiag.Lab.Flows;
using TcpDiag.Lab.Matrix;
using TcpDiag.Lab.Results;
using TcpDiag.Simulator;
using TcpDiag.Simulator.Captures;
using TcpDiag.Simulator.Flows;
using TcpDiag.Simulator.Paths;
using TcpDiag.Simulator.Receivers;
using TcpDiag.Simulator.Senders;
using TcpDiag.Tcp.Congestion;

namespace TcpDiag.Cli.Simulate;

/// <summary>One run of one side of one cell, simulated.</summary>
sealed class SimulatedIteration
{
    readonly SimulatedExperiment _experiment;
    readonly FlowSettings _settings;
    readonly SimulatedFlow _flow;
    readonly ImpairmentProfile _path;

    /// <summary>Prepares it.</summary>
    /// <param name="experiment">The experiment.</param>
    /// <param name="plan">Which run.</param>
    /// <exception cref="LabException">It asks for what is not simulated.</exception>
    public SimulatedIteration(SimulatedExperiment experiment, PlannedIteration plan)
    {
        Plan = plan;
        _experiment = experiment;
        Recording = experiment.Matrix.Recording;
        _settings = FlowSettingsReader.Read("flow:", plan.Flow, experiment.Scale);
        _flow = FlowOf(experiment);
        _path = PathOf();
    }

    /// <summary>Which run.</summary>
    public PlannedIteration Plan { get; }

    RecordingSettings Recording { get; }

    /// <summary>Runs it.</summary>
    /// <param name="folder">Where its files go.</param>
    /// <param name="interruption">Ends the analysis.</param>
    /// <returns>What came of it.</returns>
    public IterationResult Run(string folder, CancellationToken interruption)
    {
        string senderFile = Path.Combine(folder, "sender.pcapng");
        CaptureFigures sent;
        CaptureFigures? received;
        SimulationResult result;
        using (PcapngCapture sender = new(File.Create(senderFile), SegmentPoint.Sender, _flow))
        using (PcapngCapture? receiver = Open(Recording.AtReceiver, folder, "receiver", SegmentPoint.Receiver))
        using (PcapngCapture? between = Open(Recording.IsBetween, folder, "between", SegmentPoint.Middle))
        using (EtlCapture? senderEvents = OpenEtl(_experiment.SenderEtlBuild, folder, "sender", SegmentPoint.Sender))
        using (EtlCapture? receiverEvents = OpenEtl(_experiment.ReceiverEtlBuild, folder, "receiver", SegmentPoint.Receiver))
        {
            ISegmentCapture?[] captures = [sender, receiver, between, senderEvents, receiverEvents];
            result = Simulate(folder, [.. captures.OfType<ISegmentCapture>()]);
            sent = FiguresOf(sender);
            received = receiver is null ? null : FiguresOf(receiver);
        }

        return ResultOf(result) with
        {
            Analysis = AnalysisFigures.Read(senderFile, SimulatedFlow.ServerPort, interruption),
            SenderCapture = sent,
            ReceiverCapture = received,
        };
    }

    // With the log of what the path decided, as the shim of a lab writes it.
    SimulationResult Simulate(string folder, ISegmentCapture[] captures)
    {
        using FileStream file = File.Create(Path.Combine(folder, "decisions.tdil"));
        DecisionLogHeader header = new(_flow.Start, Plan.Seed, _path.DelayErrorLimitNanos, string.Join('\n', _path.Options) + "\n");
        DecisionLogWriter log = new(file, header);
        Simulation simulation = new(_flow, _path.Settings with { Seed = Plan.Seed }, captures, log);
        SimulationResult result = simulation.Run();
        log.Complete(simulation.Now);
        return result;
    }

    PcapngCapture? Open(bool isAsked, string folder, string name, SegmentPoint point) =>
        isAsked ? new PcapngCapture(File.Create(Path.Combine(folder, name + ".pcapng")), point, _flow) : null;

    EtlCapture? OpenEtl(int? build, string folder, string name, SegmentPoint point) =>
        build is { } number ? new EtlCapture(File.Create(Path.Combine(folder, name + ".etl")), point, _flow, number) : null;

    static CaptureFigures FiguresOf(PcapngCapture capture) => new(capture.Packets, DroppedPackets: 0, Events: null, Samples: null, LostEvents: null);

    SimulatedFlow FlowOf(SimulatedExperiment experiment)
    {
        Check(_settings.Connections == 1, "flows", "one connection at a time is simulated");
        Check(_settings.CloseAfterNs is null, "close-after", "the receiver reads to the end");
        Check(_settings.LookupNs is null, "lookup", "no names are looked up");
        Check(_settings.Congestion is "cubic" or "reno", "congestion", "cubic and reno are simulated");
        SenderTraits sender = experiment.Sender ?? SenderVariants.Find(Plan.Side.Stack)!;
        ReceiverTraits receiver = experiment.Receiver ?? ReceiverVariants.Linux(Plan.Side.Stack);
        return new SimulatedFlow
        {
            Sender = _settings.Congestion is "reno" ? WithReno(sender) : sender,
            Receiver = _settings.ReceiveBufferBytes is { } bytes ? receiver with { BufferBytes = bytes, MaxBufferBytes = 0 } : receiver,
            Bytes = _settings.Bytes,
            WriteBytes = _settings.WriteBytes,
            BurstBytes = _settings.Burst?.Bytes ?? 0,
            BurstNanos = _settings.Burst?.TimeNs ?? 0,
            SendBufferBytes = _settings.SendBufferBytes ?? (int.MaxValue / 2),
            PacingBitsPerSecond = _settings.PacingBitsPerSecond ?? 0,
            ReadBitsPerSecond = _settings.ReadBitsPerSecond ?? 0,
            PauseAfterBytes = _settings.Pause?.Bytes ?? 0,
            PauseNanos = _settings.Pause?.TimeNs ?? 0,
            IsDownload = _settings.IsDownload,
            IsEcn = Plan.Side.Stack is "ecn",
            IsIpv6 = _settings.IsIpv6,
            LimitNanos = _settings.LimitNs,
        };
    }

    // HyStart is a part of Linux's CUBIC, not of its Reno.
    static SenderTraits WithReno(SenderTraits sender) => sender with
    {
        Congestion = sender.Congestion with
        {
            Algorithm = CongestionAlgorithm.Reno,
            Exit = sender.Congestion.Exit is SlowStartExit.LinuxHyStart or SlowStartExit.LinuxLateHyStart ? SlowStartExit.LossOnly : sender.Congestion.Exit,
        },
    };

    void Check(bool holds, string option, string what)
    {
        if (!holds)
        {
            throw new LabException($"{Plan.Cell.Name} {Plan.Side.Name} {option}: {what}. Leave it out, or use lab run.");
        }
    }

    ImpairmentProfile PathOf()
    {
        ImpairmentOptionsParser parser = new();
        foreach (LabOption option in Plan.Path)
        {
            parser.Set($"path: {option.Name}", option.Name, option.Value);
        }

        return parser.Build();
    }

    IterationResult ResultOf(SimulationResult result) => new()
    {
        Cell = Plan.Cell.Name,
        Side = Plan.Side.Name,
        Iteration = Plan.Iteration,
        Seed = Plan.Seed,
        Folder = Plan.Folder.Replace(Path.DirectorySeparatorChar, '/'),
        Fault = null,
        Sender = SenderReport(result),
        Receiver = Report(result, result.Bytes, result.Reads, result.LastRead?.Nanoseconds, new KernelCounters { BytesReceived = result.Bytes }),
        Analysis = null,
        SenderCapture = null,
        ReceiverCapture = null,
        Link = null,
        Simulated = new SimulatedFigures(_flow.Sender.Name, _flow.Sender.Assumed, StatesOf(result.Truth)),
    };

    FlowReport SenderReport(SimulationResult result) => Report(
        result,
        result.IsComplete ? _flow.Bytes : result.Bytes,
        (_flow.Bytes + _flow.WriteBytes - 1) / _flow.WriteBytes,
        result.FirstWrite.Nanoseconds + result.DurationNanos,
        new KernelCounters
        {
            DataSegmentsOut = result.Counts.Segments,
            Retransmissions = result.Counts.Retransmissions,
            Dsacks = result.Counts.Dsacks,
            Timeouts = result.Counts.Timeouts,
            MinRttUs = result.MinRttNanos / 1_000,
        }) with
    {
        HyStart = ExitOf(result.Counts),
    };

    // As a kernel counts it.
    HyStartCounters ExitOf(SenderCounts counts)
    {
        long cwnd = counts.SlowStartExitCwnd / _flow.Smss;
        return counts.SlowStartExit switch
        {
            HyStartTrigger.AckTrain => new(1, cwnd, 0, 0),
            HyStartTrigger.Delay => new(0, 0, 1, cwnd),
            _ => new(0, 0, 0, 0),
        };
    }

    FlowReport Report(SimulationResult result, long bytes, long calls, long? last, KernelCounters counters) => new(
        SimulatedFlow.ClientPort,
        result.IsComplete ? FlowOutcome.Complete : FlowOutcome.TimeLimit,
        bytes,
        calls,
        BlockedNs: 0,
        result.FirstWrite.Nanoseconds,
        last,
        _flow.SendBufferBytes,
        _flow.Receiver.BufferBytes,
        counters);

    static Dictionary<string, long> StatesOf(IReadOnlyList<long> truth) => Enum.GetValues<SenderState>()
        .ToDictionary(state => JsonNamingPolicy.CamelCase.ConvertName(state.ToString()), state => truth[(int)state], StringComparer.Ordinal);
}
