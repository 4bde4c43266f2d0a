using System;
using System.Diagnostics;

namespace TcpDiag.Wine.Tests;

/// <summary>tcpdump at a device: a stand-in for netsh hands over what it has captured. It ends with the object.</summary>
sealed class PacketTap : IDisposable
{
    readonly Process _process;

    /// <summary>Begins to capture, and returns when it does.</summary>
    /// <param name="file">The capture; every packet is in it at once.</param>
    /// <param name="device">The device.</param>
    /// <param name="launcher">What tcpdump is started by, e.g. in a namespace.</param>
    public PacketTap(string file, string device = "lo", params string[] launcher)
    {
        string[] command = [.. launcher, "tcpdump", "-i", device, "--immediate-mode", "-U", "-s", "120", "-w", file, "tcp"];
        _process = Process.Start(new ProcessStartInfo(command[0], command[1..])
        {
            UseShellExecute = false,
            RedirectStandardError = true,
        })!;
        while (_process.StandardError.ReadLine() is { } line && !line.Contains("listening on", StringComparison.Ordinal))
        {
        }
    }

    public void Dispose()
    {
        _process.Kill();
        _process.WaitForExit();
        _process.Dispose();
    }
}
