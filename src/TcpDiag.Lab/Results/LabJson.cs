using System.Collections.Generic;
using System.Text.Json.Serialization;
using TcpDiag.Lab.Flows;
using TcpDiag.Lab.Matrix;
using TcpDiag.Lab.Peers;

namespace TcpDiag.Lab.Results;

/// <summary>The JSON forms of what the lab leaves, and of what its processes exchange.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, WriteIndented = false)]
[JsonSerializable(typeof(LabRunDocument))]
[JsonSerializable(typeof(IterationResult))]
[JsonSerializable(typeof(FlowJob))]
[JsonSerializable(typeof(PeerRequest))]
[JsonSerializable(typeof(PeerReply))]
[JsonSerializable(typeof(IReadOnlyList<FlowReport>))]
public sealed partial class LabJson : JsonSerializerContext
{
}

/// <summary>A whole run of the lab: <c>run.json</c> (docs/schemas/lab.json).</summary>
/// <param name="Schema">Always <c>tcpdiag/lab/1</c>.</param>
/// <param name="Matrix">What was run.</param>
/// <param name="Seed">Seed of the whole.</param>
/// <param name="Scale">By what flows were shortened.</param>
/// <param name="Peer">Address and port of the machine that received, or both addresses where that was the same one; null for two namespaces.</param>
/// <param name="Kernel">The release of Linux; on Windows its name and version.</param>
/// <param name="IsComplete">Whether every run of the matrix is there.</param>
/// <param name="Results">The runs, in their order.</param>
public sealed record LabRunDocument(
    string Schema,
    LabMatrix Matrix,
    ulong Seed,
    double Scale,
    string? Peer,
    string Kernel,
    bool IsComplete,
    IReadOnlyList<IterationResult> Results)
{
    /// <summary>The only schema there is.</summary>
    public const string CurrentSchema = "tcpdiag/lab/1";

    /// <summary>How the cells stand where the last start was to go on until they are decided; else null.</summary>
    public DecisionSummary? UntilDecided { get; init; }
}
