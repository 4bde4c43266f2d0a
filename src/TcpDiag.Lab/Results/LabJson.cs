using System.Collections.Generic;
using System.Text.Json.Serialization;
using TcpDiag.Lab.Flows;
using TcpDiag.Lab.Peers;

namespace TcpDiag.Lab.Results;

/// <summary>The JSON forms of what the lab leaves, and of what its processes tell each other.</summary>
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
