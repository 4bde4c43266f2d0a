using System.Text.Json.Serialization;

namespace TcpDiag.Report.Json;

/// <summary>Serialises what <c>tcpdiag watch</c> prints without reflection: camelCase names, null for unknown values, one line.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(WatchDocument))]
sealed partial class WatchJsonContext : JsonSerializerContext;
