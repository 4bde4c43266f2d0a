using System;
using System.IO;
using System.Linq;
using System.Text.Json;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

public sealed class ScoreCommandTests : IDisposable
{
    const string Late = "out:3pct:add:20ms";
    const string Early = "out:1pct:replace:5ms";

    const string Matrix = """
        name: reordered
        description: Reordered packets.
        iterations: 1
        path:
          rate: 50mbit
          rtt: 50ms
          reorder: "REORDER"
        flow:
          bytes: 4mb
          limit: 2min
        sides:
          adaptive:
            stack: adaptive
        """;

    readonly StringWriter _output = new();
    readonly StringWriter _error = new();
    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-score").FullName;

    [Fact]
    public void Score_SimulatedBuild_SaysWhatItDoesAndThatItIsSimulated()
    {
        Assert.Equal(ExitCode.Done, Run("score", Simulate("22000", Early), "--build", "22000"));
        string text = _output.ToString();
        Assert.StartsWith("Simulated by tcpdiag: sender windows-22000", text, StringComparison.Ordinal);
        Assert.Contains("RACK with a fixed window", text, StringComparison.Ordinal);
        Assert.Contains("expected rack-no-dsack, observed rack-fixed: agrees", text, StringComparison.Ordinal);
        Assert.Contains("not exercised: the retransmission timer", text, StringComparison.Ordinal);
        Assert.All(text.Split('\n'), line => Assert.InRange(line.Length, 0, 80));
    }

    [Fact]
    public void Score_Json_HoldsToItsSchema()
    {
        Assert.Equal(ExitCode.Done, Run("score", Simulate("10586", Late), "--build", "22621", "--json"));
        Assert.Empty(JsonSchema.Read("score.json").Check(_output.ToString()));
        JsonElement sender = JsonDocument.Parse(_output.ToString()).RootElement.GetProperty("senders")[0];
        Assert.Equal("dupack", sender.GetProperty("fingerprint").GetProperty("verdict").GetString());
        Assert.Equal("contradicts", sender.GetProperty("expectation")[0].GetProperty("verdict").GetString());
    }

    // Each of the three worst places leads to its time in the graph of its connection; the figure stands behind the rates.
    [Fact]
    public void Score_Html_LinksTheWorstPlacesIntoTheGraph()
    {
        string page = Path.Combine(_folder, "scores.html");
        Assert.Equal(ExitCode.Done, Run("score", Simulate("22000", Early), "--build", "22000", "--html", page));
        string text = File.ReadAllText(page);
        Assert.Empty(_output.ToString());
        Assert.Contains("<h2 id=\"scores-heading\">Scores</h2>", text, StringComparison.Ordinal);
        Assert.Contains("RACK with a fixed window", text, StringComparison.Ordinal);
        Assert.Contains("id=\"timeline-0\"", text, StringComparison.Ordinal);
        Assert.Matches("<a class=\"place\" href=\"#connection-0-client@[0-9.]+-[0-9.]+\">packet [0-9]+ at [0-9.]+ s", text);
        Assert.Matches("together [0-9]+ of 100 [(][0-9]+(&#x2013;|–)[0-9]+[)], from [0-9] of 8 rates", text);
        Assert.Equal(ExitCode.Usage, Run("score", "x.pcapng", "--json", "--html", "-"));
    }

    // docs/scores.md prints what the program prints of the fixture that it works out by hand.
    [Fact]
    public void Score_ExampleOfItsPage_IsWhatItPrints()
    {
        const string Command = "$ tcpdiag score tests/fixtures/stories/s1-fixed-sender.pcapng\n";
        string page = File.ReadAllText(ProjectFolder.PathOf("docs", "scores.md"));
        string example = page.Split(Command)[1].Split("```")[0];
        Assert.Equal(ExitCode.Done, Run("score", ProjectFolder.Fixture("stories/s1-fixed-sender.pcapng")));
        Assert.StartsWith(example, _output.ToString(), StringComparison.Ordinal);
    }

    // Of a reduction's cause, the use of the path and the end of slow start the path decides as much as the sender.
    [Fact]
    public void Score_RatesThatArePartlyThePaths_SayIt()
    {
        string fixture = ProjectFolder.Fixture("stories/s1-fixed-sender.pcapng");
        Assert.Equal(ExitCode.Done, Run("score", fixture));
        Assert.Contains("  reductions for loss or a mark* ", _output.ToString(), StringComparison.Ordinal);
        Assert.Contains("  answers in recovery within PRR's bound ", _output.ToString(), StringComparison.Ordinal);
        Assert.Contains("  * the path's as much as the sender's: compare it over one path only\n", _output.ToString(), StringComparison.Ordinal);

        _output.GetStringBuilder().Clear();
        Assert.Equal(ExitCode.Done, Run("score", fixture, "--json"));
        using var document = JsonDocument.Parse(_output.ToString());
        string[] ofPath = [.. document.RootElement.GetProperty("senders")[0].GetProperty("components").EnumerateArray()
            .Where(component => component.GetProperty("dependsOnPath").GetBoolean())
            .Select(component => component.GetProperty("id").GetString()!)];
        Assert.Equal(["reduction-cause", "utilisation", "slow-start-not-early", "slow-start-not-late"], ofPath);
    }

    [Fact]
    public void Score_UnknownBuild_IsWrongUsage()
    {
        Assert.Equal(ExitCode.Usage, Run("score", "x.pcapng", "--build", "9600"));
        Assert.StartsWith("tcpdiag: --build: expected a build of Windows from 10240 on, found '9600'", _error.ToString(), StringComparison.Ordinal);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    string Simulate(string build, string reorder)
    {
        string matrix = Path.Combine(_folder, "reordered.yaml");
        File.WriteAllText(matrix, Matrix.Replace("REORDER", reorder, StringComparison.Ordinal));
        string result = Path.Combine(_folder, "out");
        Assert.Equal(ExitCode.Done, Run("simulate", matrix, "--build", build, "--out", result, "--seed", "2"));
        _output.GetStringBuilder().Clear();
        return Directory.EnumerateFiles(result, "sender.pcapng", SearchOption.AllDirectories).Single();
    }

    int Run(params string[] args) => new CommandLine(_output, _error).Run(args);
}
