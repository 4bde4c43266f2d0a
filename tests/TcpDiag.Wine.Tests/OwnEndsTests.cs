using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using System.Text.Json;
using System.Threading.Tasks;
using TcpDiag.Capture.StandIns;
using TcpDiag.Testing;
using TcpDiag.Traces.Inspection;
using Xunit;

namespace TcpDiag.Wine.Tests;

/// <summary>
/// An experiment of the win-x64 build between two addresses of one machine over an emulated path, whole: real TCP whose packets go through a stand-in for
/// WinDivert, which sees them leaving, both ways; a recorder that sees none of them, only events.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class OwnEndsTests : IDisposable
{
    const int Bytes = 100_000;
    const double Delay = 0.005;

    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-wine-own-").FullName;
    readonly MachineState _machine;

    public OwnEndsTests()
    {
        _machine = new(Directory.CreateDirectory(PathOf("machine")).FullName);
        _machine.Script("netsh-stop", "events-only");

        // Four processes and Wine's server take turns on every packet: on a busy machine they are late, and nothing else is wrong.
        File.WriteAllText(PathOf("matrix.yaml"),
            "path: { delay: 5ms, loss: \"out:list:4\", limit: 1s }\nflow: { bytes: 100kb }\niterations: 1\nsides: { only: {} }\n");
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [LinkFact]
    public void Run_OwnEndsWithAPath_EmulatesItBothWaysAndRecordsOnIt()
    {
        using OwnEndsNetwork network = new();
        using StandInBridge bridge = StandInBridge.OfOwnEnds(network);
        JsonElement result = Run(network, bridge);

        Assert.Equal(JsonValueKind.Null, result.GetProperty("fault").ValueKind);
        Assert.Equal(Bytes, result.GetProperty("receiver").GetProperty("bytes").GetInt64());

        // The fourth packet of the sender was dropped, and nothing else.
        JsonElement figures = result.GetProperty("link").GetProperty("figures");
        Assert.Equal(1, figures.GetProperty("dropped").GetInt64());
        Assert.Equal(figures.GetProperty("offered").GetInt64() - 1, figures.GetProperty("forwarded").GetInt64());

        // 69 segments of 1448 bytes at least, SYN, FIN and acknowledgments; their round trip is the path's.
        string folder = PathOf("out", result.GetProperty("folder").GetString()!);
        Assert.True(TraceInspector.Inspect(Path.Join(folder, "between.pcapng")).Packets > 80);
        Assert.True(new FileInfo(Path.Join(folder, "decisions.tdil")).Length > 0);
        JsonElement analysis = result.GetProperty("analysis");
        Assert.Equal(Bytes, analysis.GetProperty("uniqueBytes").GetInt64());
        Assert.True(analysis.GetProperty("minRttNs").GetInt64() >= Delay * 1e9);

        // What goes between two addresses comes to no card.
        Assert.Equal(0, result.GetProperty("senderCapture").GetProperty("packets").GetInt64());
        Assert.Equal(0, TraceInspector.Inspect(Path.Join(folder, "sender.etl")).Packets);
        Assert.Equal(JsonValueKind.Null, result.GetProperty("receiverCapture").ValueKind);
        AssertClean(bridge);
    }

    JsonElement Run(OwnEndsNetwork network, StandInBridge bridge)
    {
        using WinePrefix wine = new(network.Name);
        string[] own = ["cli", There("machine"), There("captures"), WineProgram.There(WineProgram.PathOf("standin"))];
        string[] run = ["lab", "run", There("matrix.yaml"), "--ends", $"{network.Sender}+{network.Receiver}", "--out", There("out"), "--json"];
        using Process process = wine.Start("winehost", [FormattableString.Invariant($"STANDIN_PORT={bridge.Port}")], [.. own, .. run]);
        Task<string> reading = process.StandardOutput.ReadToEndAsync();
        Assert.True(process.WaitForExit(Patience.Limit), "the experiment did not end");
        string output = reading.GetAwaiter().GetResult();
        Assert.True(process.ExitCode is 0, output);
        using JsonDocument document = JsonDocument.Parse(output);
        Assert.Equal($"{network.Sender}+{network.Receiver}", document.RootElement.GetProperty("peer").GetString());
        return document.RootElement.GetProperty("results").EnumerateArray().Single().Clone();
    }

    void AssertClean(StandInBridge bridge)
    {
        Assert.DoesNotContain(bridge.Notes, note => note.StartsWith("wrong", StringComparison.Ordinal));
        Assert.Contains(bridge.Notes, note => note.StartsWith("close 0", StringComparison.Ordinal));
        Assert.Empty(_machine.Sessions());
        Assert.Empty(Directory.EnumerateFileSystemEntries(PathOf("captures")));
    }

    string There(string name) => WineProgram.There(PathOf(name));

    string PathOf(params string[] parts) => Path.Join([_folder, .. parts]);
}
