using System;
using System.IO;
using System.Linq;
using System.Text.Json;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

public class DoctorCommandTests
{
    readonly StringWriter _output = new();
    readonly StringWriter _error = new();

    [Fact]
    [Trait("Needs", "time")]
    public void Doctor_ThisMachine_IsCheckedInEightyColumns()
    {
        Assert.Contains(Run("doctor"), (int[])[ExitCode.Done, ExitCode.CheckFailed]);
        Assert.Contains("tcp-settings", _output.ToString(), StringComparison.Ordinal);
        Assert.All(_output.ToString().Split('\n'), line => Assert.InRange(line.Length, 0, 80));
    }

    [Fact]
    [Trait("Needs", "time")]
    public void Doctor_InGerman_IsGermanThroughout()
    {
        Run("doctor", "--host", "127.0.0.1:9", "--language", "de");
        Assert.Contains("PROBLEM  Verbindung     IPv4 zu 127.0.0.1 Port 9: abgelehnt: dort nimmt niemand", _output.ToString(), StringComparison.Ordinal);
        Assert.DoesNotMatch(@"\b(is|the|not|answers|nothing|problem)\b", _output.ToString());
        Assert.All(_output.ToString().Split('\n'), line => Assert.InRange(line.Length, 0, 80));
    }

    [Fact]
    [Trait("Needs", "time")]
    public void Doctor_Json_HoldsToItsSchema()
    {
        Run("doctor", "--json", "--host", "127.0.0.1:9");
        Assert.Empty(JsonSchema.Read("doctor.json").Check(_output.ToString()));
    }

    [Theory]
    [InlineData("--url", "example.org", "--url: expected http://… or https://…, found 'example.org'")]
    [InlineData("--url", "file:///etc/passwd", "--url: expected http://… or https://…, found 'file:///etc/passwd'")]
    [InlineData("--host", "h:0", "--host: expected HOST, HOST:PORT or [IPV6]:PORT, found 'h:0'")]
    [InlineData("--host", "https://h/", "--host: expected HOST, HOST:PORT or [IPV6]:PORT, found 'https://h/'")]
    [InlineData("--host", "[::1", "--host: expected HOST, HOST:PORT or [IPV6]:PORT, found '[::1'")]
    public void Doctor_WrongTarget_IsWrongUsage(string option, string value, string expected)
    {
        Assert.Equal(ExitCode.Usage, Run("doctor", option, value));
        Assert.Contains(expected, _error.ToString(), StringComparison.Ordinal);
    }

    [RootFact("unshare", "ip", "ethtool", "sysctl")]
    [Trait("Needs", "time")]
    public void Doctor_MachineWithMuchWrong_FindsAllOfIt()
    {
        string program = Path.Join(AppContext.BaseDirectory, "tcpdiag");
        ProgramResult result = ExternalProgram.TryRun("unshare", ["-mn", "sh", ProjectFolder.PathOf("tests", "TcpDiag.Cli.Tests", "doctor.sh"), program]);

        Assert.Equal((ExitCode.CheckFailed, string.Empty), (result.ExitCode, result.Error));
        Assert.Empty(JsonSchema.Read("doctor.json").Check(result.Output));
        using var document = JsonDocument.Parse(result.Output);
        string[] found = [.. document.RootElement.GetProperty("checks").EnumerateArray()
            .Where(check => check.GetProperty("result").GetString() is not "fine")
            .Select(check => $"{check.GetProperty("id").GetString()}: {check.GetProperty("found").GetString()}")];
        Assert.All(
            (string[])
            [
                "names: name server 10.77.0.99: no answer within 2 s",
                "connect: IPv4 to 10.77.0.2 port 8080: refused: nothing listens there",
                "path-mtu: packets to 10.77.0.2 of more than about 1276 bytes vanish without a word; near0 sends up to 1500",
                "adapters: near0: gro is off, which takes the processor several times the work at high rates",
                "tcp-settings: window scaling is off (net.ipv4.tcp_window_scaling = 0)",
            ],
            expected => Assert.Contains(expected, found));
        Assert.Contains(found, line => line.Contains("receive buffer of a connection may have 131072 bytes at most", StringComparison.Ordinal));
    }

    int Run(params string[] args) => new CommandLine(_output, _error).Run(args);
}
