using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Runtime.CompilerServices;
using TcpDiag.Testing;

namespace TcpDiag.Store.Tests;

/// <summary>The program as a process of its own, which may be killed.</summary>
static class OwnProcess
{
    /// <summary>Where results wait for servers: a folder of this run.</summary>
    [ModuleInitializer]
    internal static void UseOwnSpool()
    {
        string folder = Directory.CreateTempSubdirectory("tcpdiag-spool-").FullName;
        Environment.SetEnvironmentVariable("TCPDIAG_SPOOL", folder);
        AppDomain.CurrentDomain.ProcessExit += (_, _) => Directory.Delete(folder, recursive: true);
    }

    static readonly string Program = Path.Combine(AppContext.BaseDirectory, "tcpdiag.dll");

    /// <summary>Starts it; its output is dropped.</summary>
    public static Process Start(params IEnumerable<string> arguments)
    {
        var start = new ProcessStartInfo("dotnet", [Program, .. arguments])
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        var process = Process.Start(start)!;
        process.OutputDataReceived += (_, _) => { };
        process.ErrorDataReceived += (_, _) => { };
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        return process;
    }

    /// <summary>Runs it to its end.</summary>
    public static ProgramResult Run(params IEnumerable<string> arguments) => ExternalProgram.TryRun("dotnet", [Program, .. arguments]);

    /// <summary>Ends it as SIGKILL does.</summary>
    public static void Kill(Process process)
    {
        process.Kill(entireProcessTree: false);
        process.WaitForExit();
        process.Dispose();
    }
}
