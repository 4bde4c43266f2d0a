using System.Text.Json.Serialization;

namespace TcpDiag.Report.Json;

/// <summary>Serialises what <c>tcpdiag capture</c> prints without reflection: camelCase names, null for unknown values.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(CaptureDocument))]
[JsonSerializable(typeof(CapturePlanDocument))]
sealed partial class CaptureJsonContext : JsonSerializerContext;
