using System.Text.Json.Serialization;

namespace TcpDiag.Shim;

/// <summary>
/// The JSON forms of figures and reports: how the process that diverts packets tells the one that started it, a line each, and what <c>--json</c> prints
/// (docs/schemas/shim-run.json).
/// </summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(ShimFigures))]
[JsonSerializable(typeof(ShimReport))]
[JsonSerializable(typeof(ShimRunDocument))]
public sealed partial class ShimJson : JsonSerializerContext
{
}
