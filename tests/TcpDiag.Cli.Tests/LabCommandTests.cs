using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using System.Text.Json;
using System.Threading;
using TcpDiag.Cli.Tests.Faults;
using TcpDiag.Testing;
using TcpDiag.Traces.Inspection;
using Xunit;

namespace TcpDiag.Cli.Tests;

[SupportedOSPlatform("linux")]
public sealed class LabCommandTests : IDisposable
{
    const string SizeOfSmoke = "0.2";

    const string Traffic = """
        path: { rate: 50mbit, rtt: 5ms, limit: 50ms }
        flow: { bytes: 100kb }
        sides:
          several: { flows: 3, bytes: 50kb }
          bursts: { bytes: 80kb, bursts: 20kb/100ms }
          paced: { bytes: 400kb, pacing: 4mbit }
          pause: { receive-buffer: 16kib, pause: 20kb/500ms }
        """;

    readonly StringWriter _output = new();
    readonly StringWriter _error = new();
    readonly string _out = Directory.CreateTempSubdirectory("tcpdiag-lab").FullName;

    [Theory]
    [InlineData("lab run smoke --scale 2", "--scale: expected a number above 0 and at most 1, found '2'")]
    [InlineData("lab run smoke --scale 0,1", "--scale: expected a number above 0 and at most 1, found '0,1'")]
    [InlineData("lab run smoke --iterations 0", "--iterations: expected 1 to 1000")]
    [InlineData("lab run nosuch", "MATRIX: expected one of limits, peer, s1, s2, s2-late, s2-reorder, s3, s4, smoke, varied, wan, or a YAML file; found "
        + "'nosuch'")]
    [InlineData("lab run peer --peer 192.0.2.7:5202", "--peer: the secret of lab serve is needed too: --token-file FILE")]
    [InlineData("lab run peer --token-file x --peer 192.0.2.7", "--peer: expected HOST:PORT such as 192.0.2.7:5202, found '192.0.2.7'")]
    [InlineData("lab run peer --token-file x --peer 192.0.2.7:+1", "--peer: expected HOST:PORT such as 192.0.2.7:5202, found '192.0.2.7:+1'")]
    [InlineData("lab serve --listen ::1:5202:x", "--listen: expected HOST:PORT such as 192.0.2.7:5202, found '::1:5202:x'")]
    public void Run_WrongOptions_AreWrongUsage(string line, string message)
    {
        Assert.Equal(ExitCode.Usage, Run(line.Split(' ')));
        Assert.StartsWith($"tcpdiag: {message}", _error.ToString(), StringComparison.Ordinal);
    }

    [RootFact]
    public void Run_Smoke_KernelAnalysisAndReceiverAgree()
    {
        int code = Run("lab", "run", "smoke", "--scale", SizeOfSmoke, "--iterations", "1", "--out", _out, "--json");
        string document = _output.ToString();
        AssertOnlyProgress();

        // A busy machine may make a run void; what was counted holds all the same.
        Assert.True(code is ExitCode.Done or ExitCode.CheckFailed);
        Assert.Empty(JsonSchema.Read("lab.json").Check(document));
        JsonElement[] results = [.. JsonDocument.Parse(document).RootElement.GetProperty("results").EnumerateArray()];
        Assert.Equal(4, results.Length);
        Assert.All(results, AssertAgrees);
        AssertNothingIsLeft();
    }

    [RootFact]
    public void Run_Again_KeepsWhatIsFinished()
    {
        string[] line = ["lab", "run", WriteMatrix("bytes: 20kb", "rtt: 5ms, limit: 1s"), "--out", _out];
        Run(line);
        string result = Directory.GetFiles(_out, "result.json", SearchOption.AllDirectories).Single();
        DateTime written = File.GetLastWriteTimeUtc(result);
        Run(line);

        Assert.Equal(written, File.GetLastWriteTimeUtc(result));
        Assert.Contains("1 run in", _output.ToString(), StringComparison.Ordinal);
    }

