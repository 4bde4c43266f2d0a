using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Threading;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Timelines;
using TcpDiag.Lab.Flows;
using TcpDiag.Shim;
using TcpDiag.Traces;

namespace TcpDiag.Lab.Results;

/// <summary>What came of one run of one side of one cell: <c>result.json</c> in its folder.</summary>
public sealed record IterationResult
{
    const double BitNanosPerByteSecond = 8e9;

    /// <summary>The cell's name.</summary>
    public required string Cell { get; init; }

    /// <summary>The side's name.</summary>
    public required string Side { get; init; }

    /// <summary>Which repetition, from 1.</summary>
    public required int Iteration { get; init; }

    /// <summary>Seed of the emulated path.</summary>
    public required ulong Seed { get; init; }

    /// <summary>Its folder, below the result directory, with forward slashes.</summary>
    public required string Folder { get; init; }

    /// <summary>How often it was run, over all starts of the experiment; more than once when it was void.</summary>
    public int Attempts { get; init; } = 1;

    /// <summary>Whether the run does not count.</summary>
    public bool IsVoid => Fault is not null;

    /// <summary>Why the run is void, as a sentence; null if it counts.</summary>
    public required string? Fault { get; init; }

    /// <summary>From the sender's first write to the receiver's last read, nanoseconds. Null when nothing arrived.</summary>
    public long? DurationNs => Receiver?.LastNs - Sender?.FirstNs is > 0 and { } time ? time : null;

    /// <summary>Bytes the receiver read over that time, bit/s. Null when nothing arrived.</summary>
    public double? GoodputBitsPerSecond => Receiver?.Bytes * BitNanosPerByteSecond / DurationNs;

    /// <summary>How the flow ended: the worse of what both programs saw. Null when a part of the run failed.</summary>
    [JsonIgnore]
    public FlowOutcome? Outcome => Sender?.Outcome > Receiver?.Outcome ? Sender.Outcome : Receiver?.Outcome;

    /// <summary>What the sending program counted, of all connections together; null when a part of the run failed.</summary>
    public required FlowReport? Sender { get; init; }

    /// <summary>What the receiving program counted, of all connections together; null when a part of the run failed.</summary>
    public required FlowReport? Receiver { get; init; }

    /// <summary>Each connection by itself, where there are several; else empty.</summary>
    public IReadOnlyList<FlowPair> Flows { get; init; } = [];

    /// <summary>What the analysis says of the sender's capture; null when it holds no connection, or a part of the run failed.</summary>
    public required AnalysisFigures? Analysis { get; init; }

    /// <summary>The capture at the sender; null when a part of the run failed.</summary>
    public required CaptureFigures? SenderCapture { get; init; }

    /// <summary>The capture at the receiver; null where none was asked for, and when a part of the run failed.</summary>
    public required CaptureFigures? ReceiverCapture { get; init; }

    /// <summary>What came of the emulated path; null where none was asked for, and when a part of the run failed.</summary>
    public required ShimReport? Link { get; init; }

    /// <summary>System of the sender, with its revision, e.g. <c>Windows 10.0.26100.4061</c>; more of it is in <c>sender-system.json</c>. Null where it is not
    /// known, and for a simulated run.</summary>
    public string? SenderSystem { get; init; }

    /// <summary>System of the receiver, likewise.</summary>
    public string? ReceiverSystem { get; init; }

    /// <summary>What only a simulated run knows; null for one over a network.</summary>
    public SimulatedFigures? Simulated { get; init; }
}

/// <summary>What only a simulated run knows (docs/simulator.md).</summary>
/// <param name="Stack">The variant that sent.</param>
/// <param name="Assumed">What is only assumed of it.</param>
/// <param name="StatesNs">What held the sender, from its first byte to the acknowledgment of its last, nanoseconds.</param>
public sealed record SimulatedFigures(string Stack, IReadOnlyList<string> Assumed, IReadOnlyDictionary<string, long> StatesNs);

/// <summary>What both programs counted of one connection.</summary>
/// <param name="ClientPort">The port of the end that connected, which identifies the connection in the captures.</param>
/// <param name="Sender">The sending program's.</param>
/// <param name="Receiver">The receiving program's.</param>
public sealed record FlowPair(int ClientPort, FlowReport Sender, FlowReport Receiver);

