using System.Text.Json.Serialization;

namespace TcpDiag.Report.Json;

/// <summary>Serialises <see cref="ComparisonDocument"/> without reflection: camelCase names, null for unknown values.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(ComparisonDocument))]
sealed partial class ComparisonJsonContext : JsonSerializerContext;
