using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using System.Text.Json;
using TcpDiag.Capture.StandIns;
using TcpDiag.Shim.Tests;
using TcpDiag.Testing;
using TcpDiag.Traces.Inspection;
using Xunit;

namespace TcpDiag.Wine.Tests;

/// <summary>
/// Experiments of which one end or both are of the win-x64 build, with real TCP: a stand-in for netsh records there what tcpdump sees, a stand-in for
/// WinDivert diverts what goes through TUN devices. At the Linux end the kernel's means do both.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class LabTests : IDisposable
{
    // Several processes and Wine's server take turns on every packet: on a busy machine they are late, and nothing else is wrong.
    const string Matrix = """
        path: { delay: 5ms, loss: "out:list:3", limit: 1s }
        flow: { bytes: 100kb }
        iterations: 1
        sides:
          one: {}
          two: { bytes: 50kb }
        """;

    static readonly string Here = Path.Join(AppContext.BaseDirectory, "tcpdiag");

    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-wine-lab-").FullName;
    readonly MachineState _machine;

    public LabTests()
    {
        _machine = new(Directory.CreateDirectory(PathOf("machine")).FullName);
        _machine.Script("packets", WineProgram.There(PathOf("tap.pcap")));
        File.WriteAllText(PathOf("secret"), "correct horse");
        File.WriteAllText(PathOf("matrix.yaml"), Matrix);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [WineRootFact]
    public void Run_PeerOnLinux_RecordsAtBothEndsOfAnEmulatedPath()
    {
        using PacketTap tap = new(PathOf("tap.pcap"));
        AssertRecorded(Run(), "sender.etl", "receiver.pcapng");
    }

    [LinkFact]
    public void Serve_SenderOnLinux_RecordsAtBothEndsOfAnEmulatedPath()
    {
        using LinkNamespaces hosts = new(isIpv6: false);
        using StandInBridge bridge = new(hosts);
        using WinePrefix wine = new(hosts.FarName);
        using PacketTap tap = new(PathOf("tap.pcap"), "link0", "ip", "netns", "exec", hosts.FarName);
        string[] serve = ["lab", "serve", "--listen", $"{hosts.FarAddress}:0", "--token-file", There("secret"), "--for", "5min"];
        using Process server = WineProgram.Start(() => wine.Start("winehost", [FormattableString.Invariant($"STANDIN_PORT={bridge.Port}")],
            [.. Own(), .. serve]), out string? begin);
        string address = begin!["listening at ".Length..];
        string[] run = ["lab", "run", PathOf("matrix.yaml"), "--peer", address, "--token-file", PathOf("secret"), "--out", PathOf("out"), "--json"];
        ProgramResult result = ExternalProgram.TryRun("ip", ["netns", "exec", hosts.NearName, Here, .. run], Patience.Limit);

        AssertRecorded(result, "sender.pcapng", "receiver.etl");
        Assert.DoesNotContain(bridge.Notes, note => note.StartsWith("wrong", StringComparison.Ordinal));
        Assert.Contains(bridge.Notes, note => note.StartsWith("close 0", StringComparison.Ordinal));
    }

    // No packets but those of one machine's loopback device, which its own recorder has; the driver is not asked for.
    [WineRootFact]
    public void Run_OwnEnds_SendsBetweenTwoAddresses()
    {
        File.WriteAllText(PathOf("matrix.yaml"), "flow: {bytes: 100kb}\niterations: 1\nsides: {only: {}}\n");
        using PacketTap tap = new(PathOf("tap.pcap"));
        ProgramResult run = WineProgram.Run("winehost", [.. Own(), "lab", "run", There("matrix.yaml"), "--ends", "127.0.0.1+127.0.0.2", "--out", There("out"),
            "--json"]);
        using JsonDocument document = JsonDocument.Parse(run.Output);
        JsonElement result = document.RootElement.GetProperty("results").EnumerateArray().Single();

        Assert.Equal("127.0.0.1+127.0.0.2", document.RootElement.GetProperty("peer").GetString());
        Assert.StartsWith("Windows ", document.RootElement.GetProperty("kernel").GetString(), StringComparison.Ordinal);
        Assert.Equal(100_000, result.GetProperty("receiver").GetProperty("bytes").GetInt64());
        Assert.Equal(100_000, result.GetProperty("analysis").GetProperty("uniqueBytes").GetInt64());
        Assert.Equal(JsonValueKind.Null, result.GetProperty("receiverCapture").ValueKind);
        AssertClean();
    }

    void AssertRecorded(ProgramResult run, string atSender, string atReceiver)
    {
        // Nothing but the progress.
        Assert.All(run.Error.Split('\n', StringSplitOptions.RemoveEmptyEntries), line => Assert.Contains("/2 done", line, StringComparison.Ordinal));
        JsonElement[] results = [.. JsonDocument.Parse(run.Output).RootElement.GetProperty("results").EnumerateArray()];
        Assert.All(results, result => Assert.True(result.GetProperty("receiver").ValueKind is JsonValueKind.Object, result.GetProperty("fault").GetString()));
        Assert.Equal([100_000, 50_000], results.Select(result => result.GetProperty("receiver").GetProperty("bytes").GetInt64()));
        foreach (JsonElement result in results)
        {
            AssertRecorded(result, atSender, atReceiver);
        }

        AssertClean();
    }

    void AssertClean()
    {
        Assert.Empty(_machine.Sessions());
        Assert.Empty(Directory.EnumerateFileSystemEntries(PathOf("captures")));
    }

    // The one packet that the path dropped was sent again; both captures and the decision log are here, whoever made them.
    void AssertRecorded(JsonElement result, string atSender, string atReceiver)
    {
        long bytes = result.GetProperty("receiver").GetProperty("bytes").GetInt64();
        Assert.Equal(bytes, result.GetProperty("analysis").GetProperty("uniqueBytes").GetInt64());
        Assert.Equal(1, result.GetProperty("link").GetProperty("figures").GetProperty("dropped").GetInt64());
        Assert.True(result.GetProperty("analysis").GetProperty("retransmissions").GetInt64() >= 1);
        string folder = PathOf("out", result.GetProperty("folder").GetString()!);
        Assert.Equal(result.GetProperty("receiverCapture").GetProperty("packets").GetInt64(), TraceInspector.Inspect(Path.Join(folder, atReceiver)).Packets);
        Assert.Equal(result.GetProperty("senderCapture").GetProperty("packets").GetInt64(), TraceInspector.Inspect(Path.Join(folder, atSender)).Packets);
        Assert.True(new FileInfo(Path.Join(folder, "decisions.tdil")).Length > 0);
    }

    // The experiment's own words, and a peer of this system.
    ProgramResult Run()
    {
        using Process server = Process.Start(new ProcessStartInfo(Here,
            ["lab", "serve", "--listen", "127.0.0.1:0", "--token-file", PathOf("secret"), "--for", "5min"])
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
        })!;
        string address = server.StandardOutput.ReadLine()!["listening at ".Length..];
        ProgramResult run = WineProgram.Run("winehost", [.. Own(), "lab", "run", There("matrix.yaml"), "--peer", address, "--token-file", There("secret"),
            "--out", There("out"), "--json"]);
        server.Kill();
        server.WaitForExit();
        return run;
    }

    string[] Own() => ["cli", There("machine"), There("captures"), WineProgram.There(WineProgram.PathOf("standin"))];

    string There(string name) => WineProgram.There(PathOf(name));

    string PathOf(params string[] parts) => Path.Join([_folder, .. parts]);
}
