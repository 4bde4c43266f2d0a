using System;
using System.Collections.Generic;
using System.IO;

namespace TcpDiag.Cli;

/// <summary>How this program is started once more: as the executable beside its assemblies, or by the runtime where there is only the assembly.</summary>
static class OwnProgram
{
    static readonly string Host = Path.Combine(AppContext.BaseDirectory, OperatingSystem.IsWindows() ? "tcpdiag.exe" : "tcpdiag");

    static bool HasHost => System.IO.File.Exists(Host);

    /// <summary>The executable.</summary>
    public static string File => HasHost ? Host : "dotnet";

    /// <summary>Arguments in front of the verb.</summary>
    public static IReadOnlyList<string> Prefix => HasHost ? [] : [Path.Combine(AppContext.BaseDirectory, "tcpdiag.dll")];
}
