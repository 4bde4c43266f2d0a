using System;
using System.IO;
using System.Linq;
using System.Text.Json;
using TcpDiag.Scores.RunSets;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;
using TcpDiag.Store.Sqlite;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary><c>tcpdiag store</c> as users call it, and <c>--store</c> of other commands.</summary>
public sealed class StoreCommandTests : IDisposable
{
    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-test-").FullName;
    StringWriter _output = new();
    StringWriter _error = new();

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    string Store => Path.Combine(_folder, "a b", "results.db");

    [Fact]
    public void Commands_Json_HoldsToItsSchema()
    {
        AddFixtures();
        string source = Json("list").GetProperty("rows")[0].GetProperty("source").GetString()!;
        foreach (string command in (string[])
            ["list", $"show {source[..10]}", "query direction --limit 3", "query finding --column finding --min lost_ns=1", "query score",
                "prune --before 2000-01-01",
             "prune --before 2100-01-01 --dry-run", "vacuum"])
        {
            Json(command);
        }

        Assert.Equal(ExitCode.Done, Run("store", "schema", "--json"));
        AssertSchema();
    }

    [Fact]
    public void Schema_IsThatOfTheTables()
    {
        Assert.Equal(ExitCode.Done, Run("store", "schema", "--json"));
        JsonElement tables = JsonDocument.Parse(_output.ToString()).RootElement.GetProperty("tables");
        Assert.Equal(StoreSchema.Tables.Select(table => table.Name), tables.EnumerateArray().Select(table => table.GetProperty("name").GetString()));
        Assert.All(StoreSchema.Tables.SelectMany(table => table.Columns), column => Assert.True(column.About.Length is > 2 and < 80, column.Name));
        Assert.All(StoreSchema.Tables, table => Assert.Equal(table.Columns.Count, table.Columns.DistinctBy(column => column.Name).Count()));
    }

    [Fact]
    public void Add_Twice_SaysThatItIsThere()
    {
        string path = ProjectFolder.Fixture("reset.pcapng");
        Assert.Equal(ExitCode.Done, Run("store", "add", path, "--store", Made()));
        Assert.Equal($"added     {path}  1 connection, 1 finding\n", _output.ToString().ReplaceLineEndings("\n"));
        Assert.Equal(ExitCode.Done, Run("store", "add", path, "--store", Store));
        Assert.Equal($"kept      {path}\n", _output.ToString().ReplaceLineEndings("\n"));
    }

    [Fact]
    public void Add_OneThatCannotBeRead_KeepsTheOthers()
    {
        string wrong = Path.Combine(_folder, "wrong");
        File.WriteAllText(wrong, "no trace");
        Assert.Equal(ExitCode.Failed, Run("store", "add", wrong, Path.Combine(_folder, "none"), ProjectFolder.Fixture("reset.pcapng"), "--store", Made()));
        Assert.Equal(2, _error.ToString().TrimEnd().Split('\n').Length);
        Assert.Contains("rejected", _output.ToString(), StringComparison.Ordinal);
        Assert.Single(Json("list").GetProperty("rows").EnumerateArray());
    }

    [Fact]
    public void Add_Damaged_IsStoredAndSaidSo()
    {
        string cut = Path.Combine(_folder, "cut.pcapng");
        File.WriteAllBytes(cut, File.ReadAllBytes(ProjectFolder.Fixture("bulk-loss.pcapng"))[..^10]);
        Assert.Equal(ExitCode.Damaged, Run("store", "add", cut, "--store", Made()));
        Assert.False(Json("list").GetProperty("rows")[0].GetProperty("is_complete").GetBoolean());
    }

    [Fact]
    public void Export_Csv_AndLines_HoldAllRows()
    {
        AddFixtures();
        string csv = Path.Combine(_folder, "out.csv");
        Assert.Equal(ExitCode.Done, Run("store", "export", "direction", "--store", Store, "--csv", csv, "--column", "sender", "--column", "unique_bytes"));
        string[] lines = File.ReadAllText(csv).Split("\r\n");
        Assert.Equal(("sender,unique_bytes", 1 + 10 + 1), (lines[0], lines.Length));
        Assert.Equal(ExitCode.Usage, Run("store", "export", "direction", "--store", Store, "--csv", csv));
        string objects = Path.Combine(_folder, "out.ndjson");
        Assert.Equal(ExitCode.Done, Run("store", "export", "direction", "--store", Store, "--ndjson", objects, "--is", "sender=client"));
        Assert.All(File.ReadAllLines(objects), line => Assert.Equal("client", JsonDocument.Parse(line).RootElement.GetProperty("sender").GetString()));
        Assert.Equal(5, File.ReadAllLines(objects).Length);
    }

    [Fact]
    public void Analyze_Store_KeepsWhatAddWouldKeep()
    {
        string path = ProjectFolder.Fixture("bulk-loss.pcapng");
        Assert.Equal(ExitCode.Done, Run("analyze", path, "--store", Made()));
        JsonElement analyzed = Json("query direction").GetProperty("rows");
        Assert.Equal(ExitCode.Done, Run("store", "add", path, "--store", Store));
        Assert.StartsWith("kept", _output.ToString(), StringComparison.Ordinal);
        Assert.Equal(2, analyzed.GetArrayLength());
    }

