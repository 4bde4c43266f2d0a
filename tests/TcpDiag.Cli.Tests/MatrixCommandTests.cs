using System;
using System.IO;
using System.Linq;
using System.Text.Json;
using Xunit;

namespace TcpDiag.Cli.Tests;

public sealed class MatrixCommandTests : IDisposable
{
    const string Fast = "[9.1e7, 9.2e7, 9.3e7, 9.4e7, 9.5e7, 9.6e7, 9.7e7]";
    const string Slow = "[6.1e7, 6.2e7, 6.3e7, 6.4e7, 6.5e7, 6.6e7, 6.7e7]";

    readonly StringWriter _output = new();
    readonly StringWriter _error = new();
    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-matrix").FullName;

    [Fact]
    public void Matrix_Text_HasAColumnForEachBuild()
    {
        Assert.Equal(ExitCode.Done, Run("matrix", Save("22000", ("x", Slow)), Save("22621", ("x", Fast)), Save("26100", ("x", Slow))));
        Assert.Equal(
            """
            in common: rtt 25ms

            goodput, bit/s                 A      B       C
            001                        64.0M   1.47+   1.00=

            No build regressed beside 22000. Improved: 22621. 2 cells: 1 improved, 1 equal.
            Ratios to A: + improved, - regressed, = equal, ? not enough evidence. Margin 5
            %; the chance that a matrix without any difference has one is at most 5 %.

            """.ReplaceLineEndings("\n"),
            _output.ToString()[_output.ToString().IndexOf("in common", StringComparison.Ordinal)..]);
        Assert.Matches(@"^A  22000: \S+", _output.ToString());
        Assert.Equal(string.Empty, _error.ToString());
    }

    [Fact]
    public void Matrix_Json_HoldsToItsSchema()
    {
        Assert.Equal(ExitCode.Done, Run("matrix", Save("one", ("a", Fast), ("b", Slow), ("c", "[0, 0, 0, 0, 0]")), "--base", "B", "--json"));
        Assert.Empty(JsonSchema.Read("matrix.json").Check(_output.ToString()));
        JsonElement document = JsonDocument.Parse(_output.ToString()).RootElement;
        Assert.Equal("b", document.GetProperty("base").GetProperty("name").GetString());
        Assert.Equal(["a", "c"], document.GetProperty("builds").EnumerateArray().Select(build => build.GetProperty("name").GetString()));
        JsonElement cell = document.GetProperty("rows")[0].GetProperty("cells")[0];
        Assert.Equal("improved", cell.GetProperty("judgement").GetProperty("verdict").GetString());
    }

    // Conditions of the team's test bed, at full length; elsewhere there is no such column (above).
    [Fact]
    public void Matrix_ConditionsThatWerePublished_HaveItBeside()
    {
        string folder = Save("one", ("a", Slow), ("b", Fast));
        string file = Path.Combine(folder, "run.json");
        const string Path100 = """[{"name":"rate","values":["100mbit"]},{"name":"rtt","values":["200ms"]},{"name":"buffer","values":["1bdp"]},""";
        const string Early = """{"name":"reorder","values":["out:1pct:replace:5ms"]}],"flow":[{"name":"bytes","values":["128mb"]}]""";
        File.WriteAllText(file, File.ReadAllText(file).Replace("""[{"name":"rtt","values":["25ms"]}],"flow":[]""", Path100 + Early, StringComparison.Ordinal));
        string html = Path.Combine(_folder, "published.html");

        Assert.Equal(ExitCode.Done, Run("matrix", folder, "--html", html));
        Assert.Contains("goodput, bit/s                 A      B   published\n001                        64.0M   1.47+         40\n", _output.ToString(),
            StringComparison.Ordinal);
        Assert.Contains("Windows TCP team 2021", _output.ToString().ReplaceLineEndings(" "), StringComparison.Ordinal);
        Assert.Contains("<td>40</td>", File.ReadAllText(html), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(Fast, Slow, ExitCode.CheckFailed)]
    [InlineData(Slow, Fast, ExitCode.Done)]
    public void Matrix_FailOnRegression_EndsWithItsExitCode(string a, string b, int code) =>
        Assert.Equal(code, Run("matrix", Save("one", ("a", a), ("b", b)), "--fail-on", "regression"));

    [Fact]
    public void Matrix_ConditionsAlone_FailsAndSaysWhatIsLeftOut()
    {
        string b = Save("b", ("x", Fast));
        File.WriteAllText(Path.Combine(b, "run.json"), File.ReadAllText(Path.Combine(b, "run.json")).Replace("25ms", "50ms", StringComparison.Ordinal));
        Assert.Equal(ExitCode.Failed, Run("matrix", Save("a", ("x", Fast)), b));
        Assert.Contains("Left out:\n  A  001, beside B: B has no rtt 25ms\n  B  rtt 50ms, beside A: A has no rtt 50ms\n", _output.ToString(),
            StringComparison.Ordinal);
    }

    [Fact]
    public void Matrix_Page_HasNoMarkupOfTheData()
    {
        string folder = Save("one", ("a", Fast), ("<img src=x>", Slow));
        string html = Path.Combine(_folder, "matrix.html");
        Assert.Equal(ExitCode.Done, Run("matrix", folder, "--html", html));
        string page = File.ReadAllText(html);
        Assert.Contains("Regressed beside a: &lt;img src=x&gt;", page, StringComparison.Ordinal);
        Assert.DoesNotContain("<img", page, StringComparison.Ordinal);
        Assert.DoesNotContain("<script", page, StringComparison.Ordinal);
        Assert.Contains("<td class=\"worse step3\">0.68-</td>", page, StringComparison.Ordinal);
        Assert.NotEqual(ExitCode.Done, Run("matrix", folder, "--html", html)); // what is there is not replaced unasked
    }

    [Fact]
    public void Matrix_OneBuild_IsOneLine()
    {
        Assert.Equal(ExitCode.Failed, Run("matrix", Save("one", ("a", Fast))));
        Assert.Equal("tcpdiag: expected two builds or more, found 1 (a). Name further result directories.\n", _error.ToString());
    }

    [Fact]
    public void Matrix_UnknownBase_NamesTheBuilds()
    {
        Assert.Equal(ExitCode.Failed, Run("matrix", Save("one", ("a", Fast), ("b", Fast)), "--base", "c"));
        Assert.Equal("tcpdiag: expected a build called c as the base, found a, b.\n", _error.ToString());
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    string Save(string name, params (string Side, string Goodput)[] sides) => MadeResult.Save(_folder, name, sides);

    int Run(params string[] args) => new CommandLine(_output, _error).Run(args);
}
