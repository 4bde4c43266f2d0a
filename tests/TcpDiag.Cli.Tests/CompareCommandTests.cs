using System;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Text.RegularExpressions;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

public sealed class CompareCommandTests : IDisposable
{
    const string Fast = "[9.1e7, 9.2e7, 9.3e7, 9.4e7, 9.5e7]";
    const string Slow = "[6.1e7, 6.2e7, 6.3e7, 6.4e7, 6.5e7]";

    readonly StringWriter _output = new();
    readonly StringWriter _error = new();
    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-compare").FullName;

    [Fact]
    public void Compare_Text_SaysWhatACustomerNeeds()
    {
        Assert.Equal(ExitCode.Done, Run("compare", Save("one", ("a", Fast), ("b", Slow))));
        Assert.Equal(
            """
            in common: rtt 25ms
            A and B share no seed: their runs are compared without pairs, which takes many
            more of them

            goodput, bit/s                 A       B     n    B/A  95 % interval  verdict
            001                        93.0M   63.0M   5/5   0.68  0.65 to 0.70   regressed
                B lower in 100 % of all pairings, p 0.0079

            Overall, 1 cell: goodput regressed. B/A 0.68 (0.65 to 0.70), p 0.0079.
            1 cell: 1 regressed. Margin 5 %.

            """.ReplaceLineEndings("\n"),
            _output.ToString()[_output.ToString().IndexOf("in common", StringComparison.Ordinal)..]);
        Assert.Contains(" b (stack adaptive), ", _output.ToString(), StringComparison.Ordinal);
        Assert.Equal(string.Empty, _error.ToString());
    }

    // Build 22000 never learns from DSACKs that packets overtake each other, 22621 does: a rate of its own shows it.
    [Fact]
    public void Compare_Scores_NamesTheRateThatMoved()
    {
        string old = Simulate("22000");
        string now = Simulate("22621");
        Assert.Equal(ExitCode.Done, Run("compare", old, now, "--scores"));
        Assert.Contains("score: early-within-srtt ", _output.ToString(), StringComparison.Ordinal);
        Assert.Contains("score: utilisation ", _output.ToString(), StringComparison.Ordinal);

        _output.GetStringBuilder().Clear();
        Assert.Equal(ExitCode.Done, Run("compare", old, now));
        Assert.DoesNotContain("score:", _output.ToString(), StringComparison.Ordinal);
        Assert.Contains("time to 90 % of rate", _output.ToString(), StringComparison.Ordinal);
    }

