using System;
using System.IO;
using System.Linq;
using System.Text.Json;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary><c>tcpdiag simulate</c>: the layout of lab run, in virtual time.</summary>
public sealed class SimulateCommandTests : IDisposable
{
    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-simulate-").FullName;

    string Out => Path.Combine(_folder, "out");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Smoke_LeavesTheFoldersOfTheLab()
    {
        string document = Run("smoke", "--scale", "0.1", "--iterations", "1", "--out", Out, "--json");
        Assert.Empty(JsonSchema.Read("lab.json").Check(document));
        using JsonDocument run = JsonDocument.Parse(document);
        JsonElement[] results = [.. run.RootElement.GetProperty("results").EnumerateArray()];
        Assert.Equal(4, results.Length);
        Assert.Equal("simulated Linux", run.RootElement.GetProperty("kernel").GetString());
        Assert.All(results, result =>
        {
            string folder = Path.Combine(Out, result.GetProperty("folder").GetString()!);
            Assert.True(File.Exists(Path.Combine(folder, "sender.pcapng")) && File.Exists(Path.Combine(folder, "receiver.pcapng")));
            Assert.Equal(File.ReadAllText(Path.Combine(folder, "result.json")).Trim(), result.GetRawText());
            JsonElement states = result.GetProperty("simulated").GetProperty("statesNs");
            long total = states.EnumerateObject().Sum(state => state.Value.GetInt64());
            Assert.Equal(result.GetProperty("sender").GetProperty("lastNs").GetInt64() - result.GetProperty("sender").GetProperty("firstNs").GetInt64(), total);
        });
    }

    // What the model counts is what the analysis reads out of its packets.
    [Fact]
    public void Analysis_OfTheCapture_AgreesWithTheModel()
    {
        using JsonDocument run = JsonDocument.Parse(Run("smoke", "--iterations", "1", "--out", Out, "--json"));
        Assert.All(run.RootElement.GetProperty("results").EnumerateArray(), result =>
        {
            JsonElement analysis = result.GetProperty("analysis");
            JsonElement kernel = result.GetProperty("sender").GetProperty("kernel");
            Assert.Equal(kernel.GetProperty("retransmissions").GetInt64(), analysis.GetProperty("retransmissions").GetInt64());
            Assert.Equal(kernel.GetProperty("dataSegmentsOut").GetInt64(), analysis.GetProperty("wireSegments").GetInt64());
            Assert.Equal(2_000_000, analysis.GetProperty("uniqueBytes").GetInt64());
        });
    }

    [Fact]
    public void Analyze_OfItsFile_SaysSimulated()
    {
        Run("smoke", "--scale", "0.01", "--iterations", "1", "--out", Out, "--build", "22000");
        string file = Directory.GetFiles(Out, "sender.pcapng", SearchOption.AllDirectories)[0];
        string page = Path.Combine(_folder, "page.html");
        Assert.Contains("Simulated by tcpdiag: sender windows-22000", Invoke("analyze", file), StringComparison.Ordinal);
        using JsonDocument json = JsonDocument.Parse(Invoke("analyze", file, "--json"));
        Assert.StartsWith("Simulated by tcpdiag", json.RootElement.GetProperty("simulation").GetString(), StringComparison.Ordinal);
        Invoke("analyze", file, "--html", page);
        Assert.Contains("Simulated by tcpdiag", File.ReadAllText(page), StringComparison.Ordinal);
    }

    [Fact]
    public void SameSeed_GivesTheSameFiles()
    {
        string other = Path.Combine(_folder, "other");
        Run("smoke", "--scale", "0.05", "--iterations", "1", "--out", Out, "--seed", "7");
        Run("smoke", "--scale", "0.05", "--iterations", "1", "--out", other, "--seed", "7");
        Assert.All(Directory.GetFiles(Out, "*.pcapng", SearchOption.AllDirectories), file =>
            Assert.Equal(File.ReadAllBytes(file), File.ReadAllBytes(Path.Combine(other, Path.GetRelativePath(Out, file)))));
    }

