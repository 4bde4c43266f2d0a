using System.Text.Json.Serialization;

namespace TcpDiag.Report.Json;

/// <summary>Serialises <see cref="AnalysisDocument"/>, its connections and its findings without reflection: camelCase names, null for unknown values.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(AnalysisDocument))]
[JsonSerializable(typeof(ConnectionEntry))]
[JsonSerializable(typeof(FindingEntry))]
sealed partial class AnalysisJsonContext : JsonSerializerContext;
