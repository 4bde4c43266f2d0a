using System.Collections.Generic;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace TcpDiag.Doctor;

/// <summary>What <c>tcpdiag doctor --json</c> prints (docs/schemas/doctor.json).</summary>
/// <param name="Schema">Always <c>tcpdiag/doctor/1</c>.</param>
/// <param name="Target">HOST:PORT that was asked about; null for none.</param>
/// <param name="HasProblem">Whether a check found something to mend.</param>
/// <param name="Checks">The checks.</param>
public sealed record DoctorDocument(string Schema, string? Target, bool HasProblem, IReadOnlyList<Check> Checks)
{
    const string SchemaName = "tcpdiag/doctor/1";

    /// <summary>Creates the document.</summary>
    /// <param name="target">The host; null for none.</param>
    /// <param name="checks">The checks.</param>
    public static DoctorDocument Of(DoctorTarget? target, IReadOnlyList<Check> checks) => new(
        SchemaName,
        target is null ? null : System.FormattableString.Invariant($"{target.Host}:{target.Port}"),
        checks.Any(check => check.Result is CheckResult.Problem),
        checks);

    /// <summary>The document as JSON.</summary>
    public string ToJson() => JsonSerializer.Serialize(this, DoctorJson.Default.DoctorDocument);
}

[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, UseStringEnumConverter = true, WriteIndented = true, NewLine = "\n")]
[JsonSerializable(typeof(DoctorDocument))]
sealed partial class DoctorJson : JsonSerializerContext;
