using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary>What a second start finds in the result directory of a first one, and what a run of which a part failed leaves there.</summary>
public sealed class LabFolderTests : IDisposable
{
    const string Short = "path: {rtt: 5ms, limit: 1s}\nflow: {bytes: 20kb}\nsides: {only: {}}\n";

    // No timer is as exact as that.
    const string AlwaysLate = "path: {rtt: 5ms, limit: 1ns}\nflow: {bytes: 20kb}\nsides: {only: {}}\n";

    readonly StringWriter _output = new();
    readonly StringWriter _error = new();
    readonly string _out = Directory.CreateTempSubdirectory("tcpdiag-lab").FullName;

    [RootFact]
    public void Run_Void_SaysWhyAndIsRunAgainByTheNextStart()
    {
        string[] line = ["lab", "run", Write(AlwaysLate), "--out", _out, "--retries", "0"];
        Assert.Equal(ExitCode.CheckFailed, Run(line));
        string[] lines = _output.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal("001  only  no goodput  1 void", lines[1]);
        Assert.StartsWith("1 run void (001/only/001): ", lines[2], StringComparison.Ordinal);
        Assert.All(lines.Skip(1), text => Assert.True(text.Length <= 80, text));
        Assert.Equal(1, Results().Single().GetProperty("attempts").GetInt32());

        Run([.. line[..^1], "1"]);
        Assert.Equal(3, Results().Single().GetProperty("attempts").GetInt32());
    }

    [RootFact]
    public void Run_MoreIterations_RunsTheOthersOnly()
    {
        string[] line = ["lab", "run", Write(Short), "--out", _out, "--iterations"];
        Assert.Equal(ExitCode.Done, Run([.. line, "1"]));
        string first = Directory.GetFiles(_out, "result.json", SearchOption.AllDirectories).Single();
        DateTime written = File.GetLastWriteTimeUtc(first);

        Assert.Equal(ExitCode.Done, Run([.. line, "2"]));
        Assert.Equal([1, 2], Results().Select(result => result.GetProperty("iteration").GetInt32()));
        Assert.Equal(written, File.GetLastWriteTimeUtc(first));
        Assert.Equal(ExitCode.Failed, Run([.. line, "1"]));
        Assert.Contains("holds another experiment: it has 2 iterations, and 1 would be fewer.", _error.ToString(), StringComparison.Ordinal);
    }

    [RootFact]
    public void Run_FolderInUse_IsRefusedInOneLine()
    {
        using FileStream held = new(Path.Combine(_out, "lock"), FileMode.Create, FileAccess.ReadWrite, FileShare.None);
        Assert.Equal(ExitCode.Failed, Run("lab", "run", Write(Short), "--out", _out));
        Assert.Equal($"tcpdiag: {_out}: another tcpdiag lab run is at work in it. Wait for its end, or choose another --out.", _error.ToString().TrimEnd());
    }

    [RootFact]
    public void Run_PathKilled_IsVoidAndTheOthersFollow()
    {
        string matrix = Write("path: {rtt: 5ms, limit: 1s}\nflow: {bytes: 20kb}\nsides: {slow: {bytes: 20mb, read-rate: 1mbit}, next: {}}\n");
        using Process lab = Start("lab", "run", matrix, "--out", _out, "--retries", "0");
        Assert.True(SpinWait.SpinUntil(() => Directory.GetFiles(_out, "sender.tsv", SearchOption.AllDirectories).Length > 0, Patience.Limit));
        using (Process path = Process.GetProcessById(FindPath()))
        {
            path.Kill();
        }

        string output = lab.StandardOutput.ReadToEnd();
        lab.WaitForExit();
        Assert.Equal(ExitCode.CheckFailed, lab.ExitCode);
        Assert.Contains("1 run void (001/slow/001): The emulated path was ended by signal 9.", output, StringComparison.Ordinal);
        JsonElement[] results = Results();
        Assert.Equal([true, false], results.Select(result => result.GetProperty("isVoid").GetBoolean()));
        Assert.Equal(JsonValueKind.Null, results[0].GetProperty("sender").ValueKind);
        Assert.Empty(JsonSchema.Read("lab.json").Check(File.ReadAllText(Path.Combine(_out, "run.json"))));
    }

    [RootFact]
    public void Run_RefusedByTheSystem_EndsTheExperiment()
    {
        string matrix = Write("flow: {bytes: 20kb, congestion: no-such}\nsides: {a: {}, b: {}}\n");
        Assert.Equal(ExitCode.Failed, Run("lab", "run", matrix, "--out", _out));
        string[] lines = _error.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal("0/2 done: 001/a/001", lines[0]);
        Assert.StartsWith("tcpdiag: congestion control no-such: not to be had", lines.Skip(1).Single(), StringComparison.Ordinal);
    }

    public void Dispose() => Directory.Delete(_out, recursive: true);

    int FindPath() => Directory.GetDirectories("/proc")
        .Select(folder => (Id: Path.GetFileName(folder), Line: ReadOrNothing(Path.Combine(folder, "cmdline")).Split('\0')))
        .Where(process => process.Line.Contains("serve") && process.Line.Any(word => word.StartsWith(_out, StringComparison.Ordinal)))
        .Select(process => int.Parse(process.Id, CultureInfo.InvariantCulture))
        .Single();

    // A process may end between listing and reading.
    static string ReadOrNothing(string path)
    {
        try
        {
            return File.Exists(path) ? File.ReadAllText(path) : string.Empty;
        }
        catch (IOException)
        {
            return string.Empty;
        }
    }

    JsonElement[] Results() => [.. JsonDocument.Parse(File.ReadAllText(Path.Combine(_out, "run.json"))).RootElement.GetProperty("results").EnumerateArray()];

    string Write(string matrix)
    {
        string path = Path.Combine(_out, "matrix.yaml");
        File.WriteAllText(path, matrix);
        return path;
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
