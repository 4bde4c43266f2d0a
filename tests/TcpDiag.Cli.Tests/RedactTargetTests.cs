using System;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Text.Json.Nodes;
using TcpDiag.Testing;
using TcpDiag.Traces.Bundles;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary>
/// Which files <c>redact</c> reads and which it writes: it never takes a recording for its target, and a dry run tells what it would recognise.
/// </summary>
public sealed class RedactTargetTests : IDisposable
{
    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-redact6-target-").FullName;
    readonly StringWriter _output = new();
    readonly StringWriter _error = new();

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Redact_TwoRecordings_LeavesTheSecondAsItIs()
    {
        File.Copy(ProjectFolder.Fixture("reset.pcapng"), In("a.pcapng"));
        File.Copy(ProjectFolder.Fixture("ipv6.pcapng"), In("b.pcapng"));

        Assert.Equal(ExitCode.Usage, Run("redact", In("a.pcapng"), In("b.pcapng")));
        Assert.Contains("b.pcapng: is there already, and would be replaced. Name another file to write, or --force to replace it.",
            _error.ToString(), StringComparison.Ordinal);
        Assert.Equal(File.ReadAllBytes(ProjectFolder.Fixture("ipv6.pcapng")), File.ReadAllBytes(In("b.pcapng")));

        Assert.Equal(ExitCode.Done, Run("redact", In("a.pcapng"), In("b.pcapng"), "--force"));
        Assert.NotEqual(File.ReadAllBytes(ProjectFolder.Fixture("ipv6.pcapng")), File.ReadAllBytes(In("b.pcapng")));
    }

    [Fact]
    public void Redact_FileThatIsThereInAFolder_StaysAndSoDoAllOthers()
    {
        Directory.CreateDirectory(In("out"));
        File.WriteAllText(In("out/ipv6.pcapng"), "mine");

        Assert.Equal(ExitCode.Usage, Run("redact", ProjectFolder.Fixture("reset.pcapng"), ProjectFolder.Fixture("ipv6.pcapng"), In("out")));
        Assert.Equal("mine", File.ReadAllText(In("out/ipv6.pcapng")));
        Assert.Single(Directory.GetFiles(In("out")));
    }

    [Fact]
    public void Redact_EndingOfAnotherFormat_IsRefused()
    {
        WriteBundle(In("in.tcpdiag"));
        Assert.Equal(ExitCode.Usage, Run("redact", In("in.tcpdiag"), In("g.pcapng")));
        Assert.Contains("g.pcapng: ", _error.ToString(), StringComparison.Ordinal);
        Assert.Contains("becomes a .tcpdiag file", _error.ToString(), StringComparison.Ordinal);
        Assert.Equal(ExitCode.Usage, Run("redact", ProjectFolder.Fixture("reset.pcapng"), In("g.tcpdiag")));
        Assert.Equal(ExitCode.Usage, Run("redact", ProjectFolder.Fixture("reset.pcapng"), In("g.pcapng.gz")));
        Assert.Equal(ExitCode.Done, Run("redact", ProjectFolder.Fixture("reset.pcapng"), In("for-support")));
    }

    [Fact]
    public void Redact_PackedTraceIntoAFolder_IsNamedAsWhatItIs()
    {
        Directory.CreateDirectory(In("out"));
        using (var packed = new GZipStream(File.Create(In("a.pcapng.gz")), CompressionLevel.Fastest))
        {
            packed.Write(File.ReadAllBytes(ProjectFolder.Fixture("reset.pcapng")));
        }

        Assert.Equal(ExitCode.Done, Run("redact", In("a.pcapng.gz"), In("out"), "--verify"));
        Assert.Equal("a.pcapng", Path.GetFileName(Directory.GetFiles(In("out")).Single()));
    }

    [Theory]
    [InlineData("no such folder", "reset.pcapng", "ipv6.pcapng", "nowhere")]
    [InlineData("standard output cannot be searched afterwards", "reset.pcapng", "-", "--verify")]
    public void Redact_TargetThatCannotBe_IsWrongUsage(string text, string input, params string[] rest)
    {
        string[] named = [.. rest.Select(name => name.StartsWith('-') ? name : name.Contains('.', StringComparison.Ordinal) ? ProjectFolder.Fixture(name)
            : In(name))];
        Assert.Equal(ExitCode.Usage, Run(["redact", ProjectFolder.Fixture(input), .. named]));
        Assert.Contains(text, _error.ToString(), StringComparison.Ordinal);
        Assert.Empty(_output.ToString());
    }

    [Fact]
    public void Redact_DryRunOfTwoRecordings_LooksAtBothAndTellsWhatItRecognised()
    {
        WriteBundle(In("in.tcpdiag"));
        Assert.Equal(ExitCode.Done, Run("redact", ProjectFolder.Fixture("ipv6.pcapng"), In("in.tcpdiag"), "--dry-run"));

        string text = _output.ToString();
        Assert.Contains("\nwords (", text, StringComparison.Ordinal);
        Assert.Contains("alicecorp", text, StringComparison.Ordinal);
        Assert.Contains("\nipv6 addresses (2):\n", text, StringComparison.Ordinal);
        Assert.All(text.Split('\n'), line => Assert.InRange(line.Length, 0, 80));
        Assert.Single(Directory.GetFiles(_folder));
    }

    [Fact]
    public void Redact_DryRunAsJson_HasEveryValueAndItsPlace()
    {
        WriteBundle(In("in.tcpdiag"));
        Assert.Equal(ExitCode.Done, Run("redact", In("in.tcpdiag"), "--dry-run", "--json"));

        Assert.Empty(JsonSchema.Read("redaction.json").Check(_output.ToString()));
        JsonArray values = JsonNode.Parse(_output.ToString())!["values"]!.AsArray();
        Assert.Contains(values, value => value!["value"]!.GetValue<string>() is "alicecorp" && value["place"]!.GetValue<string>() is "snapshot.json");
        string[] words = [.. values.Where(value => value!["kind"]!.GetValue<string>() is "words").Select(value => value!["value"]!.GetValue<string>())];
        Assert.Equal(words.Order(StringComparer.Ordinal), words);
    }

    static void WriteBundle(string path) =>
        TestBundle.Write(path, TestBundle.Snapshot(new SnapshotSection("dns", "t", 1, null, [new("/etc/resolv.conf", "search", "alicecorp.example")])));

    int Run(params string[] args) => new CommandLine(_output, _error).Run(args);

    string In(string name) => Path.Combine(_folder, name);
}
