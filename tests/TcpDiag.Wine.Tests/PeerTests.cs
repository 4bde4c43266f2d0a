using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Text.Json;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Wine.Tests;

/// <summary>
/// An experiment between two machines, of which the receiving one runs the win-x64 build: real TCP from Linux to it, over the loopback device.
/// </summary>
public sealed class PeerTests : IDisposable
{
    static readonly string Here = Path.Join(AppContext.BaseDirectory, "tcpdiag");

    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-wine-peer-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [WineRootFact]
    public void Serve_FlowsFromLinux_AreReceivedAndReported()
    {
        (ProgramResult run, string told) = Run("flow: {bytes: 300kb, flows: 2}\ncapture: {receiver: no}\nsides: {only: {}}\n");

        Assert.Equal("0/1 done: 001/only/001\n", run.Error);
        using JsonDocument document = JsonDocument.Parse(run.Output);
        JsonElement result = document.RootElement.GetProperty("results").EnumerateArray().Single();
        Assert.Equal(600_000, result.GetProperty("receiver").GetProperty("bytes").GetInt64());
        Assert.Equal(600_000, result.GetProperty("analysis").GetProperty("uniqueBytes").GetInt64());
        Assert.EndsWith(": received 600000 bytes.", told, StringComparison.Ordinal);
    }

    [WineRootFact]
    public void Serve_PathWithoutItsDriver_IsRefusedInWords()
    {
        (ProgramResult run, string told) = Run("path: {delay: 1ms}\nflow: {bytes: 1kb}\nsides: {only: {}}\n");

        Assert.Equal(1, run.ExitCode);
        Assert.Contains("The peer refuses: ", run.Error, StringComparison.Ordinal);
        Assert.Contains("WinDivert has not been fetched (error 2).", run.Error, StringComparison.Ordinal);
        Assert.Contains("WinDivert has not been fetched (error 2).", told, StringComparison.Ordinal);
    }

    // An experiment of this system with a receiver under Wine, and what the receiver told of it.
    (ProgramResult Run, string Told) Run(string matrix)
    {
        string secret = Path.Join(_folder, "secret");
        File.WriteAllText(secret, "correct horse");
        string file = Path.Join(_folder, "peer.yaml");
        File.WriteAllText(file, matrix);
        string[] serve = ["lab", "serve", "--listen", "127.0.0.1:0", "--token-file", WineProgram.There(secret), "--for", "60s"];
        using Process server = WineProgram.Start(() => WineProgram.Start("tcpdiag", [], serve), out string? begin);
        string address = begin!["listening at ".Length..];
        ProgramResult run = ExternalProgram.TryRun(
            Here, ["lab", "run", file, "--peer", address, "--token-file", secret, "--out", Path.Join(_folder, "out"), "--json"], Patience.Limit);
        string told = server.StandardOutput.ReadLine()!;
        server.Kill();
        server.WaitForExit();
        return (run, told);
    }
}
