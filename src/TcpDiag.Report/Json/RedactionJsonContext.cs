using System.Text.Json.Serialization;

namespace TcpDiag.Report.Json;

/// <summary>Serialises what <c>tcpdiag redact</c> prints without reflection: camelCase names, null for unknown values.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, WriteIndented = true, NewLine = "\n")]
[JsonSerializable(typeof(RedactionDocument))]
sealed partial class RedactionJsonContext : JsonSerializerContext;
