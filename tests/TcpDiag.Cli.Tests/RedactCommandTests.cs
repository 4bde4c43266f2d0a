using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using TcpDiag.Cli.Commands;
using TcpDiag.Report.Json;
using TcpDiag.Testing;
using TcpDiag.Traces.Bundles;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary>What <c>redact</c> makes of every trace at hand: nothing of it is found again, and the analysis finds the same.</summary>
public sealed class RedactCommandTests : IDisposable
{
    // What tells who; findings name hosts that were looked up under "value".
    static readonly string[] Names = ["address", "file", "files", "process", "name", "serverName"];

    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-redact-").FullName;

    public static TheoryData<string> Fixtures =>
        [.. Directory.GetFiles(ProjectFolder.PathOf("tests", "fixtures"), "*.pcapng", SearchOption.AllDirectories).Order(StringComparer.Ordinal)];

    public static TheoryData<string> SharedTraces => SharedFolder.Exists
        ? [.. Directory.GetFiles(SharedFolder.PathOf("traces"), "*", SearchOption.AllDirectories).Where(IsTrace).Order(StringComparer.Ordinal)]
        : ["none"];

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [MemberData(nameof(Fixtures))]
    public void Redact_Fixture_KeepsItsAnalysis(string path) => AssertSameAnalysis(path);

    [SharedTheory]
    [MemberData(nameof(SharedTraces))]
    [Trait("Needs", "time")]
    public void Redact_SharedTrace_KeepsItsAnalysis(string path) => AssertSameAnalysis(path);

    [Fact]
    public void Redact_SameKeyInTwoRuns_GivesTheSameBytes()
    {
        string key = WriteKey();
        string fixture = ProjectFolder.Fixture("ipv6.pcapng");
        Run(ExitCode.Done, "redact", fixture, In("a.pcapng"), "--key-file", key);
        Run(ExitCode.Done, "redact", fixture, In("b.pcapng"), "--key-file", key);
        Run(ExitCode.Done, "redact", fixture, In("c.pcapng"));
        Assert.Equal(File.ReadAllBytes(In("a.pcapng")), File.ReadAllBytes(In("b.pcapng")));
        Assert.NotEqual(File.ReadAllBytes(In("a.pcapng")), File.ReadAllBytes(In("c.pcapng")));
    }

    [Fact]
    public void Redact_SeveralFiles_ShareTheirPseudonyms()
    {
        string story = ProjectFolder.PathOf("tests", "fixtures", "stories");
        Directory.CreateDirectory(In("out"));
        Run(ExitCode.Done, "redact", Path.Combine(story, "s1-fixed-sender.pcapng"), Path.Combine(story, "s1-fixed-receiver.pcapng"), In("out"));
        string[] clients = [.. Directory.GetFiles(In("out")).Select(file => Analyze(file)["connections"]![0]!["client"]!["address"]!.GetValue<string>())];
        Assert.Equal(2, clients.Length);
        Assert.Equal(clients[0], clients[1]);
    }

    [Fact]
    public void Redact_TwoInputsOfTheSameName_AreRefused()
    {
        string fixture = ProjectFolder.Fixture("ipv6.pcapng");
        Directory.CreateDirectory(In("out"));
        Directory.CreateDirectory(In("other"));
        File.Copy(fixture, In("other/ipv6.pcapng"));
        string text = Misuse("redact", fixture, In("other/ipv6.pcapng"), In("out"));
        Assert.Contains("another input has the same name", text, StringComparison.Ordinal);
        Assert.Empty(Directory.GetFiles(In("out")));
    }

    [Fact]
    public void Redact_DryRun_WritesNothingAndFitsTheTerminal()
    {
        string output = Run(ExitCode.Done, "redact", ProjectFolder.Fixture("bulk-loss.pcapng"), In("a.pcapng"), "--dry-run");
        Assert.Contains("ipv4 addresses", output, StringComparison.Ordinal);
        Assert.Contains("to be replaced", output, StringComparison.Ordinal);
        Assert.All(output.Split('\n'), line => Assert.InRange(line.Length, 0, 80));
        Assert.Empty(Directory.GetFiles(_folder));
    }

    [Fact]
    public void Redact_Json_HoldsToItsSchema()
    {
        string json = Run(ExitCode.Done, "redact", ProjectFolder.Fixture("bulk-loss.pcapng"), In("a.pcapng"), "--verify", "--json");
        Assert.Empty(JsonSchema.Read("redaction.json").Check(json));
        Assert.True(JsonNode.Parse(json)!["files"]![0]!["verification"]!["passed"]!.GetValue<bool>());
        Assert.Empty(JsonSchema.Read("redaction.json").Check(Run(ExitCode.Done, "redact", ProjectFolder.Fixture("reset.pcapng"), "--dry-run", "--json")));
    }

    [Fact]
    public void Redact_MappedPorts_AreOtherPorts()
    {
        string fixture = ProjectFolder.Fixture("ipv6.pcapng");
        Run(ExitCode.Done, "redact", fixture, In("a.pcapng"), "--map-ports", "--key-file", WriteKey());
        Assert.NotEqual(Ports(fixture), Ports(In("a.pcapng")));
    }

