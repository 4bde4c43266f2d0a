using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Text.Json.Nodes;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

public sealed class WatchCommandTests : IDisposable
{
    readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    readonly TcpClient _client = new();

    public WatchCommandTests()
    {
        _listener.Start();
        _client.Connect((IPEndPoint)_listener.LocalEndpoint);
    }

    string Port => ((IPEndPoint)_listener.LocalEndpoint).Port.ToString(CultureInfo.InvariantCulture);

    public void Dispose()
    {
        _client.Dispose();
        _listener.Dispose();
    }

    [LinuxFact]
    public void Watch_Json_IsADocumentALineThatHoldsToItsSchema()
    {
        string[] lines = Run("watch", "--match", "port", Port, "--interval", "1h", "--for", "50ms", "--json")
            .Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(2, lines.Length); // at the beginning and at the end
        JsonSchema schema = JsonSchema.Read("watch.json");
        Assert.All(lines, line => Assert.Empty(schema.Check(line)));
        Assert.Null(JsonNode.Parse(lines[0])!["intervalSeconds"]);
        Assert.Equal(2, JsonNode.Parse(lines[^1])!["connections"]!.AsArray().Count);
    }

    [Fact]
    public void Watch_IntervalTooShort_SaysWhichIsNot()
    {
        using StringWriter error = new();
        Assert.Equal(ExitCode.Usage, new CommandLine(TextWriter.Null, error).Run(["watch", "--interval", "10ms"]));
        Assert.StartsWith("tcpdiag: --interval: expected a time from 100ms to a day such as 10s, 200ms or 2min, found '10ms'", error.ToString(),
            StringComparison.Ordinal);
    }

    [LinuxFact]
    public void Watch_Redirected_PrintsPlainTables()
    {
        string output = Run("watch", "--match", $"dst port {Port}", "--for", "50ms");
        Assert.DoesNotContain('\u001b', output);
        Assert.Contains($"127.0.0.1:{Port}", output, StringComparison.Ordinal);
        Assert.All(output.Split('\n'), line => Assert.InRange(line.Length, 0, 80));
    }

    [LinuxFact("kill")]
    public async Task Watch_Interrupted_EndsCleanly()
    {
        using var patience = new CancellationTokenSource(Patience.Limit);
        ProcessStartInfo start = new("dotnet", [Path.Combine(AppContext.BaseDirectory, "tcpdiag.dll"), "watch", "--json", "--interval", "100ms"])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            UseShellExecute = false,
        };
        using Process watch = Process.Start(start)!;
        Assert.NotNull(await watch.StandardOutput.ReadLineAsync(patience.Token));
        using Process kill = Process.Start("kill", ["-INT", watch.Id.ToString(CultureInfo.InvariantCulture)]);
        string rest = await watch.StandardOutput.ReadToEndAsync(patience.Token);
        await watch.WaitForExitAsync(patience.Token);
        Assert.Equal((ExitCode.Done, string.Empty), (watch.ExitCode, await watch.StandardError.ReadToEndAsync(patience.Token)));
        Assert.True(rest.Length == 0 || rest.EndsWith('\n'));
    }

    [Fact]
    public void Watch_WrongMatch_IsWrongUsage()
    {
        var error = new StringWriter();
        Assert.Equal(ExitCode.Usage, new CommandLine(new StringWriter(), error).Run(["watch", "--match", "nonsense", "--for", "1ms"]));
        Assert.Contains("match, word 1", error.ToString(), StringComparison.Ordinal);
    }

    static string Run(params string[] args)
    {
        var output = new StringWriter();
        var error = new StringWriter();
        Assert.True(new CommandLine(output, error).Run(args) == ExitCode.Done, error.ToString());
        return output.ToString();
    }
}
