using System;
using System.IO;
using System.IO.Compression;
using System.Text;
using System.Text.Json.Nodes;
using TcpDiag.Testing;
using TcpDiag.Traces.Bundles;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary>What <c>info</c> and <c>analyze</c> tell of the recording that a bundle holds, and of a bundle that is damaged.</summary>
public sealed class BundleContentsTests : IDisposable
{
    const string Remark = "the ring holds the last 2.2 s; what is counted here is of the whole time";

    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-redact6-account-").FullName;
    readonly StringWriter _output = new();
    readonly StringWriter _error = new();

    string Bundle => Path.Combine(_folder, "in.tcpdiag");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Info_Bundle_TellsOfItsRecording()
    {
        Write("duration", "tcp port 8080", Remark);
        Assert.Equal(ExitCode.Done, Run("info", Bundle));

        string[] lines = ["  match     tcp port 8080\n", "  ended     duration\n", " UTC by tcpdiag ", ", engine linux\n",
            "  - the ring holds the last 2.2 s; ", "  - snapshot, routes: no end within 2 s\n"];
        Assert.All(lines, line => Assert.Contains(line, Text, StringComparison.Ordinal));
        Assert.All(Text.Split('\n'), line => Assert.InRange(line.Length, 0, 80));
    }

    [Fact]
    public void InfoAndAnalyze_BundleAsJson_HoldToTheirSchemas()
    {
        Write("the disk is nearly full", "tcp port 8080", Remark);
        foreach ((string command, Func<JsonNode, JsonNode?> find) in new (string, Func<JsonNode,
            JsonNode?>)[] { ("info", root => root["files"]![0]!["bundle"]), ("analyze", root => root["recordings"]![0]) })
        {
            _output.GetStringBuilder().Clear();
            Assert.Equal(ExitCode.Done, Run(command, Bundle, "--json"));
            JsonNode told = find(JsonNode.Parse(Text)!)!;
            Assert.Empty(JsonSchema.Read(command is "info" ? "info.json" : "analysis.json").Check(Text));
            Assert.Equal("tcp port 8080", told["match"]!.GetValue<string>());
            Assert.Equal("the disk is nearly full", told["stopReason"]!.GetValue<string>());
            Assert.Equal(Remark, told["remarks"]![0]!.GetValue<string>());
            Assert.Equal("routes", told["failedSections"]![0]!["name"]!.GetValue<string>());
        }
    }

    [Fact]
    public void Analyze_RecordingThatEndedByItself_SaysSo()
    {
        Write("the disk is nearly full", "tcp port 8080", Remark);
        Assert.Equal(ExitCode.Done, Run("analyze", Bundle));

        Assert.Contains("\nOnly this was recorded: tcp port 8080\nThe recording ended early: the disk was nearly full\nRecorder: the ring holds the last 2.2 s;", Text, StringComparison.Ordinal);
        Assert.Contains("\nRecorder: snapshot, routes: no end within 2 s\n", Text, StringComparison.Ordinal);
        Assert.All(Text.Split('\n'), line => Assert.InRange(line.Length, 0, 80));
    }