    [Fact]
    public void Redact_WrongKey_IsOneClearLine()
    {
        File.WriteAllText(In("key"), "abc");
        Assert.Contains("expected a key of 64 hexadecimal digits",
            Fail("redact", ProjectFolder.Fixture("reset.pcapng"), In("a.pcapng"), "--key-file", In("key")), StringComparison.Ordinal);
    }

    [Fact]
    public void Redact_NoTarget_IsOneClearLine() =>
        Assert.Contains("name the file to write", Misuse("redact", ProjectFolder.Fixture("reset.pcapng")), StringComparison.Ordinal);

    [Fact]
    public void Redact_StandardInputIntoAFolder_IsRefused()
    {
        Directory.CreateDirectory(In("out"));
        Assert.Contains("a folder, and standard input has no name for a file in it.", Misuse("redact", "-", In("out")), StringComparison.Ordinal);
        Assert.Empty(Directory.GetFiles(In("out")));
    }

    [ToolFact("sh")]
    public void Redact_BundleFromStandardInput_IsABundleWithAllItsFiles()
    {
        WriteBundle(In("in.tcpdiag"));
        ExternalProgram.Run("sh", "-c",
            $"cat '{In("in.tcpdiag")}' | dotnet '{typeof(CommandLine).Assembly.Location}' redact - '{In("piped.tcpdiag")}' --key-file '{WriteKey()}'");
        Run(ExitCode.Done, "redact", In("in.tcpdiag"), In("named.tcpdiag"), "--key-file", WriteKey(), "--verify");

        string[] names = ["trace.pcapng", "snapshot.json", "snapshot-end.json", "manifest.json"];
        Assert.Equal(names.Order(StringComparer.Ordinal), ReadBundle(In("piped.tcpdiag")).Keys.Order(StringComparer.Ordinal));
        Assert.Equal(ReadBundle(In("named.tcpdiag")), ReadBundle(In("piped.tcpdiag")));
    }

    [Fact]
    public void Redact_NameInTheLastFileOfABundle_StaysInNoneBefore()
    {
        WriteBundle(In("in.tcpdiag"));
        Run(ExitCode.Done, "redact", In("in.tcpdiag"), In("out.tcpdiag"), "--verify");

        Assert.DoesNotContain(ReadBundle(In("out.tcpdiag")).Values, text => text.Contains("alice", StringComparison.OrdinalIgnoreCase));
        Assert.Contains("offload", ReadBundle(In("out.tcpdiag"))["snapshot.json"], StringComparison.Ordinal);
    }

    [Fact]
    public void Redact_NoTrace_IsOneClearLineAndLeavesNothing()
    {
        File.WriteAllText(In("text"), "no trace");
        Assert.Contains("expected an .etl, .pcapng or .pcap trace", Fail("redact", In("text"), In("a.pcapng")), StringComparison.Ordinal);
        Assert.Single(Directory.GetFiles(_folder));
    }

    [Fact]
    public void Redact_CutTrace_TellsThatItIsDamaged()
    {
        File.WriteAllBytes(In("cut.pcapng"), File.ReadAllBytes(ProjectFolder.Fixture("reset.pcapng"))[..^7]);
        Run(ExitCode.Damaged, "redact", In("cut.pcapng"), In("a.pcapng"), "--verify");
        Assert.NotEmpty(Analyze(In("a.pcapng"))["connections"]!.AsArray());
    }

    [Fact]
    public void ExitCodeOf_LeakInADamagedFile_IsTheLeak()
    {
        static RedactedFileEntry Entry(bool passed, params InfoDocument.Problem[] problems) =>
            new("a", "b", problems, new RedactionVerificationEntry(passed, 1, 1, 0, []));
        static int ExitCodeOf(params RedactedFileEntry[] files) => RedactionTask.ExitCodeOf(new(RedactionDocument.SchemaName, false, files, [], null));
        var damage = new InfoDocument.Problem(0, "cut");

        Assert.Equal(ExitCode.CheckFailed, ExitCodeOf(Entry(passed: false, damage)));
        Assert.Equal(ExitCode.CheckFailed, ExitCodeOf(Entry(passed: true, damage), Entry(passed: false)));
        Assert.Equal(ExitCode.Damaged, ExitCodeOf(Entry(passed: true, damage), Entry(passed: true)));
        Assert.Equal(ExitCode.Done, ExitCodeOf(Entry(passed: true)));
    }

