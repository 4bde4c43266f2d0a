using System;
using System.IO;
using TcpDiag.Lab.Programs;

namespace TcpDiag.Cli;

/// <summary>How this program is started once more: as the executable beside its assemblies, or by the runtime where there is only the assembly.</summary>
static class OwnProgram
{
    static readonly string Host = Path.Combine(AppContext.BaseDirectory, OperatingSystem.IsWindows() ? "tcpdiag.exe" : "tcpdiag");

    static bool HasHost => File.Exists(Host);

    /// <summary>The executable, and what comes in front of the verb.</summary>
    public static LabProgram Start => HasHost
        ? new LabProgram(Host, [])
        : new LabProgram("dotnet", [Path.Combine(AppContext.BaseDirectory, "tcpdiag.dll")]);
}
