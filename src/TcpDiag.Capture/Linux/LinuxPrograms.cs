using System;
using System.IO;
using System.Linq;
using TcpDiag.Capture.Sessions;

namespace TcpDiag.Capture.Linux;

/// <summary>Runs programs of Linux by their full path: a program of that name elsewhere on PATH must not run with our rights.</summary>
public static class LinuxPrograms
{
    static readonly string[] Folders = ["/usr/sbin", "/usr/bin", "/sbin", "/bin"];

    /// <summary>Runs a program to its end.</summary>
    /// <param name="call">The program.</param>
    /// <param name="limit">When it is ended if it has not by then.</param>
    /// <returns>How it ended.</returns>
    /// <exception cref="CaptureException">It is not there, or cannot be started.</exception>
    public static ProgramResult Run(ProgramCall call, TimeSpan limit)
    {
        ArgumentNullException.ThrowIfNull(call);
        string? file = Folders.Select(folder => Path.Combine(folder, call.Program)).FirstOrDefault(File.Exists);
        return file is null
            ? throw new CaptureException($"{call.Program} is not there: install it")
            : ProgramRunner.Run(file, call, limit, waiting: null);
    }
}
