using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using System.Text.Json;
using TcpDiag.Capture.StandIns;
using TcpDiag.Shim.Tests;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Wine.Tests;

/// <summary>
/// The walk of docs/two-builds.md with the win-x64 build as both senders, two revisions of Windows under Wine: a Linux machine in the middle emulates the path,
/// another receives, and the runs of both come in turn.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class TwoBuildsTests : IDisposable
{
    // Wine's server takes part in every packet: on a busy machine they are late, and nothing else is wrong.
    const string Matrix = """
        iterations: 2
        path: { rate: 20mbit, rtt: 20ms, buffer: 1bdp, loss: "out:list:4", limit: 1s }
        flow: { bytes: 100kb }
        sides: { build: {} }
        """;

    static readonly TimeSpan Longest = TimeSpan.FromMinutes(4);
    static readonly string Here = Path.Join(AppContext.BaseDirectory, "tcpdiag");

    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-wine-two-").FullName;

    public TwoBuildsTests()
    {
        File.WriteAllText(PathOf("secret"), "correct horse");
        File.WriteAllText(PathOf("two.yaml"), Matrix);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [WineRootFact]
    public void Walk_TwoRevisions_ComeInTurnAndAreNamed()
    {
        using TwoBuildsNetwork network = new();
        using Process middle = Serve(network.Middle, TwoBuildsNetwork.MiddleAddress + ":5203", "--bridge", MiddleNetwork.Near, MiddleNetwork.Far);
        using Process server = Serve(network.Server, network.ServerAddress + ":5202", "--senders", "2");
        using WinePrefix before = new(network.One, revision: 1742);
        using WinePrefix after = new(network.Other, revision: 4061);
        using PacketTap tapBefore = new(PathOf("before.pcap"), "e0", "ip", "netns", "exec", network.One);
        using PacketTap tapAfter = new(PathOf("after.pcap"), "e0", "ip", "netns", "exec", network.Other);
        using Process runBefore = Send(before, "before", network.ServerAddress);
        using Process runAfter = Send(after, "after", network.ServerAddress);
        Assert.True(runBefore.WaitForExit(Longest) && runAfter.WaitForExit(Longest));
        string[] served = LabServer.End(server);

        Assert.All(served.Zip(served.Skip(1)), pair => Assert.NotEqual(pair.First.Split(':')[0], pair.Second.Split(':')[0]));
        AssertRuns("before", ".1742");
        AssertRuns("after", ".4061");
        string comparison = ExternalProgram.Run(Here, "compare", PathOf("before"), PathOf("after")).Output;
        Assert.Contains("runs of the same iteration and seed are compared with each other", comparison, StringComparison.Ordinal);
        Assert.Contains(".1742 to Linux ", comparison.ReplaceLineEndings(" "), StringComparison.Ordinal);
        Assert.Contains(".4061 to Linux ", comparison.ReplaceLineEndings(" "), StringComparison.Ordinal);
        LabServer.End(middle);
    }

    // Each lost its fourth packet in the middle and sent it again; traces of both ends and the log of the path are there.
    void AssertRuns(string name, string revision)
    {
        JsonElement run = JsonDocument.Parse(File.ReadAllText(PathOf(name, "run.json"))).RootElement;
        JsonElement[] results = [.. run.GetProperty("results").EnumerateArray()];
        Assert.EndsWith(revision, run.GetProperty("kernel").GetString(), StringComparison.Ordinal);
        Assert.Equal(2, results.Length);
        foreach (JsonElement result in results)
        {
            Assert.Equal(100_000, result.GetProperty("receiver").GetProperty("bytes").GetInt64());
            Assert.Equal(1, result.GetProperty("link").GetProperty("figures").GetProperty("dropped").GetInt64());
            Assert.True(result.GetProperty("analysis").GetProperty("retransmissions").GetInt64() >= 1);
            Assert.EndsWith(revision, result.GetProperty("senderSystem").GetString(), StringComparison.Ordinal);
            Assert.StartsWith("Linux ", result.GetProperty("receiverSystem").GetString(), StringComparison.Ordinal);
            string folder = PathOf(name, result.GetProperty("folder").GetString()!);
            string[] files = ["sender.etl", "receiver.pcapng", "decisions.tdil", "sender-system.json", "receiver-system.json"];
            Assert.All(files, file => Assert.True(new FileInfo(Path.Join(folder, file)).Length > 0, file));
        }
    }

    Process Send(WinePrefix wine, string name, string server)
    {
        MachineState machine = new(Directory.CreateDirectory(PathOf(name + "-machine")).FullName);
        machine.Script("packets", WineProgram.There(PathOf(name + ".pcap")));
        string[] own = ["cli", There(name + "-machine"), There(name + "-captures"), WineProgram.There(WineProgram.PathOf("standin"))];
        return wine.Start(
            "winehost",
            [],
            [
                .. own, "lab", "run", There("two.yaml"), "--peer", server + ":5202", "--middle", TwoBuildsNetwork.MiddleAddress + ":5203", "--token-file",
                There("secret"), "--out", There(name),
            ]);
    }

    Process Serve(string place, string address, params string[] options) => LabServer.Start(place, [Here], address, PathOf("secret"), options);

    string There(string name) => WineProgram.There(PathOf(name));

    string PathOf(params string[] parts) => Path.Join([_folder, .. parts]);
}
