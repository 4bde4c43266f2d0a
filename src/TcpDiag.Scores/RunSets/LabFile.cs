using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace TcpDiag.Scores.RunSets;

/// <summary>The parts of <c>run.json</c> that are read (docs/schemas/lab.json).</summary>
sealed record LabFile(
    LabFile.MatrixPart Matrix,
    double Scale,
    string Kernel,
    bool IsComplete,
    IReadOnlyList<LabFile.ResultPart?> Results)
{
    internal sealed record MatrixPart(
        IReadOnlyList<AxisPart?> Path,
        IReadOnlyList<AxisPart?> Flow,
        IReadOnlyList<SidePart?> Sides);

    /// <summary>A setting and the values it takes in turn.</summary>
    internal sealed record AxisPart(string Name, IReadOnlyList<string?> Values);

    internal sealed record SidePart(string Name, string Stack, IReadOnlyList<Setting?> Path, IReadOnlyList<Setting?> Flow, string? System = null);

    internal sealed record ResultPart(
        string Cell,
        string Side,
        string? Fault,
        double? GoodputBitsPerSecond,
        int? Iteration = null,
        ulong? Seed = null,
        string? Folder = null,
        long? DurationNs = null,
        EndPart? Sender = null,
        EndPart? Receiver = null,
        AnalysisPart? Analysis = null,
        SimulatedPart? Simulated = null,
        string? SenderSystem = null,
        string? ReceiverSystem = null);

    /// <summary>What the program at one end counted.</summary>
    internal sealed record EndPart(string? Outcome = null, KernelPart? Kernel = null, long Bytes = 0, long? CpuNs = null);

    internal sealed record KernelPart(long? DataSegmentsOut = null, long? Retransmissions = null, long? Dsacks = null, long? Timeouts = null);

    internal sealed record AnalysisPart(
        long? WireSegments = null,
        long? Retransmissions = null,
        long? Dsacks = null,
        long? MedianRttNs = null,
        long? TimeToRateNs = null,
        long? SlowStartExitBytes = null,
        IReadOnlyDictionary<string, long>? LimitsNs = null);

    internal sealed record SimulatedPart(IReadOnlyDictionary<string, long>? StatesNs = null);
}

/// <summary>The schema that a JSON document names.</summary>
/// <param name="Schema">Name and number of its schema; null where it names none.</param>
sealed record LabFileHeader(string? Schema = null);

/// <summary>Reads <see cref="LabFile"/> and <see cref="LabFileHeader"/> without reflection.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, RespectNullableAnnotations = true, RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(LabFile))]
[JsonSerializable(typeof(LabFileHeader))]
sealed partial class LabFileJson : JsonSerializerContext;
