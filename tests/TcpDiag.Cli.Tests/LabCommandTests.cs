using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

public sealed class LabCommandTests : IDisposable
{
    const string SizeOfSmoke = "0.2";

    readonly StringWriter _output = new();
    readonly StringWriter _error = new();
    readonly string _out = Directory.CreateTempSubdirectory("tcpdiag-lab").FullName;

    [Theory]
    [InlineData("lab run smoke --scale 2", "--scale: expected a number above 0 and at most 1")]
    [InlineData("lab run smoke --iterations 0", "--iterations: expected 1 to 1000")]
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
        Assert.Equal(string.Empty, _error.ToString());

        // A busy machine may make a run void; what was counted holds all the same.
        Assert.True(code is ExitCode.Done or ExitCode.CheckFailed);
        Assert.Empty(JsonSchema.Read("lab.json").Check(document));
        JsonElement[] results = [.. JsonDocument.Parse(document).RootElement.GetProperty("results").EnumerateArray()];
        Assert.Equal(4, results.Length);
        Assert.All(results, AssertAgrees);
        Assert.Empty(LeftBehind());
    }

    [RootFact]
    public void Run_Again_KeepsWhatIsFinished()
    {
        string[] line = ["lab", "run", WriteMatrix("bytes: 20kb"), "--out", _out];
        Run(line);
        string result = Directory.GetFiles(_out, "result.json", SearchOption.AllDirectories).Single();
        DateTime written = File.GetLastWriteTimeUtc(result);
        Run(line);

        Assert.Equal(written, File.GetLastWriteTimeUtc(result));
        Assert.Contains("1 runs in", _output.ToString(), StringComparison.Ordinal);
    }

    [RootFact]
    public void Run_ReceiverCloses_IsNotComplete()
    {
        Run("lab", "run", WriteMatrix("{bytes: 1mb, read-rate: 1mbit, close-after: 300ms}"), "--out", _out, "--json");
        JsonElement result = JsonDocument.Parse(_output.ToString()).RootElement.GetProperty("results").EnumerateArray().Single();

        Assert.Equal("closed", result.GetProperty("receiver").GetProperty("outcome").GetString());
        Assert.Contains(result.GetProperty("sender").GetProperty("outcome").GetString(), (string[])["closed", "reset"]);
        Assert.InRange(Number(result.GetProperty("receiver"), "bytes"), 1, 500_000);
    }

    [RootFact]
    public void Run_Killed_NextStartRemovesWhatItLeft()
    {
        using (Process lab = Start("lab", "run", WriteMatrix("{bytes: 20mb, read-rate: 1mbit}"), "--out", _out))
        {
            Assert.True(SpinWait.SpinUntil(() => Directory.GetFiles(_out, "sender.tsv", SearchOption.AllDirectories).Length > 0, TimeSpan.FromSeconds(30)));
            lab.Kill();
            lab.WaitForExit();
        }

        Directory.Delete(_out, recursive: true);
        Directory.CreateDirectory(_out);
        Run("lab", "run", WriteMatrix("bytes: 20kb"), "--out", _out);

        Assert.Equal(string.Empty, _error.ToString());
        Assert.Empty(LeftBehind());
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

        // The analysis ends half a round trip later, with the last acknowledgment: 10 ms of at least 160 ms.
        Assert.InRange(Number(analysis, "goodputBitsPerSecond") / Number(result, "goodputBitsPerSecond"), 0.8, 1.05);
    }

    static double Number(JsonElement element, string name) => element.GetProperty(name).GetDouble();

    string WriteMatrix(string flow)
    {
        string path = Path.Combine(_out, "matrix.yaml");
        File.WriteAllText(path, $"path: {{rtt: 5ms}}\nflow: {(flow.StartsWith('{') ? flow : $"{{{flow}}}")}\nsides: {{only: {{}}}}\n");
        return path;
    }

    // Leases that nobody holds, and namespaces without a lease. Other experiments may be under way on this machine.
    static string[] LeftBehind() =>
    [
        .. List("/run/tcpdiag", "tcpdiag-lab-*.netns").Where(IsAbandoned),
        .. List("/run/netns", "tcpdiag-lab-*").Where(path => !File.Exists($"/run/tcpdiag/{Path.GetFileName(path)}.netns")),
    ];

    static string[] List(string folder, string pattern) => Directory.Exists(folder) ? Directory.GetFiles(folder, pattern) : [];

    static bool IsAbandoned(string path)
    {
        try
        {
            using FileStream held = new(path, FileMode.Open, FileAccess.ReadWrite, FileShare.None);
            return true;
        }
        catch (IOException)
        {
            return false;
        }
    }

    static string[] Processes() => [.. Directory.GetDirectories("/proc").Select(folder => Path.Combine(folder, "cmdline")).Where(File.Exists).Select(ReadOrNothing)];

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
        Process.Start(new ProcessStartInfo("dotnet", [Path.Combine(AppContext.BaseDirectory, "tcpdiag.dll"), .. arguments]) { RedirectStandardOutput = true, RedirectStandardError = true, UseShellExecute = false })!;

    int Run(params string[] args) => new CommandLine(_output, _error).Run(args);
}
