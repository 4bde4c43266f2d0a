namespace TcpDiag.Shim.Doctor;

/// <summary>One thing that diverting packets needs, and how it stands.</summary>
/// <param name="Name">A stable name, e.g. <c>rights</c>.</param>
/// <param name="Holds">Whether it is as it must be; null where that cannot be told.</param>
/// <param name="Found">What was found, as a sentence.</param>
/// <param name="Cure">What helps, as a sentence; null where nothing is wrong.</param>
public sealed record DoctorCheck(string Name, bool? Holds, string Found, string? Cure);
