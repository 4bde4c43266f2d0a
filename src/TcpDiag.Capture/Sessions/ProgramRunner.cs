using System;
using System.Buffers;
using System.Collections.Generic;
using System.ComponentModel;
using System.Diagnostics;
using System.Linq;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text;

namespace TcpDiag.Capture.Sessions;

/// <summary>Starts a program in a process group of its own, which Ctrl-C does not reach, and waits for its end.</summary>
static class ProgramRunner
{
    const int MaxOutputChars = 1 << 22;
    static readonly TimeSpan Tick = TimeSpan.FromSeconds(1);

    // Its output is read to the end of its pipes, which a grandchild may hold open.
    static readonly TimeSpan OutputLimit = TimeSpan.FromSeconds(2);

    /// <summary>Runs a program.</summary>
    /// <exception cref="CaptureException">It cannot be started.</exception>
    public static ProgramResult Run(string file, ProgramCall call, TimeSpan limit, Action<TimeSpan>? waiting)
    {
        var output = new StringBuilder();
        using Process process = Start(file, call);
        process.OutputDataReceived += (_, line) => Append(output, line.Data);
        process.ErrorDataReceived += (_, line) => Append(output, line.Data);
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        process.StandardInput.Close();
        int? exitCode = Wait(process, limit, waiting);
        if (exitCode is not null)
        {
            _ = process.WaitForExitAsync().Wait(OutputLimit);
        }

        lock (output)
        {
            return new(exitCode, output.ToString());
        }
    }

    static Process Start(string file, ProgramCall call)
    {
        Encoding? encoding = ProgramEncoding.Of(call);
        var start = new ProcessStartInfo(file, call.Arguments)
        {
            StandardOutputEncoding = encoding,
            StandardErrorEncoding = encoding,
            UseShellExecute = false,
            CreateNoWindow = true,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        if (OperatingSystem.IsWindows())
        {
            start.CreateNewProcessGroup = true;
        }

        try
        {
            return Process.Start(start) ?? throw new CaptureException($"{call.Program} did not start.");
        }
        catch (Win32Exception exception)
        {
            throw new CaptureException($"{file} cannot be started: {exception.Message}", exception.NativeErrorCode);
        }
    }

    static int? Wait(Process process, TimeSpan limit, Action<TimeSpan>? waiting)
    {
        long start = Stopwatch.GetTimestamp();
        bool isWanted = false;
        try
        {
            while (!process.WaitForExit(Tick))
            {
                TimeSpan elapsed = Stopwatch.GetElapsedTime(start);
                if (elapsed >= limit)
                {
                    return null;
                }

                waiting?.Invoke(elapsed);
            }

            isWanted = true;
            return process.ExitCode;
        }
        finally
        {
            if (!isWanted)
            {
                process.Kill(entireProcessTree: true);
                process.WaitForExit(OutputLimit);
            }
        }
    }

    static void Append(StringBuilder output, string? line)
    {
        lock (output)
        {
            if (line is not null && output.Length + line.Length < MaxOutputChars)
            {
                output.Append(line).Append('\n');
            }
        }
    }
}

/// <summary>A program of the system with its arguments.</summary>
/// <param name="Program">Its name without folder and extension, e.g. <c>netsh</c>.</param>
/// <param name="Arguments">One entry per argument, not quoted.</param>
public sealed record ProgramCall(string Program, IReadOnlyList<string> Arguments)
{
    // Parentheses, commas and the like are read by PowerShell unless quoted.
    static readonly SearchValues<char> Quoted = SearchValues.Create(" (),;&");

    /// <summary>Whether its arguments make it print UTF-8; else it prints in the console's code page.</summary>
    public bool PrintsUtf8 { get; init; }

    /// <summary>Creates a call.</summary>
    /// <param name="program">The program's name.</param>
    /// <param name="arguments">Its arguments.</param>
    /// <returns>The call.</returns>
    public static ProgramCall Of(string program, params IEnumerable<string> arguments) => new(program, [.. arguments]);

    /// <summary>The line as it is typed into cmd.exe or PowerShell.</summary>
    /// <returns>E.g. <c>netsh trace start "tracefile=C:\a b.etl"</c>.</returns>
    public override string ToString() => string.Join(' ', Arguments.Select(Quote).Prepend(Program));

    static string Quote(string argument) => argument.AsSpan().IndexOfAny(Quoted) < 0 ? argument : $"\"{argument}\"";
}

/// <summary>How a program ended.</summary>
/// <param name="ExitCode">Its exit code; null when it was still running at its time limit and was ended.</param>
/// <param name="Output">What it printed on both streams, at most 4 MiB. In the language of the machine: shown to people, never parsed for words.</param>
public sealed record ProgramResult(int? ExitCode, string Output)
{
    const int QuotedLength = 300;

    /// <summary>Whether it says that it did what it was asked to.</summary>
    public bool Succeeded => ExitCode == 0;

    /// <summary>One line for people: how it ended and what it said.</summary>
    /// <returns>E.g. <c>exit code 1: 'Access denied.'</c>.</returns>
    public string Describe()
    {
        string end = ExitCode is { } code ? FormattableString.Invariant($"exit code {code}") : "no end within its time limit";
        string said = string.Join(' ', Output.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
        return said.Length == 0 ? $"{end}, without a word" : $"{end}: '{(said.Length > QuotedLength ? said[..QuotedLength] + "…" : said)}'";
    }
}

/// <summary>
/// The encoding of programs' output. Windows programs write to a pipe in the code page of their console; one without a window has the OEM code page
/// of the machine, whatever our own console has.
/// </summary>
static partial class ProgramEncoding
{
    /// <summary>The encoding of what a program prints.</summary>
    /// <returns>The encoding; null for that of the system.</returns>
    public static Encoding? Of(ProgramCall call) => call.PrintsUtf8 ? Encoding.UTF8
        : OperatingSystem.IsWindows() ? CodePagesEncodingProvider.Instance.GetEncoding((int)GetOemCodePage())
        : null;

    [SupportedOSPlatform("windows")]
    [LibraryImport("kernel32.dll", EntryPoint = "GetOEMCP")]
    private static partial uint GetOemCodePage();
}
