using System;
using System.Diagnostics;
using System.IO;

namespace TcpDiag.Cli.Tests.Faults;

/// <summary>A <c>tcpdiag</c> of its own that is going to be killed.</summary>
sealed class KilledProcess : IDisposable
{
    readonly Process _process;

    public KilledProcess(string? place, params string[] arguments)
    {
        string[] command = ["dotnet", Path.Combine(AppContext.BaseDirectory, "tcpdiag.dll"), .. arguments];
        string[] inside = place is null ? [] : ["ip", "netns", "exec", place];
        string[] all = [.. inside, .. command];
        _process = Process.Start(new ProcessStartInfo(all[0], all[1..])
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
    }

    public void WaitForOutput() => Xunit.Assert.NotNull(_process.StandardOutput.ReadLine());

    public void WaitForError() => Xunit.Assert.NotNull(_process.StandardError.ReadLine());

    public void EndInput() => _process.StandardInput.Close();

    /// <summary>Sends SIGKILL after some time, if it still runs then, and waits for the end.</summary>
    public void KillAfter(int milliseconds)
    {
        if (!_process.WaitForExit(milliseconds))
        {
            _process.Kill();
        }

        _process.WaitForExit();
    }

    /// <summary>Waits for its own end.</summary>
    /// <returns>The exit code.</returns>
    public int WaitForExit()
    {
        _process.StandardOutput.ReadToEnd();
        _process.WaitForExit();
        return _process.ExitCode;
    }

    public void Dispose()
    {
        if (!_process.HasExited)
        {
            KillAfter(0);
        }

        _process.Dispose();
    }
}
