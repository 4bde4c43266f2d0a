using System;
using System.Diagnostics;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Shim.Tests;

/// <summary>A <c>lab serve</c> in a network namespace.</summary>
static class LabServer
{
    /// <summary>Starts one, and waits until it listens.</summary>
    /// <param name="place">The namespace.</param>
    /// <param name="program">The program, in words.</param>
    /// <param name="address">ADDRESS:PORT to listen at.</param>
    /// <param name="secret">The file with the secret.</param>
    /// <param name="options">More options.</param>
    /// <returns>Its process; its output is what it tells of its runs.</returns>
    public static Process Start(string place, string[] program, string address, string secret, params string[] options)
    {
        Process server = Process.Start(new ProcessStartInfo(
            "ip", ["netns", "exec", place, .. program, "lab", "serve", "--listen", address, "--token-file", secret, "--for", "10min", .. options])
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
        })!;
        Assert.Equal($"listening at {address}", server.StandardOutput.ReadLine());
        return server;
    }

    /// <summary>Ends one.</summary>
    /// <returns>What it told of its runs, a line each.</returns>
    public static string[] End(Process server)
    {
        ExternalProgram.Run("kill", "-INT", FormattableString.Invariant($"{server.Id}"));
        return server.StandardOutput.ReadToEnd().Split('\n', StringSplitOptions.RemoveEmptyEntries);
    }
}
