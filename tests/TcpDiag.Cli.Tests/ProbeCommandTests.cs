using System;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Text.Json;
using System.Threading;
using TcpDiag.Cli.Probe;
using TcpDiag.Lab.Probing;
using TcpDiag.Platform.Linux;
using TcpDiag.Probe.Profiles;
using TcpDiag.Probe.Receiving;
using TcpDiag.Probe.Results;
using TcpDiag.Testing;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary><c>tcpdiag probe</c>: its options, its text and JSON, and this machine's own TCP as the sender.</summary>
public sealed class ProbeCommandTests
{
    static readonly ProbeReading Window = ProbeReading.Of("reo_wnd without DSACK", "min_RTT", new Interval(0.24, 0.27), 4, "0.25");

    static readonly ProbeReading Missing =
        ProbeReading.Missing("recoveries for which the grown window lasts", "recoveries", "16", "the sender had no more to send");

    static ProbeDocument Document => new(
        ProbeDocument.SchemaName, "staircase", "10.99.0.2:5001", "10.99.0.3:40000", 40_000_000, 60_000, 40_060_000, 41_000_000, 11_100_000_000, 4052, 0,
        IsComplete: false, "the sender had no more to send", "It waits 0.25 min_RTT.", [Window, Missing]);

    [Fact]
    public void Json_HoldsToItsSchema() =>
        Assert.Empty(JsonSchema.Read("probe.json").Check(JsonSerializer.Serialize(Document, ProbeJson.Default.ProbeDocument)));

    [Fact]
    public void Text_ShowsReadingsAndWhatIsMissing()
    {
        StringWriter output = new();
        ProbeText.Write(output, Document);
        string[] lines = output.ToString().Split(Environment.NewLine);
        Assert.Contains("reo_wnd without DSACK, min_RTT                 0.26  0.24 to 0.27   4  0.25", lines);
        Assert.Contains("Ended early: the sender had no more to send.", lines);
        Assert.All(lines, line => Assert.True(line.Length <= 80, line));
        Assert.Contains("recoveries for which the grown window lasts: not read, because the sender had no", lines);
    }

    [Fact]
    public void Text_WithoutASender_IsOneLine()
    {
        StringWriter output = new();
        ProbeText.Write(output, Document with { Sender = null });
        Assert.Equal("No sender connected to 10.99.0.2:5001 in 11.1 s." + Environment.NewLine, output.ToString());
    }

    [Theory]
    [InlineData("--listen", "10.99.0.2")]
    [InlineData("--listen", "10.99.0.2:0")]
    [InlineData("--listen", "fd00::2:5001")]
    [InlineData("--listen", "0.0.0.0:5001")]
    [InlineData("--profile", "rack")]
    [InlineData("--flight", "7")]
    [InlineData("--rtt", "1ms")]
    public void Run_WrongValue_SaysWhatWasExpected(string option, string value)
    {
        StringWriter error = new();
        string[] listen = option is "--listen" ? [] : ["--listen", "10.99.0.2:5001"];
        Assert.Equal(ExitCode.Usage, new CommandLine(TextWriter.Null, error).Run(["probe", .. listen, option, value]));
        Assert.Contains($"{option}: ", error.ToString(), StringComparison.Ordinal);
    }

    // 11 s of a real kernel: its window is (1 + DSACK rounds) · min_RTT/4 and lasts for 16 recoveries (tcp_rack_update_reo_wnd, TCP_RACK_RECOVERY_THRESH).
    [RootFact]
    [Trait("Needs", "time")]
    [SupportedOSPlatform("linux")]
    public void Staircase_OfThisKernel_ReadsItsWindow()
    {
        ProbeDocument document = Probe("staircase");
        Assert.True(document.IsComplete, document.End);
        Assert.InRange(Find(document, "reo_wnd without DSACK").Value!.Value, 0.25 - 0.0625, 0.25 + 0.0625); // a quarter of a step
        Assert.InRange(Find(document, "recoveries for which the grown window lasts").Value!.Value, 16, 16);
    }

    [RootFact]
    [Trait("Needs", "time")]
    [SupportedOSPlatform("linux")]
    public void Tails_OfThisKernel_AreProbedAfterTwiceSrtt()
    {
        ProbeDocument document = Probe("tlp");
        Assert.Equal(1, Find(document, "tails probed with the last segment").Value);
        Assert.InRange(Find(document, "PTO with several segments in flight").Value!.Value, 1.9, 2.2); // 2 · SRTT, and the kernel's tick
    }

    [SupportedOSPlatform("linux")]
    static ProbeDocument Probe(string profile)
    {
        string name = $"probe-{Environment.ProcessId}-{profile}";
        NetworkNamespace.Create(name);
        try
        {
            return NetworkNamespace.Run(name, () =>
            {
                Endpoint listen = new(IpAddress.FromIpv4(0x0A63_0002), 5001);
                using ProbeRun run = new(new ProbeRunSettings(listen, ProbeProfiles.Create(profile), new ProbeSettings(), TimeSpan.FromSeconds(60)));
                Thread sender = new(() => Upload(new IPEndPoint(IPAddress.Parse("10.99.0.2"), listen.Port)));
                sender.Start();
                ProbeDocument document = run.Run(CancellationToken.None);
                sender.Join();
                return document;
            });
        }
        finally
        {
            NetworkNamespace.Delete(name);
        }
    }

    // Until the probe resets the connection.
    static void Upload(IPEndPoint probe)
    {
        using Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { SendBufferSize = 4_000_000 };
        try
        {
            socket.Connect(probe);
            byte[] data = new byte[65_536];
            while (true)
            {
                socket.Send(data);
            }
        }
        catch (SocketException)
        {
            // It ends like this.
        }
    }

    static ProbeReading Find(ProbeDocument document, string name) =>
        document.Readings.Single(reading => string.Equals(reading.Name, name, StringComparison.Ordinal));
}
