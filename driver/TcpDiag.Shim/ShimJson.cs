using System.Text.Json.Serialization;
using TcpDiag.Shim.Doctor;

namespace TcpDiag.Shim;

/// <summary>
/// The JSON forms of figures and reports: how the process that diverts packets tells the one that started it, a line each, and what <c>--json</c> prints
/// (docs/schemas/shim-run.json, shim-doctor.json, shim-log.json).
/// </summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(ShimFigures))]
[JsonSerializable(typeof(ShimReport))]
[JsonSerializable(typeof(ShimRunDocument))]
[JsonSerializable(typeof(DoctorDocument))]
[JsonSerializable(typeof(DecisionLogStart))]
[JsonSerializable(typeof(DecisionLogLine))]
[JsonSerializable(typeof(DecisionLogEnd))]
public sealed partial class ShimJson : JsonSerializerContext
{
}