    [RootFact]
    public void Run_ReceiverCloses_IsNotComplete()
    {
        Run("lab", "run", WriteMatrix("{bytes: 1mb, read-rate: 1mbit, close-after: 2s}"), "--out", _out, "--json");
        JsonElement result = JsonDocument.Parse(_output.ToString()).RootElement.GetProperty("results").EnumerateArray().Single();

        Assert.Equal("closed", result.GetProperty("receiver").GetProperty("outcome").GetString());
        Assert.Contains(result.GetProperty("sender").GetProperty("outcome").GetString(), (string[])["closed", "reset"]);
        Assert.InRange(Number(result.GetProperty("receiver"), "bytes"), 1, 500_000);
    }

    [RootFact]
    public void Run_TrafficOfEveryKind_DoesWhatItsSettingsSay()
    {
        string matrix = Path.Combine(_out, "traffic.yaml");
        File.WriteAllText(matrix, Traffic);
        Run("lab", "run", matrix, "--out", _out, "--retries", "0", "--jobs", "2", "--json");
        AssertOnlyProgress();
        JsonElement[] results = [.. JsonDocument.Parse(_output.ToString()).RootElement.GetProperty("results").EnumerateArray()];
        JsonElement Side(string name) => results.Single(result => string.Equals(result.GetProperty("side").GetString(), name, StringComparison.Ordinal));

        Assert.All(results, result => Assert.Equal("complete", result.GetProperty("sender").GetProperty("outcome").GetString()));
        Assert.Empty(JsonSchema.Read("lab.json").Check(_output.ToString()));
        Assert.Equal([50_000, 50_000, 50_000],
            Side("several").GetProperty("flows").EnumerateArray().Select(flow => Number(flow.GetProperty("receiver"), "bytes")));
        Assert.Equal(150_000, Number(Side("several").GetProperty("analysis"), "uniqueBytes"));

        // 4 bursts of 20 kB, 100 ms apart, end after 300 ms, less what the two programs' clocks differ by; 400 kB at 4 Mbit/s take 800 ms, less the ten
        // segments that are not paced; the pause is one of 500 ms.
        Assert.InRange(Number(Side("bursts"), "durationNs"), 250e6, 5e9);
        Assert.InRange(Number(Side("paced"), "goodputBitsPerSecond"), 1e5, 4.5e6);
        Assert.InRange(Number(Side("pause"), "durationNs"), 450e6, 5e9);
        Assert.True(Number(Side("pause").GetProperty("sender").GetProperty("kernel"), "rcvWndLimitedUs") > 200_000);
    }

    [RootFact("tshark")]
    public void Run_PathWithLossBehindThePoint_IsWholeBetween()
    {
        string matrix = Path.Combine(_out, "between.yaml");
        File.WriteAllText(matrix, "path: {rtt: 5ms, loss: \"behind:out:list:11+12\"}\nflow: {bytes: 100kb, family: ipv6}\ncapture: {between: yes}\nsides: "
            + "{only: {}}\n");
        Run("lab", "run", matrix, "--out", _out, "--retries", "0");

        AssertOnlyProgress();
        int sent = CountSegments("sender", "ipv6.src == fdc9::/16 && tcp.len > 0");
        Assert.Equal(sent, CountSegments("between", "tcp.len > 0"));
        Assert.Equal(sent - 2, CountSegments("receiver", "tcp.len > 0"));
    }

    [RootFact("kill")]
    public void Run_Interrupted_LeavesNothingAndGoesOnWhereItWas()
    {
        // No delay is late enough to void the first run: that would be made again.
        string[] line = ["lab", "run", WriteMatrix("{bytes: 20mb, read-rate: 20mbit, close-after: 2s}", "rtt: 5ms, limit: 10s"), "--iterations", "2",
            "--retries", "0", "--out", _out];
        using (Process lab = Start(line))
        {
            Assert.True(SpinWait.SpinUntil(() => Directory.GetFiles(_out, "sender.tsv", SearchOption.AllDirectories).Length > 1, Patience.Limit));
            ExternalProgram.Run("kill", "-INT", lab.Id.ToString(CultureInfo.InvariantCulture));
            Assert.True(lab.WaitForExit(Patience.Limit));
            Assert.Equal(ExitCode.Interrupted, lab.ExitCode);
        }

        string first = Directory.GetFiles(_out, "result.json", SearchOption.AllDirectories).Single();
        DateTime written = File.GetLastWriteTimeUtc(first);
        AssertNothingIsLeft();
        Assert.DoesNotContain(Processes(), text => text.Contains(_out, StringComparison.Ordinal));
        Assert.False(ReadRun().GetProperty("isComplete").GetBoolean());

        Run(line);
        Assert.True(ReadRun().GetProperty("isComplete").GetBoolean());
        Assert.Equal(written, File.GetLastWriteTimeUtc(first));
    }

