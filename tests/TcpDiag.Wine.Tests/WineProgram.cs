using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using TcpDiag.Testing;

namespace TcpDiag.Wine.Tests;

/// <summary>Programs of the win-x64 build, which test.sh publishes to artifacts/wine, run by Wine in a prefix of the tests' own.</summary>
static class WineProgram
{
    /// <summary>
    /// .NET maps its code twice, once to write and once to run (W^X). Under Wine that takes half of the time of a program, and ends some with an internal
    /// error when code is given back (DynamicResolver's finalizer).
    /// </summary>
    public const string OneMapping = "DOTNET_EnableWriteXorExecute=0";

    static readonly string Folder = ProjectFolder.PathOf("artifacts", "wine");

    // Messages of Wine itself say nothing about our programs.
    static readonly string[] Variables = ["WINEPREFIX=" + PathOf("prefix"), "WINEDEBUG=-all", OneMapping];

    // Where nothing runs, Wine starts its services anew for every program, which takes a second. This one waits for its input, which ends with the tests.
    static readonly Lazy<Process> Resident = new(StartResident);

    /// <summary>The folder of a published program.</summary>
    public static string PathOf(params string[] parts) => Path.Combine([Folder, .. parts]);

    /// <summary>A path of ours, as programs under Wine call it.</summary>
    public static string There(string path) => "Z:" + path.Replace('/', '\\');

    /// <summary>Why nothing can be run here; null when it can.</summary>
    public static string? WhyNot() =>
        SkipReason.Linux() ?? SkipReason.Tools("wine") ?? (File.Exists(PathOf(".ready")) ? null
            : "tool: no win-x64 build in artifacts/wine; ./test.sh --full makes it");

    /// <summary>Runs a program to its end.</summary>
    /// <param name="program">E.g. <c>tcpdiag</c>.</param>
    /// <param name="arguments">Its arguments; paths as they are there.</param>
    public static ProgramResult Run(string program, params string[] arguments) =>
        Run(() => ExternalProgram.TryRun("env", [.. Settings(), "wine", FileOf(program), .. arguments], Patience.Limit));

    /// <summary>
    /// Runs a program, and once more when it never began: about one in a thousand under Wine ends with 1 before it has said a word. Ours says why it fails.
    /// </summary>
    /// <param name="run">Runs it.</param>
    public static ProgramResult Run(Func<ProgramResult> run)
    {
        ProgramResult result = run();
        return result is { ExitCode: 1, Output.Length: 0, Error.Length: 0 } ? run() : result;
    }

    /// <summary>Runs a line of the command shell.</summary>
    /// <param name="line">The line.</param>
    public static void RunShell(string line) => ExternalProgram.TryRun("env", [.. Settings(), "wine", "cmd", "/c", line]);

    /// <summary>How a program is started: what comes in front of its arguments.</summary>
    public static string[] Launcher(string program) => ["env", .. Settings(), "wine", FileOf(program)];

    /// <summary>Starts a program whose input and output are ours.</summary>
    /// <param name="program">E.g. <c>winehost</c>.</param>
    /// <param name="variables">Variables of its own, <c>NAME=value</c>.</param>
    /// <param name="arguments">Its arguments.</param>
    public static Process Start(string program, IEnumerable<string> variables, IEnumerable<string> arguments) =>
        Process.Start(new ProcessStartInfo("env", [.. Settings(), .. variables, "wine", FileOf(program), .. arguments])
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        })!;

    /// <summary>Starts a program and waits for its first words; once more when it never began, as <see cref="Run(Func{ProgramResult})"/>.</summary>
    /// <param name="start">Starts it.</param>
    /// <param name="firstLine">What it said; null when it ended without a word.</param>
    public static Process Start(Func<Process> start, out string? firstLine)
    {
        Process process = start();
        firstLine = process.StandardOutput.ReadLine();
        if (firstLine is null)
        {
            process.Dispose();
            process = start();
            firstLine = process.StandardOutput.ReadLine();
        }

        return process;
    }

    // Its first words come when the services are there. They inherit the output of the program that has them started, and whoever reads that waits for their
    // end.
    static Process StartResident()
    {
        var resident = Process.Start(new ProcessStartInfo("env", [.. Variables, "wine", "cmd", "/c", "pause"])
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        })!;
        _ = resident.StandardOutput.Read();
        return resident;
    }

    static string FileOf(string program) => PathOf(program, program + ".exe");

    static string[] Settings()
    {
        _ = Resident.Value;
        return Variables;
    }
}
