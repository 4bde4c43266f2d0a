using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Diagnostics;
using System.IO;
using System.Text;
using System.Threading;

namespace TcpDiag.Lab.Programs;

/// <summary>Runs a command of the user's that measures something, and keeps the last line it prints. What it says on standard error goes to ours.</summary>
public static class MeasuringCommand
{
    // A figure or a folder; the rest of a longer line is no part of either.
    const int MaxLineCharacters = 4096;

    // Ctrl-C ends the command too, and perhaps before we hear of it: that is no failure of its own.
    static readonly TimeSpan InterruptionLimit = TimeSpan.FromMilliseconds(300);

    /// <summary>Runs it to its end.</summary>
    /// <param name="command">The program and its arguments.</param>
    /// <param name="environment">Variables of its environment besides ours.</param>
    /// <param name="interruption">Kills it, and all that it started.</param>
    /// <returns>Its exit code, and the last line with anything on it; empty without any.</returns>
    /// <exception cref="LabException">It cannot be started.</exception>
    /// <exception cref="OperationCanceledException">It was interrupted.</exception>
    public static (int ExitCode, string LastLine) Run(
        IReadOnlyList<string> command, IEnumerable<KeyValuePair<string, string>> environment, CancellationToken interruption)
    {
        ProcessStartInfo start = new(command[0]) { UseShellExecute = false, RedirectStandardInput = true, RedirectStandardOutput = true };
        for (int i = 1; i < command.Count; i++)
        {
            start.ArgumentList.Add(command[i]);
        }

        foreach ((string name, string value) in environment)
        {
            start.Environment[name] = value;
        }

        using Process process = Start(start);
        using CancellationTokenRegistration killing = interruption.Register(() => process.Kill(entireProcessTree: true));
        process.StandardInput.Close();
        string line = LastLine(process.StandardOutput);
        process.WaitForExit();
        if (process.ExitCode != 0)
        {
            interruption.WaitHandle.WaitOne(InterruptionLimit);
        }

        interruption.ThrowIfCancellationRequested();
        return (process.ExitCode, line);
    }

    static Process Start(ProcessStartInfo start)
    {
        try
        {
            return Process.Start(start) ?? throw new LabException($"{start.FileName} did not start.");
        }
        catch (Win32Exception refused)
        {
            throw new LabException($"{start.FileName}: cannot be started: {new Win32Exception(refused.NativeErrorCode).Message}.");
        }
    }

    static string LastLine(TextReader output)
    {
        string last = string.Empty;
        StringBuilder line = new();
        char[] block = new char[MaxLineCharacters];
        int read;
        while ((read = output.Read(block)) > 0)
        {
            foreach (char c in block.AsSpan(0, read))
            {
                if (c == '\n')
                {
                    last = TextOr(line, last);
                    line.Clear();
                }
                else if (line.Length < MaxLineCharacters)
                {
                    line.Append(c);
                }
            }
        }

        return TextOr(line, last);
    }

    static string TextOr(StringBuilder line, string last) => line.ToString().Trim() is { Length: > 0 } text ? text : last;
}