    [RootFact]
    public void Run_Peer_ReceivesOverThePathThereIs()
    {
        string secret = Path.Combine(_out, "secret");
        File.WriteAllText(secret, "correct horse");
        string matrix = Path.Combine(_out, "peer.yaml");
        File.WriteAllText(matrix, "flow: {bytes: 300kb, flows: 2}\nsides: {only: {}}\n");
        using Process server = Start("lab", "serve", "--listen", "127.0.0.1:0", "--token-file", secret, "--for", "60s");
        string address = server.StandardOutput.ReadLine()!["listening at ".Length..];

        Run("lab", "run", matrix, "--peer", address, "--token-file", secret, "--out", _out, "--json");
        AssertOnlyProgress();
        Assert.Empty(JsonSchema.Read("lab.json").Check(_output.ToString()));
        JsonElement result = ReadRun().GetProperty("results").EnumerateArray().Single();
        Assert.Equal(600_000, Number(result.GetProperty("receiver"), "bytes"));
        Assert.Equal(600_000, Number(result.GetProperty("analysis"), "uniqueBytes"));
        AssertCame(result, "receiver.pcapng");
        Assert.EndsWith(": received 600000 bytes.", server.StandardOutput.ReadLine(), StringComparison.Ordinal);

        Assert.Equal(ExitCode.Failed, Run("lab", "run", "smoke", "--peer", address, "--token-file", secret, "--out", Path.Combine(_out, "other")));
        Assert.Contains("stack: two machines have stacks and addresses of their own.", _error.ToString(), StringComparison.Ordinal);
        server.Kill();
        server.WaitForExit();
    }

    // Over the loopback device: what arrives at the port is delayed, at either end, since both are here.
    [RootFact]
    public void Run_PeerWithAPath_EmulatesItAtTheReceiver()
    {
        string secret = Path.Combine(_out, "secret");
        File.WriteAllText(secret, "correct horse");
        string matrix = Path.Combine(_out, "peer.yaml");
        File.WriteAllText(matrix, "path: {delay: \"out:20ms\", limit: 1s}\nflow: {bytes: 100kb}\nsides: {only: {}}\n");
        using Process server = Start("lab", "serve", "--listen", "127.0.0.1:0", "--token-file", secret, "--for", "60s");
        string address = server.StandardOutput.ReadLine()!["listening at ".Length..];

        Run("lab", "run", matrix, "--peer", address, "--token-file", secret, "--out", _out, "--json");
        server.Kill();
        server.WaitForExit();
        JsonElement result = ReadRun().GetProperty("results").EnumerateArray().Single();

        AssertOnlyProgress();
        Assert.Empty(JsonSchema.Read("lab.json").Check(_output.ToString()));
        Assert.Equal(100_000, Number(result.GetProperty("receiver"), "bytes"));
        Assert.True(Number(result.GetProperty("link").GetProperty("figures"), "offered") > 0);
        Assert.True(Number(result.GetProperty("sender").GetProperty("kernel"), "minRttUs") >= 20_000);
        AssertCame(result, "decisions.tdil", "receiver.pcapng");
    }

    // What the peer recorded is here, and whole.
    void AssertCame(JsonElement result, params string[] files)
    {
        string folder = Path.Combine(_out, result.GetProperty("folder").GetString()!);
        Assert.Equal(files, Directory.GetFiles(folder).Select(file => Path.GetFileName(file)).Where(file => files.Contains(file)).Order(
            StringComparer.Ordinal));
        Assert.Equal(Number(result.GetProperty("receiverCapture"), "packets"), TraceInspector.Inspect(Path.Combine(folder, "receiver.pcapng")).Packets);
    }

