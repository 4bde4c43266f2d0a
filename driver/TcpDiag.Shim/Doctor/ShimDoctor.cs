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
    /// <param name="folder">Where WinDivert is to be; of no account on other systems than Windows.</param>
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

    static bool? Sum(IReadOnlyList<DoctorCheck> checks) => checks.Any(check => check.Holds is false) ? false : checks.All(check => check.Holds is true) ? true : null;
}
