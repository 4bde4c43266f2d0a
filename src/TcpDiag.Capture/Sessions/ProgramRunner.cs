using System;
using System.ComponentModel;
using System.Diagnostics;
using System.Text;

namespace TcpDiag.Capture.Sessions;

/// <summary>Starts a program of the system, in a group of its own where Ctrl-C does not reach it, and waits for its end.</summary>
static class ProgramRunner
{
    const int MaxOutputChars = 1 << 22;
    static readonly TimeSpan Tick = TimeSpan.FromSeconds(1);

    // What it printed is read to the end of its pipes; a grandchild may hold them open.
    static readonly TimeSpan OutputLimit = TimeSpan.FromSeconds(2);

    /// <summary>Runs a program.</summary>
    /// <param name="file">Its full path.</param>
    /// <param name="call">Its name for messages, and its arguments.</param>
    /// <param name="limit">When it is ended.</param>
    /// <param name="waiting">Called about once a second; the program is ended if it throws.</param>
    /// <returns>How it ended.</returns>
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