    [RootFact]
    public void Run_Killed_NextStartRemovesWhatItLeft()
    {
        using (Process lab = Start("lab", "run", WriteMatrix("{bytes: 20mb, read-rate: 1mbit}"), "--out", _out))
        {
            Assert.True(SpinWait.SpinUntil(() => Directory.GetFiles(_out, "sender.tsv", SearchOption.AllDirectories).Length > 0, Patience.Limit));
            lab.Kill();
            lab.WaitForExit();
        }

        Run("lab", "run", WriteMatrix("bytes: 20kb"), "--out", Path.Combine(_out, "next"));

        AssertOnlyProgress();
        AssertNothingIsLeft();
        Assert.DoesNotContain(Processes(), line => line.Contains(_out, StringComparison.Ordinal));
    }

    public void Dispose() => Directory.Delete(_out, recursive: true);

    static void AssertAgrees(JsonElement result)
    {
        JsonElement kernel = result.GetProperty("sender").GetProperty("kernel");
        JsonElement analysis = result.GetProperty("analysis");
        double bytes = Number(result.GetProperty("sender"), "bytes");

        // smoke's 2 MB × 0.2.
        Assert.Equal(400_000, bytes);
        Assert.Equal(bytes, Number(result.GetProperty("receiver"), "bytes"));
        Assert.Equal(bytes, Number(analysis, "uniqueBytes"));
        Assert.Equal(Number(kernel, "dataSegmentsOut"), Number(analysis, "wireSegments"));
        Assert.Equal(Number(kernel, "bytesSent"), Number(analysis, "payloadBytes"));
        Assert.Equal(Number(kernel, "retransmissions"), Number(analysis, "retransmissions"));
        Assert.Equal(Number(kernel, "dsacks"), Number(analysis, "dsacks"));

        // The analysis ends half a round trip later, with the last acknowledgment: 10 ms of at least 160 ms. The programs begin before their first segment and
        // end behind the last, on a busy machine by more.
        Assert.InRange(Number(analysis, "goodputBitsPerSecond") / Number(result, "goodputBitsPerSecond"), 0.8, 1.5);
    }

    // What tests beside this one have killed goes with their next start; our own would stay.
    static void AssertNothingIsLeft() =>
        Assert.True(SpinWait.SpinUntil(() => Inventory.AbandonedNamespaces().Length == 0, Patience.Limit), "namespaces are left");

    JsonElement ReadRun() => JsonDocument.Parse(File.ReadAllText(Path.Combine(_out, "run.json"))).RootElement;

    int CountSegments(string point, string filter)
    {
        string file = Directory.GetFiles(_out, $"{point}.pcapng", SearchOption.AllDirectories).Single();
        return ExternalProgram.Run("tshark", "-r", file, "-Y", filter, "-T", "fields", "-e", "frame.number")
            .Output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length;
    }

    // A line for each run that begins, and nothing to complain of.
    void AssertOnlyProgress()
    {
        string[] lines = _error.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.NotEmpty(lines);
        Assert.All(lines, line => Assert.Matches("^[0-9]+/[0-9]+ done(, [0-9]+ (s|min|h) left)?: [^ ]+/00[0-9]\r?$", line));
    }

    static double Number(JsonElement element, string name) => element.GetProperty(name).GetDouble();

    string WriteMatrix(string flow, string path = "rtt: 5ms")
    {
        string file = Path.Combine(_out, "matrix.yaml");
        File.WriteAllText(file, $"path: {{{path}}}\nflow: {(flow.StartsWith('{') ? flow : $"{{{flow}}}")}\nsides: {{only: {{}}}}\n");
        return file;
    }

    static string[] Processes() =>
        [.. Directory.GetDirectories("/proc").Select(folder => Path.Combine(folder, "cmdline")).Where(File.Exists).Select(ReadOrNothing)];

    // A process may end between listing and reading.
    static string ReadOrNothing(string path)
    {
        try
        {
            return File.ReadAllText(path);
        }
        catch (IOException)
        {
            return string.Empty;
        }
    }

    static Process Start(params string[] arguments) =>
        Process.Start(new ProcessStartInfo("dotnet", [Path.Combine(AppContext.BaseDirectory, "tcpdiag.dll"), .. arguments])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            UseShellExecute = false
        })!;

    int Run(params string[] args) => new CommandLine(_output, _error).Run(args);
}
