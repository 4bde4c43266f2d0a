using System;
using System.Diagnostics;

namespace TcpDiag.ShimBench;

/// <summary>Starts the programs a benchmark needs.</summary>
static class Programs
{
    /// <summary>Starts a program, its output to be read.</summary>
    public static Process Start(string file, params string[] arguments) =>
        Process.Start(new ProcessStartInfo(file, arguments) { RedirectStandardInput = true, RedirectStandardOutput = true, UseShellExecute = false })
        ?? throw new InvalidOperationException($"{file} did not start.");

    /// <summary>Runs <c>ip</c> to its end.</summary>
    /// <exception cref="InvalidOperationException">It failed.</exception>
    public static void Ip(string arguments)
    {
        using Process process = Start("ip", arguments.Split(' '));
        process.WaitForExit();
        if (process.ExitCode != 0)
        {
            throw new InvalidOperationException($"ip {arguments} ended with {process.ExitCode}.");
        }
    }

    /// <summary>Ends a program that does not end by itself.</summary>
    public static void Stop(Process process)
    {
        process.Kill(entireProcessTree: true);
        process.WaitForExit();
        process.Dispose();
    }
}