    // Events stand beside the packets, and change nothing of what the packets tell.
    [Theory]
    [InlineData("14393")]
    [InlineData("22000")]
    [InlineData("26100")]
    public void Etl_AndPcapngOfARun_Agree(string build)
    {
        Run("smoke", "--scale", "0.2", "--iterations", "1", "--out", Out, "--build", build, "--receiver-build", build, "--etl");
        string[] files = Directory.GetFiles(Out, "*.etl", SearchOption.AllDirectories);
        Assert.Equal(8, files.Length); // four runs, both ends
        Assert.All(files, file =>
        {
            using JsonDocument events = JsonDocument.Parse(Invoke("analyze", file, "--json"));
            using JsonDocument packets = JsonDocument.Parse(Invoke("analyze", Path.ChangeExtension(file, ".pcapng"), "--json"));
            Assert.Equal(FiguresOf(packets), FiguresOf(events));
            Assert.Equal(packets.RootElement.GetProperty("simulation").GetString(), events.RootElement.GetProperty("simulation").GetString());
        });
    }

    // Without the SYNs the packets show neither the scale of the window nor what was in flight when the capture began; the events do.
    [Theory]
    [InlineData("14393")]
    [InlineData("22000")]
    [InlineData("26100")]
    public void Etl_BegunLate_NamesTheSameLimit(string build)
    {
        string matrix = Path.Combine(_folder, "limits.yaml");
        File.WriteAllText(matrix, "name: limits\ndescription: limits\niterations: 1\npath: {rate: 50mbit, rtt: 40ms, buffer: 1bdp}\nflow: {bytes: 10mb}\nsides:\n"
            + "  receive-window-limited: {receive-buffer: 128kib}\n  send-buffer-limited: {send-buffer: 64kib, write-size: 64kib}\n  plain: {}\n");
        Run(matrix, "--build", build, "--etl", "--out", Out);
        foreach (string side in (string[])["receive-window-limited", "send-buffer-limited", "plain"])
        {
            string file = Path.Combine(Out, "001", side, "001", "sender.etl");
            string[] whole = Found(file);
            string[] late = Found(file, "--from", "1s");
            Assert.Equal(side is "plain" ? [] : [side], late.Where(id => id is "receive-window-limited" or "send-buffer-limited" or "window-or-buffer"));
            Assert.DoesNotContain("evidence-disagrees", whole.Concat(late));
            Assert.DoesNotContain("slow-start", late); // how it began was not seen
        }
    }

    // What was simulated stays so when it is converted.
    [Fact]
    public void Etl_Converted_SaysSimulated()
    {
        Run("smoke", "--scale", "0.01", "--iterations", "1", "--out", Out, "--build", "26100", "--etl");
        string converted = Path.Combine(_folder, "converted.pcapng");
        Invoke("convert", Directory.GetFiles(Out, "sender.etl", SearchOption.AllDirectories)[0], converted);
        Assert.Contains("Simulated by tcpdiag: sender windows-22621", Invoke("analyze", converted), StringComparison.Ordinal);
    }

