using System.Collections.Generic;
using TcpDiag.Shim.Divert;

namespace TcpDiag.Shim.Doctor;

/// <summary>What <c>tcpdiag shim doctor --json</c> prints (docs/schemas/shim-doctor.json).</summary>
/// <param name="Schema">Always <c>tcpdiag/shim-doctor/1</c>.</param>
/// <param name="Backend">What diverts packets on this system: <c>nfqueue</c>, <c>windivert</c>, or <c>none</c>.</param>
/// <param name="CanDivert">Whether nothing stands in the way; null where a check could not tell.</param>
/// <param name="Checks">Each check.</param>
/// <param name="Errors">The errors of WinDivert in words.</param>
public sealed record DoctorDocument(string Schema, string Backend, bool? CanDivert, IReadOnlyList<DoctorCheck> Checks, IReadOnlyList<DivertErrorText> Errors);
