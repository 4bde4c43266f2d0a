using System.Text.Json.Serialization;

namespace TcpDiag.Report.Json;

/// <summary>Serialises <see cref="CaptureDocument"/> without reflection: camelCase names, null for unknown values.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, WriteIndented = true)]
[JsonSerializable(typeof(CaptureDocument))]
sealed partial class CaptureJsonContext : JsonSerializerContext;