    [Fact]
    public void Etl_WithoutABuild_IsRefused()
    {
        using StringWriter error = new();
        Assert.Equal(ExitCode.Failed, new CommandLine(TextWriter.Null, error).Run(["simulate", "smoke", "--etl", "--out", Out]));
        Assert.Contains("--etl: only Windows writes such files", error.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--stack", "cubicle", "--stack: expected one of rfc, reno, adaptive")]
    [InlineData("--build", "7601", "a build from 10240 to 99999")]
    public void WrongOption_IsWrongUsage(string option, string value, string message)
    {
        using StringWriter error = new();
        Assert.Equal(ExitCode.Usage, new CommandLine(TextWriter.Null, error).Run(["simulate", "smoke", option, value, "--out", Out]));
        Assert.Contains(message, error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Matrix_WithWhatIsNotSimulated_IsRefusedBeforeTheFirstRun()
    {
        string matrix = Path.Combine(_folder, "many.yaml");
        File.WriteAllText(matrix, "name: many\ndescription: several connections\niterations: 1\npath: {rtt: 10ms}\nflow: {bytes: 20kb, flows: 3}\nsides: {a: "
            + "{stack: adaptive}}\n");
        using StringWriter error = new();
        Assert.Equal(ExitCode.Failed, new CommandLine(TextWriter.Null, error).Run(["simulate", matrix, "--out", Out]));
        Assert.Contains("flows: one connection at a time is simulated", error.ToString(), StringComparison.Ordinal);
        Assert.False(Directory.Exists(Out));
    }

    static string[] Found(string file, params string[] options)
    {
        using JsonDocument json = JsonDocument.Parse(Invoke(["analyze", file, "--json", .. options]));
        return [.. json.RootElement.GetProperty("findings").EnumerateArray().Select(finding => finding.GetProperty("id").GetString()!)];
    }

    static string FiguresOf(JsonDocument analysis)
    {
        JsonElement connection = analysis.RootElement.GetProperty("connections")[0];
        JsonElement client = connection.GetProperty("directions")[0];
        string[] names = ["packets", "wireSegments", "payloadBytes", "uniqueBytes"];
        return string.Join(' ', names.Select(name => $"{name}={client.GetProperty(name)}"))
            + $" resent={client.GetProperty("retransmissions").GetProperty("total")}";
    }

    // Side b goes through 16 instead of 20 Mbit/s, side c is side a: with four questions 14 pairs that hardly differ decide each.
    [Fact]
    public void UntilDecided_StopsWhenEachCellIs_AndCompareTakesItAsComplete()
    {
        string matrix = Path.Combine(_folder, "contrast.yaml");
        File.WriteAllText(
            matrix, "path: {rate: 20mbit, rtt: [5ms, 20ms], buffer: 1bdp}\nflow: {bytes: 300kb}\nsides: {a: {}, b: {rate: 16mbit}, c: {}}\n");
        string document = Run(matrix, "--until-decided", "--max-iterations", "20", "--out", Out, "--json");
        Assert.Empty(JsonSchema.Read("lab.json").Check(document));
        using JsonDocument run = JsonDocument.Parse(document);
        JsonElement summary = run.RootElement.GetProperty("untilDecided");
        Assert.Equal(
            ["001-rtt-5ms b regressed 14", "001-rtt-5ms c equal 14", "002-rtt-20ms b regressed 14", "002-rtt-20ms c equal 14"],
            summary.GetProperty("decisions").EnumerateArray().Select(decision =>
                $"{decision.GetProperty("cell")} {decision.GetProperty("side")} {decision.GetProperty("verdict")} {decision.GetProperty("pairs")}"));
        Assert.Equal(2 * 3 * 14, run.RootElement.GetProperty("results").GetArrayLength());
        Assert.Equal(document, Run(matrix, "--until-decided", "--max-iterations", "20", "--out", Out, "--json"));
        Assert.Contains("4 of 4 decided.", Run(matrix, "--until-decided", "--max-iterations", "30", "--out", Out), StringComparison.Ordinal);
        Assert.Contains("2 cells: 2 regressed", Invoke("compare", Out, "--side", "a", "--side", "b"), StringComparison.Ordinal);
    }

    // What stood undecided at the limit goes on with a higher one, and ends as if it had been that from the start.
    [Fact]
    public void UntilDecided_GoesOnBehindItsLimit()
    {
        string matrix = Path.Combine(_folder, "contrast.yaml");
        File.WriteAllText(matrix, "path: {rate: 20mbit, rtt: 10ms, buffer: 1bdp}\nflow: {bytes: 100kb}\nsides: {a: {}, b: {rate: 16mbit}}\n");
        string text = Run(matrix, "--until-decided", "--max-iterations", "5", "--out", Out);
        Assert.Contains("not decided in 5 pairs", text, StringComparison.Ordinal);
        Assert.All(text.ReplaceLineEndings("\n").Split('\n').Skip(1), line => Assert.InRange(line.Length, 0, 80));
        string other = Path.Combine(_folder, "other");
        string resumed = Run(matrix, "--until-decided", "--out", Out, "--json");
        Assert.Equal(Run(matrix, "--until-decided", "--out", other, "--json"), resumed);
    }

    [Theory]
    [InlineData("--until-decided --iterations 3", "--max-iterations limits them")]
    [InlineData("--max-iterations 3", "--max-iterations: goes with --until-decided")]
    [InlineData("--margin 3pct", "--margin: goes with --until-decided")]
    [InlineData("--until-decided --margin 0pct", "--margin: expected 0.1pct to 100pct, found '0pct'")]
    [InlineData("--until-decided --max-iterations 1001", "--max-iterations: expected 1 to 1000")]
    public void UntilDecided_WrongUsage_IsSaid(string options, string message)
    {
        using StringWriter error = new();
        Assert.Equal(ExitCode.Usage, new CommandLine(TextWriter.Null, error).Run(["simulate", "smoke", "--out", Out, .. options.Split(' ')]));
        Assert.Contains(message, error.ToString(), StringComparison.Ordinal);
        Assert.False(Directory.Exists(Out));
    }

    static string Run(params string[] arguments) => Invoke(["simulate", .. arguments]);

    static string Invoke(params string[] arguments)
    {
        using StringWriter output = new();
        using StringWriter error = new();
        int code = new CommandLine(output, error).Run(arguments);
        Assert.True(code == ExitCode.Done, $"exit code {code}: {error}");
        return output.ToString();
    }
}