    [Fact]
    public void Score_Store_KeepsRecordingAndScores()
    {
        Assert.Equal(ExitCode.Done, Run("score", ProjectFolder.Fixture("bulk-loss.pcapng"), "--store", Made()));
        Assert.Equal(["analysis", "score"], Json("query result").GetProperty("rows").EnumerateArray().Select(row => row.GetProperty("kind").GetString()));
        Assert.NotEqual(0, Json("query score").GetProperty("rows").GetArrayLength());
    }

    [Fact]
    public void Simulated_LabAndComparison_AreKept()
    {
        string lab = Path.Combine(_folder, "lab");
        Assert.Equal(ExitCode.Done, Run("simulate", "smoke", "--iterations", "5", "--out", lab));
        int compared = Run("compare", lab, lab, "--store", Made());
        Assert.True(compared == ExitCode.Done, _error.ToString());
        Assert.All(Json("query comparison --is metric=goodput").GetProperty("rows").EnumerateArray(), row => Assert.Equal("equal", row.GetProperty("verdict")
            .GetString()));
        Assert.All(Json("query comparison --is metric=goodput").GetProperty("rows").EnumerateArray(), row => Assert.Equal(1_000_000,
            row.GetProperty("ratio_ppm").GetInt64()));
        using (SqliteStore store = SqliteStore.Open(Store))
        {
            store.Add(ExperimentRows.Of(lab));
        }

        JsonElement[] runs = [.. Json("query lab_run --limit 1000").GetProperty("rows").EnumerateArray()];
        Assert.Equal(LabResultReader.Read(lab).Sum(side => side.Runs), runs.Length);
        Assert.All(runs, run => Assert.InRange(run.GetProperty("goodput_bps").GetInt64(), 1, long.MaxValue));
    }

