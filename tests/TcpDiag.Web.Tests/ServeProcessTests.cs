using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Threading.Tasks;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Web.Tests;

/// <summary><c>tcpdiag serve</c> as a process.</summary>
public sealed class ServeProcessTests
{
    const int Interrupted = 130;

    static readonly TimeSpan Longest = TimeSpan.FromSeconds(60);

    [Fact]
    [Trait("Needs", "time")]
    public async Task Usual_ListensOnThisMachineAlone_AndEndsWhenAskedTo()
    {
        using var store = new MadeStore();
        store.AddFleet(["26100"]);
        using Process process = Start(store.Path, "--listen", "0");
        var address = new Uri((await process.StandardOutput.ReadLineAsync().WaitAsync(Longest))!);
        Assert.Equal("127.0.0.1", address.Host);
        var server = new IPEndPoint(IPAddress.Loopback, address.Port);
        Assert.Equal(303, (await RawHttp.Get(server, address.PathAndQuery)).Status);
        Assert.Equal(401, (await RawHttp.Get(server, "/")).Status);
        using var elsewhere = new TcpClient();
        await Assert.ThrowsAsync<SocketException>(() => elsewhere.ConnectAsync(IPAddress.Parse("127.0.0.3"), address.Port));
        Assert.Equal((Interrupted, string.Empty), await End(process));
    }

    [Fact]
    [Trait("Needs", "time")]
    public async Task BeyondThisMachine_ItWarns_AndATokenIsNeeded()
    {
        using var store = new MadeStore();
        store.AddFleet(["26100"]);
        string token = Path.Combine(store.Folder, "token");
        await File.WriteAllTextAsync(token, "a-token-of-the-user-0\n");
        using Process process = Start(store.Path, "--listen", "0.0.0.0:0", "--token-file", token);
        string line = (await process.StandardOutput.ReadLineAsync().WaitAsync(Longest))!;
        Assert.StartsWith("http://ADDRESS-OF-THIS-MACHINE:", line, StringComparison.Ordinal);
        Assert.EndsWith("/?token=a-token-of-the-user-0", line, StringComparison.Ordinal);
        int port = int.Parse(line.Split(':', '/')[4], System.Globalization.CultureInfo.InvariantCulture);
        foreach (IPAddress local in (IPAddress[])[IPAddress.Loopback, IPAddress.Parse("127.0.0.3")])
        {
            var server = new IPEndPoint(local, port);
            Assert.Equal(401, (await RawHttp.Get(server, "/")).Status);
            Assert.Equal(200, (await RawHttp.Get(server, "/", "Authorization: Bearer a-token-of-the-user-0")).Status);
            Assert.Equal(421, (await RawHttp.Ask(
                server, "GET / HTTP/1.1", $"Host: rebound.example:{port}", "Authorization: Bearer a-token-of-the-user-0")).Status);
        }

        (int exitCode, string error) = await End(process);
        Assert.Equal(Interrupted, exitCode);
        Assert.StartsWith("tcpdiag: listens beyond this machine: who has the token reads the store.", error, StringComparison.Ordinal);
    }

    static Process Start(string store, params IEnumerable<string> options)
    {
        string program = Path.Combine(AppContext.BaseDirectory, "tcpdiag.dll");
        return Process.Start(new ProcessStartInfo("dotnet", [program, "serve", "--store", store, .. options])
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
    }

    static async Task<(int ExitCode, string Error)> End(Process process)
    {
        Task<string> error = process.StandardError.ReadToEndAsync();
        ExternalProgram.TryRun("kill", ["-TERM", $"{process.Id}"]);
        await process.WaitForExitAsync().WaitAsync(Longest);
        return (process.ExitCode, await error);
    }
}
