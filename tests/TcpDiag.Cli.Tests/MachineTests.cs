using System;
using System.IO;
using System.Text.Json;
using TcpDiag.Testing;
using TcpDiag.Traces.Bundles;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary>A bundle of the story of packets that a NIC reordered, with a snapshot that tells of its Flow Director: the finding names the cause.</summary>
public sealed class MachineTests : IDisposable
{
    readonly string _bundle = Path.ChangeExtension(Path.GetTempFileName(), ".tcpdiag");
    readonly StringWriter _output = new();
    readonly StringWriter _error = new();

    public void Dispose() => File.Delete(_bundle);

    [Fact]
    public void Analyze_BundleWithASnapshot_NamesTheSettingInTextJsonAndPage()
    {
        Write(SnapshotJson.ToBytes(Snapshot()));

        Assert.Equal(ExitCode.Done, Run("analyze", _bundle, "--findings", "20", "--explain"));
        Assert.Contains("Machine: Linux 5.10, unusual settings:\n  Flow Director ATR is on at eth0, its table was flushed 1204 times\n", Text(),
            StringComparison.Ordinal);
        Assert.Contains("ethtool --set-priv-flags eth0 flow-director-atr off", Text(), StringComparison.Ordinal);

        _output.GetStringBuilder().Clear();
        Assert.Equal(ExitCode.Done, Run("analyze", _bundle, "--json"));
        using JsonDocument document = JsonDocument.Parse(_output.ToString());
        Assert.Equal("Linux 5.10", document.RootElement.GetProperty("machine").GetProperty("operatingSystem").GetString());
        Assert.Contains("path-reordering", document.RootElement.GetProperty("machine").GetProperty("notes")[0].GetProperty("bearsOn").ToString(),
            StringComparison.Ordinal);

        _output.GetStringBuilder().Clear();
        string page = _bundle + ".html";
        Assert.Equal(ExitCode.Done, Run("analyze", _bundle, "--html", page));
        Assert.Contains("Flow Director ATR is on at eth0, its table was flushed 1204 times", File.ReadAllText(page), StringComparison.Ordinal);
        File.Delete(page);
    }

    [Theory]
    [InlineData("{}", ": snapshot.json cannot be read: ")]
    [InlineData("{\"schema\":\"tcpdiag/snapshot/9\",\"takenUtc\":\"2026-01-01T00:00:00Z\",\"operatingSystem\":\"x\",\"sections\":[]}",
        "it is not of schema tcpdiag/snapshot/1")]
    public void Analyze_SnapshotThatCannotBeRead_TellsTheTraceAllTheSame(string snapshot, string problem)
    {
        Write(System.Text.Encoding.UTF8.GetBytes(snapshot));

        Assert.Equal(ExitCode.Damaged, Run("analyze", _bundle));
        Assert.Contains(problem, _error.ToString().ReplaceLineEndings(" "), StringComparison.Ordinal);
        Assert.Contains("1 TCP connection with ", Text(), StringComparison.Ordinal);
        Assert.DoesNotContain("Machine:", Text(), StringComparison.Ordinal);
    }

    [Fact]
    public void Analyze_TraceAlone_HasNoMachine()
    {
        Assert.Equal(ExitCode.Done, Run("analyze", Story, "--json"));
        using JsonDocument document = JsonDocument.Parse(_output.ToString());
        Assert.Equal(JsonValueKind.Null, document.RootElement.GetProperty("machine").ValueKind);
    }

    static string Story => Path.Combine(ProjectFolder.PathOf("tests", "fixtures", "stories"), "s1-fixed-sender.pcapng");

    static SystemSnapshot Snapshot() => new(
        SystemSnapshot.SchemaName,
        DateTimeOffset.UnixEpoch,
        "Linux 5.10",
        [new("interfaces", "ethtool", 1, null, [new("eth0", "flow-director-atr", "on"), new("eth0", "stat:port.fdir_flush_cnt", "1204")])]);

    void Write(byte[] snapshot)
    {
        using var bundle = new BundleWriter(new FileStream(_bundle, FileMode.Create));
        using (FileStream trace = File.OpenRead(Story))
        {
            bundle.Add("trace.pcapng", BundleManifest.TraceKind, trace);
        }

        bundle.Add("snapshot.json", BundleManifest.SnapshotKind, new MemoryStream(snapshot));
        bundle.Complete(BundleWriter.Describe("linux", "tcp", "stopped", [], DateTimeOffset.UnixEpoch));
    }

    int Run(params string[] args) => new CommandLine(_output, _error).Run(args);

    string Text() => _output.ToString().ReplaceLineEndings("\n");
}