/// <summary>What the analysis of the sender's capture says of the flow (docs/commands/analyze.md).</summary>
/// <param name="WireSegments">Data segments, resent ones included.</param>
/// <param name="PayloadBytes">Payload bytes, resent ones included.</param>
/// <param name="UniqueBytes">Payload bytes, each once.</param>
/// <param name="Retransmissions">Data segments resent.</param>
/// <param name="Dsacks">DSACKs that came back.</param>
/// <param name="MinRttNs">Minimum RTT, nanoseconds; null without samples.</param>
/// <param name="GoodputBitsPerSecond">Unique bytes over the time from the first of them to the last acknowledged; null when not known, and for
/// several connections.</param>
public sealed record AnalysisFigures(
    long WireSegments,
    long PayloadBytes,
    long UniqueBytes,
    long Retransmissions,
    long Dsacks,
    long? MinRttNs,
    double? GoodputBitsPerSecond)
{
    /// <summary>Median of the RTT's samples, nanoseconds: what the path and its queue took while the flow ran. Null without samples, and for several
    /// connections.</summary>
    public long? MedianRttNs { get; init; }

    /// <summary>
    /// From the first data to the first of two round trips in a row that both held nine tenths of the highest rate that any two did, nanoseconds. Null where
    /// there were no two, and for several connections.
    /// </summary>
    public long? TimeToRateNs { get; init; }

    /// <summary>In flight when slow start was left without loss, bytes. Null where it was not, or does not show, and for several connections.</summary>
    public long? SlowStartExitBytes { get; init; }

    /// <summary>Time in each state of docs/limits.md, nanoseconds, of all connections together; null where none was judged.</summary>
    public IReadOnlyDictionary<string, long>? LimitsNs { get; init; }

    /// <summary>Analyses a capture of one flow; it may hold other connections too, where a recorder cannot filter by port.</summary>
    /// <param name="path">The capture.</param>
    /// <param name="port">The port at which the flow's connections were awaited.</param>
    /// <param name="interruption">Ends the work early.</param>
    /// <returns>The figures of all connections together, each in the direction of its payload; null when the capture has none.</returns>
    public static AnalysisFigures? Read(string path, int port, CancellationToken interruption)
    {
        using TraceReader reader = TraceFile.Open([path]);
        TraceAnalysis analysis = TraceAnalyzer.Analyze(reader, new AnalysisOptions { Timelines = new() { Connections = 1 } }, interruption);
        Connection[] connections = [.. analysis.Connections.Where(connection => connection.Client.Port == port || connection.Server.Port == port)];
        ConnectionDirection[] sent = [.. connections.Select(Sent)];
        return sent.Length == 0
            ? null
            : new(
                sent.Sum(direction => direction.WireSegments),
                sent.Sum(direction => direction.PayloadBytes),
                sent.Sum(direction => direction.UniqueBytes),
                sent.Sum(direction => direction.Retransmissions),
                sent.Sum(direction => direction.Dsacks),
                sent.Min(direction => direction.Rtt.Samples > 0 ? direction.Rtt.Min : null as long?),
                sent.Length == 1 ? sent[0].GoodputBitsPerSecond : null)
            {
                MedianRttNs = sent is [{ Rtt: { Samples: > 0 } rtt }] ? rtt.Median : null,
                TimeToRateNs = connections is [var only] && analysis.Timelines.TryGetValue(only, out ConnectionTimeline? timeline)
                    ? RateRise.Of(sent[0] == only.FromClient ? timeline.FromClient : timeline.FromServer, sent[0].Rtt)
                    : null,
                SlowStartExitBytes = sent is [{ SlowStart.ExitBytes: { } exit }] ? exit : null,
                LimitsNs = LimitsOf([.. sent.Select(direction => direction.Limits).OfType<LimitSummary>()]),
            };
    }

    static Dictionary<string, long>? LimitsOf(LimitSummary[] limits) => limits.Length == 0
        ? null
        : Enum.GetValues<LimitState>().ToDictionary(
            state => JsonNamingPolicy.CamelCase.ConvertName(state.ToString()), state => limits.Sum(limit => limit.Times.In(state)), StringComparer.Ordinal);

    static ConnectionDirection Sent(Connection connection) =>
        connection.FromServer.PayloadBytes > connection.FromClient.PayloadBytes ? connection.FromServer : connection.FromClient;
}

/// <summary>What a recorder says of its file (<c>tcpdiag/capture/1</c>).</summary>
/// <param name="Packets">Packets recorded.</param>
/// <param name="DroppedPackets">Packets lost between kernel and recorder.</param>
/// <param name="Events">Events of the stack; null when they were not recorded, as for the two below.</param>
/// <param name="Samples">Samples of connections.</param>
/// <param name="LostEvents">Events lost between kernel and recorder.</param>
/// <param name="LostBuffers">Buffers lost before they were written (Windows).</param>
public sealed record CaptureFigures(long Packets, long DroppedPackets, long? Events, long? Samples, long? LostEvents, long? LostBuffers = null)
{
    /// <summary>What the capture lacks, as a sentence; null if it is whole.</summary>
    /// <param name="end">Whose capture it is.</param>
    /// <returns>The sentence.</returns>
    public string? FindFault(string end) => DroppedPackets + (LostEvents ?? 0) + (LostBuffers ?? 0) == 0
        ? null
        : string.Create(
            CultureInfo.InvariantCulture,
            $"The capture at the {end} lost {DroppedPackets} packets, {LostEvents ?? 0} events and {LostBuffers ?? 0} buffers of them.");

    /// <summary>Reads a recorder's report.</summary>
    /// <param name="json">The document.</param>
    /// <returns>The figures.</returns>
    /// <exception cref="JsonException">It is no such document.</exception>
    public static CaptureFigures Read(string json)
    {
        using JsonDocument document = JsonDocument.Parse(json);
        JsonElement root = document.RootElement;
        return new CaptureFigures(
            root.GetProperty("packets").GetInt64(),
            root.GetProperty("dropped").GetInt64(),
            ReadOptional(root, "stackEvents"),
            ReadOptional(root, "samples"),
            ReadOptional(root, "lostEvents"),
            ReadOptional(root, "lostBuffers"));
    }

    static long? ReadOptional(JsonElement root, string name) =>
        root.GetProperty(name) is { ValueKind: JsonValueKind.Number } number ? number.GetInt64() : null;
}