    // Paths of 40 and of 50 ms are of one class.
    [Fact]
    public void Compare_FoldersOfRecordings_FindsTheBuildThatTakesReorderingForLoss()
    {
        string old = Recordings("22000", seed: 11);
        string now = Recordings("22621", seed: 77);
        File.Copy(Path.Combine(old, "1.pcapng"), Path.Combine(old, "again.pcapng"));
        File.WriteAllText(Path.Combine(old, "broken.pcapng"), "no trace");
        _output.GetStringBuilder().Clear();
        Assert.Equal(ExitCode.Damaged, Run("compare", old, now));

        string text = Regex.Replace(_output.ToString(), @"\s+", " ", default, TimeSpan.FromSeconds(1));
        Assert.Contains("recordings, unknown system, 12 runs; not all of them could be read ", text, StringComparison.Ordinal);
        Assert.Contains("in common: data sent, rtt 30.0 ms to 80.0 ms, size 1.00 MB to 10.0 MB ", text, StringComparison.Ordinal);
        Assert.Contains("each recording is one run", text, StringComparison.Ordinal);
        Assert.Contains("Overall, 1 cell: goodput improved.", text, StringComparison.Ordinal);
        Assert.Contains($"again.pcapng: the same transfer as in {Path.Combine(old, "1.pcapng")}\n", _error.ToString(), StringComparison.Ordinal);
        Assert.Contains("broken.pcapng: ", _error.ToString(), StringComparison.Ordinal);

        // Recordings are known by what is in them: under other names they are the same comparison.
        string store = Path.Combine(_folder, "kept.db");
        Assert.Equal(ExitCode.Damaged, Run("compare", old, now, "--store", store));
        File.Move(Path.Combine(now, "1.pcapng"), Path.Combine(now, "renamed.pcapng"));
        Assert.Equal(ExitCode.Damaged, Run("compare", old, now, "--store", store));
        _output.GetStringBuilder().Clear();
        Assert.Equal(ExitCode.Done, Run("store", "query", "comparison", "--store", store, "--is", "metric=goodput", "--column", "verdict"));
        Assert.Equal(["improved", "improved"], _output.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries).Skip(1));
    }

    [Fact]
    public void Compare_FolderWithoutATransfer_IsOneLine()
    {
        string empty = Directory.CreateDirectory(Path.Combine(_folder, "empty")).FullName;
        File.Copy(ProjectFolder.PathOf("tests", "fixtures", "reset.pcapng"), Path.Combine(empty, "reset.pcapng"));
        Assert.Equal(ExitCode.Failed, Run("compare", empty, empty));
        Assert.Equal(
            $"tcpdiag: {empty}: expected a recording with a transfer of 100 kB or more, found none. "
            + $"{Path.Combine(empty, "reset.pcapng")}: no transfer of 100 kB or more whose rate shows\n",
            _error.ToString());
    }

    // Transfers over simulated paths that reorder, as their senders saw them.
    string Recordings(string build, int seed)
    {
        string matrix = Path.Combine(_folder, "reordering.yaml");
        File.WriteAllText(matrix, """
            name: reordering
            path: { rate: 100mbit, rtt: [40ms, 50ms], buffer: 1bdp, reorder: "out:1pct:replace:5ms" }
            flow: { bytes: 4mb }
            sides: { only: {} }
            iterations: 6
            """);
        string result = Path.Combine(_folder, build);
        Assert.Equal(ExitCode.Done, Run("simulate", matrix, "--build", build, "--seed", seed.ToString(CultureInfo.InvariantCulture), "--out", result));
        string folder = Directory.CreateDirectory(Path.Combine(_folder, $"recorded-{build}")).FullName;
        string[] traces = [.. Directory.GetFiles(result, "sender.pcapng", SearchOption.AllDirectories).Order(StringComparer.Ordinal)];
        for (int i = 0; i < traces.Length; i++)
        {
            File.Copy(traces[i], Path.Combine(folder, $"{i + 1}.pcapng"));
        }

        return folder;
    }

    [Theory]
    [InlineData(Fast, Slow, ExitCode.CheckFailed)]
    [InlineData(Slow, Fast, ExitCode.Done)]
    [InlineData(Fast, Fast, ExitCode.Done)]
    public void Compare_FailOnRegression_EndsWithItsExitCode(string a, string b, int code) =>
        Assert.Equal(code, Run("compare", Save("one", ("a", a), ("b", b)), "--fail-on", "regression"));

    [Fact]
    public void Compare_Margin_DecidesWhatMatters() =>
        Assert.Equal(ExitCode.Done, Run("compare", Save("one", ("a", Fast), ("b", Slow)), "--fail-on", "regression", "--margin", "60pct"));

    [Fact]
    public void Compare_TwoFolders_HoldsToItsSchema()
    {
        string a = Save("a", ("22000", Fast));
        string b = Save("b", ("22621", Slow));
        Assert.Equal(ExitCode.Done, Run("compare", a, b, "--json"));

        Assert.Empty(JsonSchema.Read("comparison.json").Check(_output.ToString()));
        JsonElement document = JsonDocument.Parse(_output.ToString()).RootElement;
        JsonElement goodput = document.GetProperty("metrics")[0];
        Assert.Equal("regressed", goodput.GetProperty("overall").GetProperty("verdict").GetString());
        Assert.Equal(63.0 / 93, goodput.GetProperty("cells")[0].GetProperty("judgement").GetProperty("ratio").GetDouble(), 12);
        Assert.Equal(0, goodput.GetProperty("cells")[0].GetProperty("pairs").GetInt32());
    }

    [Fact]
    public void Compare_NothingInCommon_FailsAndHoldsToItsSchema()
    {
        string a = Save("a", ("x", Fast));
        string b = Save("b", ("x", Fast));
        File.WriteAllText(Path.Combine(b, "run.json"), File.ReadAllText(Path.Combine(b, "run.json")).Replace("25ms", "50ms", StringComparison.Ordinal));
        Assert.Equal(ExitCode.Failed, Run("compare", a, b, "--json"));
        Assert.Empty(JsonSchema.Read("comparison.json").Check(_output.ToString()));
        _output.GetStringBuilder().Clear();
        Assert.Equal(ExitCode.Failed, Run("compare", a, b));
        Assert.EndsWith(
            """
            Left out:
              A  rtt 25ms, 5 runs: B has no rtt 25ms
              B  rtt 50ms, 5 runs: A has no rtt 50ms

            Nothing to compare: A and B have no cell in common.

            """.ReplaceLineEndings("\n"),
            _output.ToString(),
            StringComparison.Ordinal);
    }

    [Fact]
    public void Compare_InfiniteRatio_HoldsToItsSchema()
    {
        Run("compare", Save("one", ("a", "[0, 0, 0, 0, 0]"), ("b", Fast)), "--json");
        Assert.Empty(JsonSchema.Read("comparison.json").Check(_output.ToString()));
    }

    [Fact]
    public void Compare_Unfinished_IsDamagedAndSaysSo()
    {
        string folder = Save("one", ("a", Fast), ("b", Fast));
        string file = Path.Combine(folder, "run.json");
        File.WriteAllText(file, File.ReadAllText(file).Replace("\"isComplete\":true", "\"isComplete\":false", StringComparison.Ordinal));

        Assert.Equal(ExitCode.Damaged, Run("compare", folder));
        string[] words = _output.ToString().Split((char[])[' ', '\n'], StringSplitOptions.RemoveEmptyEntries);
        Assert.Contains("; the experiment was not finished ", string.Join(' ', words), StringComparison.Ordinal);
    }

    [Fact]
    public void Compare_Missing_IsOneLine()
    {
        Assert.Equal(ExitCode.Failed, Run("compare", "no-such"));
        Assert.Equal("tcpdiag: no-such: expected the result directory of tcpdiag lab run, found nothing of that name.\n",
            _error.ToString().ReplaceLineEndings("\n"));
    }

    [Theory]
    [InlineData("--margin", "5apples", "--margin: expected 0pct to 100pct")]
    [InlineData("--margin", "101pct", "--margin: expected 0pct to 100pct")]
    [InlineData("--fail-on", "rain", "--fail-on: expected regression")]
    [InlineData("--metric", "speed", "--metric: expected one of goodput, completion-time, retransmissions, needless, timeouts, rtt-under-load, time-to-rate, slow")]
    public void Compare_WrongOption_IsWrongUsage(string option, string value, string message)
    {
        Assert.Equal(ExitCode.Usage, Run("compare", "x", option, value));
        Assert.StartsWith($"tcpdiag: {message}", _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Compare_FailOnWhatIsNeitherGoodNorBad_IsWrongUsage()
    {
        Assert.Equal(ExitCode.Usage, Run("compare", "x", "--fail-on", "regression", "--metric", "time-recovery"));
        Assert.StartsWith("tcpdiag: --fail-on: time-recovery is neither good nor bad; name another --metric", _error.ToString(), StringComparison.Ordinal);
    }

    // Two builds as the simulator has them, over the same ten paths each: the older one does not adapt to reordering (docs/commands/simulate.md).
    [Fact]
    public void Compare_TwoSimulatedBuilds_AreTheSameRunsInPairs()
    {
        string a = Simulate("22000");
        string b = Simulate("22621");
        Assert.Equal(ExitCode.Done, Run("compare", a, b, "--side", "adaptive", "--json"));
        Assert.Empty(JsonSchema.Read("comparison.json").Check(_output.ToString()));

        JsonElement document = JsonDocument.Parse(_output.ToString()).RootElement;
        JsonElement cell = document.GetProperty("metrics")[0].GetProperty("cells")[0];
        Assert.Equal(10, cell.GetProperty("pairs").GetInt32());
        Assert.Equal("improved", cell.GetProperty("judgement").GetProperty("verdict").GetString());
        Assert.Equal(2.0 / 1024, cell.GetProperty("judgement").GetProperty("pValue").GetDouble(), 12);

        // The runs to open are there; less of the time goes into recovery, and fewer segments are resent.
        JsonElement why = document.GetProperty("explanations")[0];
        Assert.True(File.Exists(Path.Combine(why.GetProperty("folderA").GetString()!, "sender.pcapng")));
        Assert.True(File.Exists(Path.Combine(why.GetProperty("folderB").GetString()!, "sender.pcapng")));
        Assert.Contains(why.GetProperty("limits").EnumerateArray(), limit => limit.GetProperty("metric").ValueEquals("time-recovery"));
        Assert.Contains(why.GetProperty("moved").EnumerateArray(), moved => moved.GetProperty("metric").ValueEquals("retransmissions"));
    }

    [Fact]
    public void Compare_PageAndMarkdown_CarryTheVerdictAndNoMarkupOfTheData()
    {
        string folder = Save("one", ("a", Fast), ("b", Slow));
        string file = Path.Combine(folder, "run.json");
        File.WriteAllText(file, File.ReadAllText(file).Replace("\"25ms\"", "\"<script>alert(1)</script>|`x`\"", StringComparison.Ordinal));
        string html = Path.Combine(_folder, "report.html");
        string markdown = Path.Combine(_folder, "report.md");
        Assert.Equal(ExitCode.Done, Run("compare", folder, "--html", html, "--markdown", markdown));

        string page = File.ReadAllText(html);
        Assert.Contains("goodput regressed", page, StringComparison.Ordinal);
        Assert.Contains("&lt;script&gt;alert(1)", page, StringComparison.Ordinal);
        Assert.DoesNotContain("<script", page, StringComparison.Ordinal);
        Assert.DoesNotContain("http", page.Replace("http-equiv", string.Empty, StringComparison.Ordinal), StringComparison.Ordinal);
        string text = File.ReadAllText(markdown);
        Assert.StartsWith("**Overall, 1 cell: goodput regressed.", text, StringComparison.Ordinal);
        Assert.Contains("&lt;script>alert(1)&lt;/script>\\|\\`x\\`", text, StringComparison.Ordinal);

        // What is there is not replaced unasked.
        Assert.NotEqual(ExitCode.Done, Run("compare", folder, "--html", html));
        Assert.Equal(ExitCode.Done, Run("compare", folder, "--html", html, "--force"));
    }

    [Fact]
    public void Compare_TwoToStandardOutput_IsWrongUsage() => Assert.Equal(ExitCode.Usage, Run("compare", "x", "--json", "--html", "-"));

    [Fact]
    public void Compare_LongConditionsAndHostileNames_StayWithin80Columns()
    {
        string folder = Save("one", ("a", Fast), ("b", Slow));
        string file = Path.Combine(folder, "run.json");
        string text = File.ReadAllText(file).Replace("[\"25ms\"]", $"[\"25ms\",\"{new string('x', 60)}\\u001b[2J\"]", StringComparison.Ordinal);
        string cell = text[(text.IndexOf("\"results\":[", StringComparison.Ordinal) + 11)..^2];
        File.WriteAllText(file, text[..^2] + "," + cell.Replace("001", "002", StringComparison.Ordinal) + "]}");

        Assert.Equal(ExitCode.Done, Run("compare", folder));
        Assert.DoesNotContain('\u001b', _output.ToString());
        Assert.Contains("2 cells: 2 regressed", _output.ToString(), StringComparison.Ordinal);
        Assert.All(_output.ToString().Replace(_folder, string.Empty, StringComparison.Ordinal).Split('\n'), line => Assert.InRange(line.Length, 0, 80));
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    string Simulate(string build)
    {
        string folder = Path.Combine(_folder, build);
        string matrix = Path.Combine(_folder, "reorder.yaml");
        File.WriteAllText(
            matrix,
            """
            name: reorder
            iterations: 10
            path:
              rate: 100mbit
              rtt: 50ms
              buffer: 1bdp
              reorder: "out:1pct:replace:5ms"
            flow:
              bytes: 2mb
            sides:
              adaptive:
                stack: adaptive
            """);
        Assert.Equal(ExitCode.Done, Run("simulate", matrix, "--build", build, "--out", folder));
        _output.GetStringBuilder().Clear();
        return folder;
    }

    string Save(string name, params (string Side, string Goodput)[] sides) => MadeResult.Save(_folder, name, sides);

    int Run(params string[] args) => new CommandLine(_output, _error).Run(args);
}
