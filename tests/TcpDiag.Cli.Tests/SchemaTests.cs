using System;
using System.IO;
using System.Linq;
using System.Text.Json;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary>What the commands print as JSON holds to docs/schemas.</summary>
public sealed class SchemaTests
{
    public static TheoryData<string> Fixtures =>
        [.. Directory.GetFiles(ProjectFolder.PathOf("tests", "fixtures"), "*.pcapng").Select(file => Path.GetFileName(file)!)];

    [Theory]
    [MemberData(nameof(Fixtures))]
    public void Analyze_Fixture_HoldsToItsSchema(string name) => AssertHolds("analysis.json", "analyze", ProjectFolder.Fixture(name), "--json");

    [Theory]
    [MemberData(nameof(Fixtures))]
    public void Info_Fixture_HoldsToItsSchema(string name) => AssertHolds("info.json", "info", ProjectFolder.Fixture(name), "--json");

    [SharedTheory]
    [InlineData("sample-19041-netsh-rundown/sample-19041-netsh-rundown.etl.zip")]
    [InlineData("sample-22621-netsh/sample-22621-netsh.etl")]
    [InlineData("sample-26100-pktmon/sample-26100-pktmon.etl")]
    public void Commands_WindowsTrace_HoldToTheirSchemas(string name)
    {
        AssertHolds("analysis.json", "analyze", SharedFolder.PathOf("traces", "windows", name), "--json");
        AssertHolds("info.json", "info", SharedFolder.PathOf("traces", "windows", name), "--json");
    }

    [Theory]
    [InlineData("events", "--build", "26100", "--id", "1300")]
    [InlineData("events", "diff", "10586", "14393")]
    public void Events_Json_HoldsToItsSchema(params string[] args) => AssertHolds("events.json", [.. args, "--json"]);

    [Theory]
    [InlineData("capture", "--match", "tcp", "port", "443", "--dry-run", "--engine", "netsh")]
    [InlineData("capture", "--match", "tcp", "port", "443", "--dry-run", "--windows-build", "19045")]
    [InlineData("capture", "--match", "tcp", "port", "443", "--dry-run", "--windows-build", "26100")]
    [InlineData("capture", "--all", "--dry-run", "--engine", "etw", "--until", "reset", "or", "process", "exit", "curl")]
    [InlineData("capture", "--all", "--dry-run", "--engine", "linux")]
    public void CapturePlan_Json_HoldsToItsSchema(params string[] args) => AssertHolds("capture-plan.json", [.. args, "--json"]);

    [SharedTheory]
    [InlineData("windows/sample-22621-netsh/sample-22621-netsh.etl")]
    [InlineData("windows/sample-26100-pktmon/sample-26100-pktmon.etl")]
    [InlineData("etl/primitive-types.etl.zip")]
    [InlineData("etl/gcevents.etl.zip")]
    public void Dump_WindowsTrace_HoldsToItsSchema(string name) => AssertLinesHold(SharedFolder.PathOf("traces", name), "--limit", "2000");

    [Fact]
    public void Check_WrongDocument_SaysWhere()
    {
        JsonSchema schema = JsonSchema.Read("info.json");
        Assert.Equal(["$: files is missing", "$: more is not in the schema"], schema.Check("""{"schema":"tcpdiag/info/1","more":1}"""));
        Assert.Equal(["$.files: expected array, found Number"], schema.Check("""{"schema":"tcpdiag/info/1","files":1}"""));
    }

    public static TheoryData<string> Schemas =>
        [.. Directory.GetFiles(ProjectFolder.PathOf("docs", "schemas"), "*.json").Select(file => Path.GetFileNameWithoutExtension(file))];

    // JSON Schema 2020-12 §8.2.1: an absolute URI; a name, so that no validator looks for it in a network. Its number is that of the documents it describes.
    [Theory]
    [MemberData(nameof(Schemas))]
    public void Id_IsAnAbsoluteUriOfItsName(string name)
    {
        string text = File.ReadAllText(ProjectFolder.PathOf("docs", "schemas", name + ".json"));
        using var schema = JsonDocument.Parse(text);
        string id = schema.RootElement.GetProperty("$id").GetString()!;
        string number = text.Contains($"\"const\": \"tcpdiag/{name}/2\"", System.StringComparison.Ordinal) ? "2" : "1";
        Assert.Equal($"urn:tcpdiag:schema:{name}:{number}", id);
        Assert.True(Uri.TryCreate(id, UriKind.Absolute, out _));
    }

    static void AssertLinesHold(string path, params string[] options)
    {
        var output = new StringWriter();
        Assert.Equal(ExitCode.Done, new CommandLine(output, new StringWriter()).Run(["dump", path, "--json", .. options]));
        string[] lines = output.ToString().Split('\n', System.StringSplitOptions.RemoveEmptyEntries);
        Assert.NotEmpty(lines);
        JsonSchema schema = JsonSchema.Read("dump.json");
        Assert.All(lines, line => Assert.Empty(schema.Check(line)));
    }

    static void AssertHolds(string schema, params string[] args)
    {
        var output = new StringWriter();
        var error = new StringWriter();
        Assert.Equal(ExitCode.Done, new CommandLine(output, error).Run(args));
        Assert.Empty(JsonSchema.Read(schema).Check(output.ToString()));
    }
}
