using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using System.Text.Json;
using System.Threading.Tasks;
using TcpDiag.Shim.Tests;
using TcpDiag.Testing;
using TcpDiag.Traces.Bundles;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary>
/// docs/two-builds.md from its first to its last command: two sending machines that differ in a setting, a machine in the middle that emulates the path, a
/// receiver; then their comparison.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class TwoBuildsTests : IDisposable
{
    const string Matrix = """
        name: two
        iterations: 2
        path: { rate: 20mbit, rtt: 20ms, buffer: 1bdp, loss: "out:every:40", limit: 10s }
        flow: { bytes: 200kb }
        capture: { between: yes }
        sides: { build: {} }
        """;

    static readonly string Program = Path.Join(AppContext.BaseDirectory, "tcpdiag.dll");

    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-two-").FullName;

    public TwoBuildsTests()
    {
        File.WriteAllText(PathOf("secret"), "correct horse");
        File.WriteAllText(PathOf("two.yaml"), Matrix);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [RootFact("ip")]
    public void Walk_TwoSendersInTurn_AreComparedByPairs()
    {
        using TwoBuildsNetwork network = new();
        ExternalProgram.Run("ip", "netns", "exec", network.Other, "sysctl", "-q", "-w", "net.ipv4.tcp_sack=0");
        string middleAddress = TwoBuildsNetwork.MiddleAddress + ":5203";
        string serverAddress = network.ServerAddress + ":5202";
        using Process middle = Serve(network.Middle, middleAddress, "--bridge", MiddleNetwork.Near, MiddleNetwork.Far);
        using Process server = Serve(network.Server, serverAddress, "--senders", "2");
        Task<ProgramResult> one = Task.Run(() => Send(network.One, "one", serverAddress, middleAddress));
        Task<ProgramResult> other = Task.Run(() => Send(network.Other, "other", serverAddress, middleAddress));
        Assert.Equal((0, 0), (one.Result.ExitCode, other.Result.ExitCode));
        string[] served = LabServer.End(server);
        string[] emulated = LabServer.End(middle);

        // Never twice in a row from one machine, at either place.
        Assert.Equal(4, served.Length);
        Assert.All(served.Zip(served.Skip(1)), pair => Assert.NotEqual(pair.First.Split(':')[0], pair.Second.Split(':')[0]));
        Assert.All(emulated, line => Assert.EndsWith($" to {network.ServerAddress}.", line, StringComparison.Ordinal));
        Assert.All(Results("one").Concat(Results("other")), AssertEmulated);
        Assert.Equal(("1", "0"), (SettingOf("one", "tcp_sack"), SettingOf("other", "tcp_sack")));
        using JsonDocument comparison = JsonDocument.Parse(Run("compare", PathOf("one"), PathOf("other"), "--json"));
        Assert.Contains("\"pairs\":2", comparison.RootElement.GetRawText().Replace(" ", string.Empty, StringComparison.Ordinal), StringComparison.Ordinal);
    }

    // Every packet of the run went through the machine in the middle, and what that left is here.
    void AssertEmulated(JsonElement result)
    {
        JsonElement figures = result.GetProperty("link").GetProperty("figures");
        Assert.Equal(JsonValueKind.Null, result.GetProperty("fault").ValueKind);
        Assert.True(figures.GetProperty("dropped").GetInt64() >= 3);
        Assert.True(result.GetProperty("analysis").GetProperty("minRttNs").GetInt64() >= 20_000_000);
        Assert.StartsWith("Linux ", result.GetProperty("senderSystem").GetString(), StringComparison.Ordinal);
        Assert.StartsWith("Linux ", result.GetProperty("receiverSystem").GetString(), StringComparison.Ordinal);
    }

    JsonElement[] Results(string name)
    {
        string text = File.ReadAllText(PathOf(name, "run.json"));
        Assert.Empty(JsonSchema.Read("lab.json").Check(text));
        JsonElement[] results = [.. JsonDocument.Parse(text).RootElement.GetProperty("results").EnumerateArray()];
        foreach (JsonElement result in results)
        {
            string folder = PathOf(name, result.GetProperty("folder").GetString()!);
            string[] files = ["between.pcapng", "decisions.tdil", "receiver.pcapng", "receiver-system.json", "sender.pcapng", "sender-system.json"];
            Assert.All(files, file => Assert.True(new FileInfo(Path.Join(folder, file)).Length > 0, file));
        }

        return results;
    }

    string SettingOf(string name, string setting)
    {
        SystemSnapshot snapshot = JsonSerializer.Deserialize(
            File.ReadAllText(PathOf(name, "001", "build", "001", "sender-system.json")), SnapshotJson.Default.SystemSnapshot)!;
        return snapshot.Sections.Single(section => section.Name is "sysctls").Facts
            .Single(fact => $"{fact.Subject}{fact.Name}".EndsWith(setting, StringComparison.Ordinal)).Value;
    }

    ProgramResult Send(string place, string name, string server, string middle) => ExternalProgram.TryRun(
        "ip",
        [
            "netns", "exec", place, "dotnet", Program, "lab", "run", PathOf("two.yaml"), "--peer", server, "--middle", middle, "--token-file", PathOf("secret"),
            "--out", PathOf(name),
        ],
        Patience.Limit);

    Process Serve(string place, string address, params string[] options) => LabServer.Start(place, ["dotnet", Program], address, PathOf("secret"), options);

    static string Run(params string[] words)
    {
        using StringWriter output = new();
        using StringWriter error = new();
        new CommandLine(output, error).Run(words);
        return output.ToString();
    }

    string PathOf(params string[] parts) => Path.Join([_folder, .. parts]);
}
