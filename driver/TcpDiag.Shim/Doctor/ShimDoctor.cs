using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Shim.Divert;

namespace TcpDiag.Shim.Doctor;

/// <summary>Looks whether packets can be diverted on this machine, without diverting one.</summary>
public static class ShimDoctor
{
    const string Schema = "tcpdiag/shim-doctor/1";

    /// <summary>Makes every check of this system.</summary>
    /// <param name="folder">Where WinDivert is to be; ignored on other systems than Windows.</param>
    /// <param name="mayLoad">Whether the driver may be loaded, with a filter that takes no packet.</param>
    /// <returns>How it stands.</returns>
    public static DoctorDocument Examine(string folder, bool mayLoad)
    {
        (string backend, IReadOnlyList<DoctorCheck> checks) = OperatingSystem.IsWindows() ? ("windivert", WindowsChecks.Make(folder, mayLoad))
            : OperatingSystem.IsLinux() ? ("nfqueue", LinuxChecks.Make())
            : ("none", [new("system", false, "Packets can be diverted on Linux and Windows only.", "Use another machine; simulated paths work here.")]);
        return new DoctorDocument(Schema, backend, Sum(checks), checks, DivertErrors.All);
    }

    /// <summary>An error of WinDivert in words.</summary>
    /// <param name="code">The Win32 error code.</param>
    /// <returns>The words; general ones for a code that WinDivert does not document.</returns>
    public static DivertErrorText Explain(int code) => DivertErrors.Find(code);

    static bool? Sum(IReadOnlyList<DoctorCheck> checks) =>
        checks.Any(check => check.Holds is false) ? false : checks.All(check => check.Holds is true) ? true : null;
}

/// <summary>One thing that diverting packets needs, and how it stands.</summary>
/// <param name="Name">A stable name, e.g. <c>rights</c>.</param>
/// <param name="Holds">Whether it is as it must be; null where that is not known.</param>
/// <param name="Found">What was found, as a sentence.</param>
/// <param name="Cure">What helps, as a sentence; null where nothing is wrong.</param>
public sealed record DoctorCheck(string Name, bool? Holds, string Found, string? Cure);

/// <summary>What <c>tcpdiag shim doctor --json</c> prints (docs/schemas/shim-doctor.json).</summary>
/// <param name="Schema">Always <c>tcpdiag/shim-doctor/1</c>.</param>
/// <param name="Backend">What diverts packets on this system: <c>nfqueue</c>, <c>windivert</c>, or <c>none</c>.</param>
/// <param name="CanDivert">Whether nothing stands in the way; null where a check found neither.</param>
/// <param name="Checks">Each check.</param>
/// <param name="Errors">The errors of WinDivert in words.</param>
public sealed record DoctorDocument(string Schema, string Backend, bool? CanDivert, IReadOnlyList<DoctorCheck> Checks, IReadOnlyList<DivertErrorText> Errors);