    [Theory]
    [InlineData(true, false, true)]
    [InlineData(false, false, false)]
    [InlineData(false, true, true)]
    public void Settle_Result_StaysWhereItIsCleanOrWanted(bool passed, bool isKept, bool stays)
    {
        File.WriteAllText(In("result"), "x");
        var leak = new RedactionLeakEntry("words", "bytes", 1, 0);
        var file = new RedactedFileEntry("a", In("result"), [], new RedactionVerificationEntry(passed, 1, 1, 0, passed ? [] : [leak]));

        RedactedFileEntry settled = RedactionTarget.Settle(file, isKept);

        Assert.Equal(stays, File.Exists(In("result")));
        Assert.Equal(!stays, settled.Removed);
        Assert.Equal(passed ? ExitCode.Done : ExitCode.CheckFailed, RedactionTask.ExitCodeOf(new(RedactionDocument.SchemaName, false, [settled], [], null)));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Redact_File_IsSearchedUnlessToldNotTo(bool isSearched)
    {
        string[] options = ["--json", "--key-file", WriteKey(), .. isSearched ? (string[])[] : ["--no-verify"]];
        string json = Run(ExitCode.Done, ["redact", ProjectFolder.Fixture("bulk-loss.pcapng"), In("a.pcapng"), .. options]);
        JsonNode file = JsonNode.Parse(json)!["files"]![0]!;
        Assert.Equal(isSearched, file["verification"] is not null);
        Assert.False((bool)file["removed"]!);
        Assert.Empty(JsonSchema.Read("redaction.json").Check(json));
    }

    static bool IsTrace(string path) => path.Contains(".etl", StringComparison.Ordinal) || path.Contains(".pcap", StringComparison.Ordinal);

    static string Ports(string path)
    {
        JsonNode connection = Analyze(path)["connections"]![0]!;
        return $"{connection["client"]!["port"]} {connection["server"]!["port"]}";
    }

    static JsonNode Analyze(string path) => JsonNode.Parse(Run(ExitCode.Done, "analyze", path, "--json"))!;

    static void WriteBundle(string path)
    {
        using var bundle = new BundleWriter(new FileStream(path, FileMode.Create));
        using (FileStream trace = File.OpenRead(ProjectFolder.Fixture("reset.pcapng")))
        {
            bundle.Add("trace.pcapng", BundleManifest.TraceKind, trace);
        }

        bundle.Add("snapshot.json", BundleManifest.SnapshotKind, new MemoryStream(Snapshot(new(string.Empty, "alice offload", "1"))));
        bundle.Add("snapshot-end.json", BundleManifest.SnapshotKind, new MemoryStream(Snapshot(new(string.Empty, "search", "Alice"))));
        bundle.Complete(BundleWriter.Describe("linux", "tcp", "stopped", [], DateTimeOffset.UnixEpoch));
    }

    static byte[] Snapshot(SnapshotFact fact) => SnapshotJson.ToBytes(TestBundle.Snapshot(new SnapshotSection("interfaces", "t", 1, null, [fact])));

    static Dictionary<string, string> ReadBundle(string path)
    {
        using ZipArchive archive = ZipFile.OpenRead(path);
        return archive.Entries.ToDictionary(entry => entry.Name, entry =>
        {
            using var text = new StreamReader(entry.Open(), Encoding.Latin1);
            return text.ReadToEnd();
        });
    }

    static string Run(int expected, params string[] args)
    {
        var output = new StringWriter();
        var error = new StringWriter();
        int code = new CommandLine(output, error).Run(args);
        Assert.True(code == expected, $"{string.Join(' ', args)}: exit code {code}, expected {expected}\n{error}{output}");
        return output.ToString();
    }

    static string Fail(params string[] args) => Fail(ExitCode.Failed, args);

    static string Misuse(params string[] args) => Fail(ExitCode.Usage, args);

    static string Fail(int expected, string[] args)
    {
        var error = new StringWriter();
        Assert.Equal(expected, new CommandLine(new StringWriter(), error).Run(args));
        Assert.DoesNotContain('\n', error.ToString().TrimEnd());
        return error.ToString();
    }

    void AssertSameAnalysis(string path)
    {
        string redacted = In("redacted" + (path.Contains(".etl", StringComparison.Ordinal) ? ".etl" : ".pcapng"));
        Run(ExitCode.Done, "redact", path, redacted, "--verify");
        Assert.Equal(WithoutNames(path), WithoutNames(redacted));
    }

    // The document with everything blanked that tells who.
    static string WithoutNames(string path)
    {
        var output = new StringWriter();
        new CommandLine(output, new StringWriter()).Run(["analyze", path, "--json"]);
        JsonNode document = JsonNode.Parse(output.ToString())!;
        Blank(document);
        return document.ToJsonString(new JsonSerializerOptions { WriteIndented = true });
    }

    static void Blank(JsonNode? node)
    {
        switch (node)
        {
            case JsonObject item:
                bool isLookup = item["id"]?.GetValueKind() == JsonValueKind.String && item["id"]!.GetValue<string>() is "name-lookup-delay";
                foreach (string name in item.Select(pair => pair.Key).ToArray())
                {
                    if (Names.Contains(name) || (isLookup && name is "evidence"))
                    {
                        item[name] = "*";
                    }

                    Blank(item[name]);
                }

                break;
            case JsonArray items:
                foreach (JsonNode? child in items)
                {
                    Blank(child);
                }

                break;
            default:
                break;
        }
    }

    string In(string name) => Path.Combine(_folder, name);

    string WriteKey()
    {
        File.WriteAllText(In("key"), new string('7', 64) + "\n");
        return In("key");
    }
}