    [Theory]
    [InlineData("analyze X --store S --port 1", "--store keeps whole recordings: leave --port away")]
    [InlineData("analyze - --store S", "--store keeps whole recordings: leave standard input (-) away")]
    [InlineData("analyze X --store S --vantage client", "--store keeps whole recordings: leave --vantage away")]
    [InlineData("score X --store S --from 1s", "--store keeps whole recordings: leave --from away")]
    [InlineData("store prune --store S", "prune: say what is to be removed, e.g. --before 2026-01-01")]
    [InlineData("store query nothing --store S",
        "TABLE: expected result, recording, connection, direction, finding, score, lab_run or comparison, found 'nothing'")]
    [InlineData("store query finding --store S --min lost_ns=x", "--min: expected a number, found 'lost_ns=x'")]
    [InlineData("store query finding --store S --is x=1", "--is: expected a column of finding (tcpdiag store schema lists them), found 'x=1'")]
    [InlineData("store query finding --store S --column x", "--column: expected a column of finding (tcpdiag store schema lists them), found 'x'")]
    [InlineData("store export finding --store S", "export: give one of --csv, --ndjson and --parquet")]
    [InlineData("store list --store S --after 1.1.2026", "--after: expected a day such as 2026-11-23, found '1.1.2026'")]
    [InlineData("store list", "--store FILE is missing. The store: a file, or clickhouse://HOST:8123/DATABASE")]
    public void Options_ThatDoNotFit_AreWrongUsage(string line, string message)
    {
        Assert.Equal(ExitCode.Usage, Run(line.Split(' ')));
        Assert.StartsWith($"tcpdiag: {message}\n", _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Fleet_Report_HoldsToItsSchema_AndSaysWhatIsMissing()
    {
        AddFixtures();
        Assert.Equal(ExitCode.Done, Run("fleet", "report", "--store", Store, "--by", "platform", "--json"));
        Assert.Empty(JsonSchema.Read("fleet.json").Check(_output.ToString()));
        Assert.Equal(ExitCode.Done, Run("fleet", "report", "--store", Store));
        Assert.Contains("5 are needed", _output.ToString(), StringComparison.Ordinal);
        Assert.Contains("zero-window", _output.ToString(), StringComparison.Ordinal);
        Assert.Equal(ExitCode.Done, Run("store", "prune", "--store", Store, "--before", "2100-01-01"));
        Assert.Equal(ExitCode.NoResult, Run("fleet", "report", "--store", Store));
        Assert.StartsWith("No recording of a known machine and time.", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Fleet_Report_Html_IsOnePage()
    {
        AddFixtures();
        string page = Path.Combine(_folder, "fleet.html");
        Assert.Equal(ExitCode.Done, Run("fleet", "report", "--store", Store, "--html", page));
        Assert.StartsWith("Week of ", _output.ToString(), StringComparison.Ordinal);
        Assert.Contains("zero-window", File.ReadAllText(page), StringComparison.Ordinal);
        Assert.Equal(ExitCode.Usage, Run("fleet", "report", "--store", Store, "--html", page));
        Assert.Equal(ExitCode.Usage, Run("fleet", "report", "--store", Store, "--html", "-", "--json"));
        Assert.Equal(ExitCode.Failed, Run("fleet", "report", "--store", Path.Combine(_folder, "none.db"), "--html", Path.Combine(_folder, "none.html")));
        Assert.False(File.Exists(Path.Combine(_folder, "none.html")));
    }

    [Fact]
    public void Builds_HoldToTheirSchema_AndSayWhatIsDocumentedWithoutAnyRecording()
    {
        AddFixtures();
        Assert.Equal(ExitCode.Done, Run("builds", "--store", Store, "--json"));
        Assert.Empty(JsonSchema.Read("builds.json").Check(_output.ToString()));
        JsonElement[] builds = [.. JsonDocument.Parse(_output.ToString()).RootElement.GetProperty("builds").EnumerateArray()];
        Assert.Equal("linux", builds[^1].GetProperty("platform").GetString());
        Assert.Equal(5, builds[^1].GetProperty("measured").GetProperty("recordings").GetInt64());
        string page = Path.Combine(_folder, "builds.html");
        Assert.Equal(ExitCode.Done, Run("builds", "--store", Store, "--html", page));
        Assert.All(_output.ToString().Split('\n'), line => Assert.True(line.Length <= 80, line));
        Assert.Contains("Windows 11 24H2", File.ReadAllText(page), StringComparison.Ordinal);
        Assert.Equal(ExitCode.Done, Run("store", "prune", "--store", Store, "--before", "2100-01-01"));
        Assert.Equal(ExitCode.NoResult, Run("builds", "--store", Store));
        Assert.Contains("loss detection: RACK, blind to DSACKs", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Serve_WithoutStoreOrPlace_IsToldInOneLine()
    {
        Assert.Equal(ExitCode.Failed, Run("serve", "--store", Path.Combine(_folder, "none.db"), "--listen", "0"));
        Assert.Contains("there is no such store", _error.ToString(), StringComparison.Ordinal);
        Assert.Equal(ExitCode.Usage, Run("serve", "--store", "s", "--listen", "example.org:80"));
        Assert.StartsWith("tcpdiag: --listen: expected an address and a port such as 127.0.0.1:8417, found 'example.org:80'", _error.ToString(),
            StringComparison.Ordinal);
        AddFixtures();
        Assert.Equal(ExitCode.Failed, Run("serve", "--store", Store, "--listen", "192.0.2.1:1"));
        Assert.StartsWith("tcpdiag: --listen 192.0.2.1:1: cannot listen there: ", _error.ToString(), StringComparison.Ordinal);
        string token = Path.Combine(_folder, "token");
        File.WriteAllText(token, "short");
        Assert.Equal(ExitCode.Failed, Run("serve", "--store", Store, "--listen", "0", "--token-file", token));
        Assert.Contains("expected a token of 16 or more letters, digits, dashes or underscores", _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Ingest_Usage_IsChecked()
    {
        Assert.Equal(ExitCode.Usage, Run("ingest", "x", "--store", "s", "--metrics", "example.org:1"));
        Assert.StartsWith("tcpdiag: --metrics: expected an address and a port such as 127.0.0.1:9464, found 'example.org:1'", _error.ToString(),
            StringComparison.Ordinal);
        Assert.Equal(ExitCode.Failed, Run("ingest", Path.Combine(_folder, "none"), "--store", Made(), "--once"));
        Assert.Contains("there is no such folder to take recordings from", _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Names_Hostile_AreShownAsText()
    {
        string path = Path.Combine(_folder, "a\u001b[31m\nb\u202e.pcapng");
        File.Copy(ProjectFolder.Fixture("reset.pcapng"), path);
        Assert.Equal(ExitCode.Done, Run("store", "add", path, "--store", Made(), "--site", "=cmd|' /C calc'!A0\u001b"));
        Assert.DoesNotContain('\u001b', _output.ToString());
        Assert.Equal(ExitCode.Done, Run("store", "list", "--store", Store));
        Assert.DoesNotContain('\u001b', _output.ToString());
        Assert.DoesNotContain('\u202e', _output.ToString());
        Assert.Equal(2, _output.ToString().TrimEnd().Split('\n').Length);
        Assert.Equal(ExitCode.Done, Run("store", "export", "recording", "--store", Store, "--csv", "-", "--column", "site"));
    }

    string Made()
    {
        Directory.CreateDirectory(Path.GetDirectoryName(Store)!);
        return Store;
    }

    void AddFixtures() => Assert.Equal(ExitCode.Done, Run(
        ["store", "add", .. Directory.GetFiles(ProjectFolder.PathOf("tests", "fixtures"), "*.pcapng"), "--store", Made(), "--json"]));

    JsonElement Json(string command)
    {
        int exitCode = Run(["store", .. command.Split(' '), "--store", Store, "--json"]);
        Assert.True(exitCode == ExitCode.Done, $"{command}: {_error}");
        AssertSchema();
        return JsonDocument.Parse(_output.ToString()).RootElement;
    }

    void AssertSchema() => Assert.Empty(JsonSchema.Read("store.json").Check(_output.ToString()));

    int Run(params string[] args)
    {
        (_output, _error) = (new(), new());
        return new CommandLine(_output, _error).Run(args);
    }
}