    [Theory]
    [InlineData("duration")]
    [InlineData("time is up")]
    [InlineData("told to stop")]
    public void Analyze_RecordingThatEndedAsAskedFor_SaysNothingOfIt(string reason)
    {
        Write(reason, "all");
        Assert.Equal(ExitCode.Done, Run("analyze", Bundle));
        Assert.DoesNotContain("recorded", Text, StringComparison.Ordinal);
        Assert.DoesNotContain("The record", Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("size", "The recording ended early: the trace had its size (--size)")]
    [InlineData("the trace has its size", "The recording ended early: the trace had its size (--size)")]
    [InlineData("disk", "The recording ended early: the disk was nearly full")]
    [InlineData("ended", "The recording ended early: somebody else ended its session")]
    [InlineData("the session was ended by somebody else", "The recording ended early: somebody else ended its session")]
    [InlineData("trigger", "The recording ended because a condition of --until came true")]
    [InlineData("process nginx (12) exited", "The recording ended because --until came true: process nginx (12) exited")]
    [InlineData("found after its process had gone", "The recorder was killed or the machine went down: this is what there was by then")]
    public void Analyze_RecordingThatEndedOtherwise_SaysHow(string reason, string sentence)
    {
        Write(reason, "all");
        Assert.Equal(ExitCode.Done, Run("analyze", Bundle));
        Assert.Contains($"\n{sentence}\n", Text.Replace("\nthen", " then", StringComparison.Ordinal), StringComparison.Ordinal);
    }

    [Fact]
    public void Analyze_HtmlAndFollow_TellOfTheRecordingAsTextDoes()
    {
        Write("the disk is nearly full", "tcp port 8080", Remark);
        string page = Path.Combine(_folder, "page.html");
        Assert.Equal(ExitCode.Done, Run("analyze", Bundle, "--html", page));
        string html = File.ReadAllText(page);
        Assert.Contains("<p class=\"remark\">Only this was recorded: tcp port 8080</p>\n<p class=\"remark\">The recording ended early: the disk was nearly "
            + "full</p>\n<p class=\"remark\">Recorder: the ring holds", html, StringComparison.Ordinal);

        _output.GetStringBuilder().Clear();
        Assert.Equal(ExitCode.Done, Run("analyze", Bundle, "--follow"));
        Assert.Contains("\nOnly this was recorded: tcp port 8080\nThe recording ended early: the disk was nearly full\nRecorder: the ring holds", Text,
            StringComparison.Ordinal);
    }

    // The trace, the first snapshot and every other file: whoever changes one of them afterwards is found out.
    [Theory]
    [InlineData("snapshot.json")]
    [InlineData("snapshot-end.json")]
    [InlineData("journal.jsonl")]
    public void Analyze_ChangedFile_IsNamedInOneLine(string name)
    {
        using (var bundle = new BundleWriter(new FileStream(Bundle, FileMode.Create)))
        {
            byte[] snapshot = SnapshotJson.ToBytes(TestBundle.Snapshot());
            bundle.Add("trace.pcapng", BundleManifest.TraceKind, new MemoryStream(File.ReadAllBytes(ProjectFolder.Fixture("reset.pcapng"))));
            bundle.Add("snapshot.json", BundleManifest.SnapshotKind, new MemoryStream(snapshot));
            bundle.Add("snapshot-end.json", BundleManifest.SnapshotKind, new MemoryStream(snapshot));
            bundle.Add("journal.jsonl", BundleManifest.JournalKind, new MemoryStream("{\"step\":\"Prepared\"}\n"u8.ToArray()));
            bundle.Complete(BundleWriter.Describe("linux", "tcp", "stopped", [], DateTimeOffset.UnixEpoch));
        }

        Assert.Equal(ExitCode.Done, Run("analyze", Bundle));
        using ZipArchive zip = ZipFile.OpenRead(Bundle);
        using var source = new StreamReader(zip.GetEntry(name)!.Open());
        string changed = source.ReadToEnd().Replace('e', 'E');
        source.Dispose();
        zip.Dispose();
        Change(name, Encoding.UTF8.GetBytes(changed));

        Assert.Equal(ExitCode.Damaged, Run("analyze", Bundle));
        Assert.Equal($"tcpdiag: {Bundle}: damaged bundle: {name} has another SHA-256 than the manifest declares: it was changed after it was recorded\n",
            _error.ToString().ReplaceLineEndings("\n"));
    }

    [Fact]
    public void Info_ChangedSnapshot_IsDamage()
    {
        Write("duration", "tcp");
        Change("snapshot.json", Encoding.UTF8.GetBytes("{}"));
        Assert.Equal(ExitCode.Damaged, Run("info", Bundle));
        Assert.Contains("damaged or incomplete", Text, StringComparison.Ordinal);
        Assert.Contains("damaged bundle: snapshot.json has", Text.ReplaceLineEndings(" "), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("not json")]
    [InlineData("{}")]
    [InlineData("[1]")]
    [InlineData("null")]
    public void Info_DamagedManifest_StillReadsTheTrace(string manifest)
    {
        Write("duration", "tcp");
        Change("manifest.json", Encoding.UTF8.GetBytes(manifest));

        Assert.Equal(ExitCode.Damaged, Run("info", Bundle));
        string text = string.Join(' ', Text.Split((char[])[' ', '\n'], StringSplitOptions.RemoveEmptyEntries));
        Assert.Contains("manifest.json cannot be read, so that only the first trace of the bundle is, and without comparing its hash: expected JSON of "
            + "schema tcpdiag/bundle/1, found something else", text, StringComparison.Ordinal);
        Assert.DoesNotContain("TcpDiag.", text, StringComparison.Ordinal);
        Assert.DoesNotContain("nullability", text, StringComparison.Ordinal);
        Assert.Equal(ExitCode.Damaged, Run("analyze", Bundle));
        Assert.Contains("1 TCP connection with ", Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Analyze_DamagedSnapshot_IsToldInOurWords()
    {
        using (var bundle = new BundleWriter(new FileStream(Bundle, FileMode.Create)))
        {
            bundle.Add("trace.pcapng", BundleManifest.TraceKind, new MemoryStream(File.ReadAllBytes(ProjectFolder.Fixture("reset.pcapng"))));
            bundle.Add("snapshot.json", BundleManifest.SnapshotKind, new MemoryStream("""{"schema":"tcpdiag/snapshot/1","takenUtc":"2026-01-01T00:00:00Z","operatingSystem":"x","sections":null}"""u8.ToArray()));
            bundle.Complete(BundleWriter.Describe("linux", "tcp", "stopped", [], DateTimeOffset.UnixEpoch));
        }

        Assert.Equal(ExitCode.Damaged, Run("analyze", Bundle));
        Assert.Contains("in.tcpdiag: snapshot.json cannot be read: expected JSON of schema tcpdiag/snapshot/1, found something else", _error.ToString(),
            StringComparison.Ordinal);
        Assert.DoesNotContain("nullability", _error.ToString(), StringComparison.Ordinal);

        Assert.Equal(ExitCode.Damaged, Run("info", Bundle));
        Assert.Contains("snapshot.json cannot be read: ", Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Redact_TraceOfWhichNothingIsWhole_BlamesTheInput()
    {
        Write("duration", "tcp");
        byte[] trace = File.ReadAllBytes(ProjectFolder.Fixture("reset.pcapng"))[..20];
        Change("trace.pcapng", trace);
        Assert.Equal(ExitCode.Failed, Run("redact", Bundle, Path.Combine(_folder, "out.tcpdiag"), "--verify"));
        Assert.Contains("in.tcpdiag: nothing of its trace can be read: ", _error.ToString(), StringComparison.Ordinal);
        Assert.Single(Directory.GetFiles(_folder));
    }

    string Text => _output.ToString();

    void Write(string stopReason, string match, params string[] remarks) =>
        TestBundle.Write(Bundle, TestBundle.Snapshot(new SnapshotSection("routes", "t", 1, "no end within 2 s", []),
            new SnapshotSection("dns", "t", 1, null, [])), stopReason, match, remarks);

    void Change(string name, byte[] bytes)
    {
        using ZipArchive archive = ZipFile.Open(Bundle, ZipArchiveMode.Update);
        archive.GetEntry(name)!.Delete();
        using Stream entry = archive.CreateEntry(name).Open();
        entry.Write(bytes);
    }

    int Run(params string[] args) => new CommandLine(_output, _error).Run(args);
}
