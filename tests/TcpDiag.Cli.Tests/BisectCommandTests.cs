using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary><c>tcpdiag bisect</c> with commands of a shell, whose figures are known.</summary>
public sealed class BisectCommandTests : IDisposable
{
    const string Items = "b1,b2,b3,b4,b5,b6,b7,b8";

    // The seed's luck, a little of each item's own, and from b6 on a change of 15 %; exact in the same way on every machine.
    const string Measure = """
        awk -v item=${TCPDIAG_BISECT_ITEM#b} -v seed=$TCPDIAG_BISECT_SEED \
          'BEGIN { print "measuring"; printf "%.6f\n", 100 * (1 + seed % 7 / 10) * (1 + (seed * item % 5) / 500) * (item >= 6 ? 0.85 : 1) }'
        """;

    static readonly string Program = Path.Join(AppContext.BaseDirectory, "tcpdiag");

    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-bisect-").FullName;

    string Journal => Path.Combine(_folder, "journal.json");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [LinuxFact("awk")]
    public void Run_FindsTheChange_AndTellsItsSteps()
    {
        string plan = Done("start", "--good", "b1", "--bad", "b8", "--order", Items, "--", "sh", "-c", Measure);
        Assert.Contains("about 112\n  runs, 480 at most", plan, StringComparison.Ordinal);
        string[] lines = Done("run").Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.StartsWith("b8 bad, differs from good: b8/b1 0.85 (0.8", lines[0], StringComparison.Ordinal);
        Assert.StartsWith("b4 good: b4/b1 1.00 (0.9", lines[1], StringComparison.Ordinal);
        Assert.StartsWith("b6 bad: b6/b1 0.85 (0.8", lines[2], StringComparison.Ordinal);
        Assert.StartsWith("b5 good: b5/b1 1.00 (0.9", lines[3], StringComparison.Ordinal);
        Assert.Equal("first bad: b6, behind b5", lines[4]);
        Assert.All(lines, line => Assert.InRange(line.Length, 0, 80));
        string document = Done("log", "--json");
        Assert.Empty(JsonSchema.Read("bisect.json").Check(document));
        Assert.Equal(File.ReadAllText(Journal), document);
        Assert.Equal(lines, Done("log").Split('\n', StringSplitOptions.RemoveEmptyEntries).Skip(1));
    }

    [LinuxFact("awk")]
    public void Next_MeasuresAStep()
    {
        Done("start", "--good", "b1", "--bad", "b8", "--order", Items, "--", "sh", "-c", Measure);
        Assert.Contains("next: b4, 3 steps left, about 84 runs", Done("next"), StringComparison.Ordinal);
        Done("bad", "b3");
        Assert.StartsWith("b2 good", Done("next"), StringComparison.Ordinal);
    }

    // Killed in the midst of a run, again and again: what was measured is kept, and in the end the journal is that of a search at a stretch.
    [LinuxFact("awk")]
    [Trait("Needs", "time")]
    public void Run_Killed_GoesOnWhereItWas()
    {
        const string slow = "sleep 0.02; " + Measure;
        string[] start = ["start", "--good", "b1", "--bad", "b8", "--order", Items, "--", "sh", "-c"];
        Done([.. start, slow]);
        for (int milliseconds = 150; milliseconds < 1000; milliseconds += 130)
        {
            using Process process = Process.Start(new ProcessStartInfo(Program, ["bisect", "run", "--journal", Journal])
            {
                UseShellExecute = false,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            })!;
            if (!process.WaitForExit(milliseconds))
            {
                process.Kill();
                process.WaitForExit();
            }
        }

        Done("run");
        string resumed = File.ReadAllText(Journal);
        Done("reset");
        Done([.. start, slow]);
        Done("run");
        Assert.Equal(File.ReadAllText(Journal), resumed);
    }

    [LinuxFact("awk")]
    public void Ends_ThatAreAlike_LeaveNothingToBisect()
    {
        Done("start", "--good", "b1", "--bad", "b5", "--order", Items, "--", "sh", "-c", Measure);
        (int code, string output, _) = Run("run");
        Assert.Equal(ExitCode.CheckFailed, code);
        Assert.EndsWith("nothing to bisect: b5 and b1 differ by less than 5 %\n", output, StringComparison.Ordinal);
    }

    [UnixFact]
    public void Command_ThatFails_StopsTheSearch()
    {
        Done("start", "--good", "b1", "--bad", "b8", "--order", Items, "--", "sh", "-c", "exit 7");
        (int code, _, string error) = Run("run");
        Assert.Equal(ExitCode.Failed, code);
        Assert.Contains("b1, seed 1: void: the command ended with exit code 7", error, StringComparison.Ordinal);
        Assert.Contains("3 runs void in succession: something is wrong with the command.", error, StringComparison.Ordinal);
    }

    [LinuxFact("awk")]
    public void Command_ThatCannotTest_SkipsTheItem()
    {
        Done("start", "--good", "b1", "--bad", "b8", "--order", Items, "--", "sh", "-c", "[ $TCPDIAG_BISECT_ITEM = b6 ] && exit 125; " + Measure);
        Assert.Contains("first bad: one of b6, b7; all but the last were skipped", Done("run"), StringComparison.Ordinal);
        Done("reset");
        Done("start", "--good", "b1", "--bad", "b8", "--order", Items, "--", "sh", "-c", "exit 125");
        Assert.Contains("b1: the command says that it cannot be tested (exit code 125)", Run("run").Error, StringComparison.Ordinal);
    }

    // The result of an experiment that the command made: its goodput.
    [UnixFact]
    public void Command_ThatLeavesResults_IsMeasuredByTheirGoodput()
    {
        string matrix = Path.Combine(_folder, "m.yaml");
        File.WriteAllText(matrix, "path: {rate: 20mbit, rtt: 20ms, buffer: 1bdp}\nflow: {bytes: 50kb}\nsides: {a: {}}\n");
        string[] simulate = ["simulate", matrix, "--iterations", "1", "--out", Path.Combine(_folder, "out")];
        Assert.Equal(ExitCode.Done, new CommandLine(TextWriter.Null, TextWriter.Null).Run(simulate));
        Done("start", "--good", "1", "--bad", "2", "--max-pairs", "1", "--", "echo", Path.Combine(_folder, "out"));
        Assert.StartsWith("2 under way: 2/1 1.00", Run("run").Output is var _ ? Done("log").Split('\n')[1] : null, StringComparison.Ordinal);
    }

    // Two conditions, of which the second alone changes from b6 on: the search is of the one that is asked for.
    [LinuxFact("awk")]
    public void Cell_OfResultDirectories_IsTheOneMeasured()
    {
        string measure = $$"""
            mkdir -p "{{_folder}}/made"
            awk -v item=${TCPDIAG_BISECT_ITEM#b} -v seed=$TCPDIAG_BISECT_SEED 'BEGIN {
              luck = 1e7 * (1 + seed % 7 / 10) * (1 + (seed * item % 5) / 500)
              printf "{\"schema\":\"tcpdiag/lab/1\",\"matrix\":{\"path\":[{\"name\":\"rtt\",\"values\":[\"20ms\",\"40ms\"]}],\"flow\":[],"
              printf "\"sides\":[{\"name\":\"a\",\"stack\":\"adaptive\",\"path\":[],\"flow\":[]}]},\"scale\":1,\"kernel\":\"6.18\",\"isComplete\":true,\"results\":["
              printf "{\"cell\":\"001-rtt-20ms\",\"side\":\"a\",\"fault\":null,\"goodputBitsPerSecond\":%.3f},", luck
              printf "{\"cell\":\"002-rtt-40ms\",\"side\":\"a\",\"fault\":null,\"goodputBitsPerSecond\":%.3f}]}", luck * (item >= 6 ? 0.85 : 1)
            }' > "{{_folder}}/made/run.json"
            echo "{{_folder}}/made"
            """;
        Done("start", "--good", "b1", "--bad", "b8", "--order", Items, "--cell", "rtt 40ms", "--", "sh", "-c", measure);
        Assert.Contains("first bad: b6, behind b5", Done("run"), StringComparison.Ordinal);
        Done("reset");
        Done("start", "--good", "b1", "--bad", "b8", "--order", Items, "--cell", "001", "--", "sh", "-c", measure);
        Assert.DoesNotContain("first bad", Run("run").Output, StringComparison.Ordinal);
        Assert.Contains("b8/b1 1.00", Done("log"), StringComparison.Ordinal);
    }

    [Fact]
    public void ByHand_AsGit()
    {
        string started = Done("start", "--good", "10", "--bad", "17");
        Assert.EndsWith("3 steps to the first bad one\nnext: 13, 3 steps left; then tcpdiag bisect good, bad or skip\n", started, StringComparison.Ordinal);
        Assert.Contains("next: 15", Done("good"), StringComparison.Ordinal);
        Assert.Contains("next: 14", Done("bad"), StringComparison.Ordinal);
        Assert.Equal("first bad: 15, behind 14\n", Done("good"));
        Assert.Contains("The search is over", Run("good").Error, StringComparison.Ordinal);
        Assert.Contains("has no command to run", Run("run").Error, StringComparison.Ordinal);
        Done("reset");
        Assert.Contains("no search is under way", Run("log").Error, StringComparison.Ordinal);
        Assert.Empty(Directory.GetFiles(_folder));
    }

    [Theory]
    [InlineData("bisect", "A command is missing: start, next, run")]
    [InlineData("bisect start --good a --bad b", "--order is missing")]
    [InlineData("bisect start --bad b", "--good ITEM is missing")]
    [InlineData("bisect start --good 1 --bad 3 --margin 0", "--margin: expected more than 0pct")]
    [InlineData("bisect start --good 1 --bad 3 --max-pairs 0", "--max-pairs: expected 1 to 1000")]
    [InlineData("bisect better", "better")]
    public void WrongUsage_IsSaid(string command, string message)
    {
        using StringWriter error = new();
        Assert.Equal(ExitCode.Usage, new CommandLine(TextWriter.Null, error).Run(command.Split(' ')));
        Assert.Contains(message, error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void SelfTest_OfAFewChains_IsRight()
    {
        using StringWriter output = new();
        Assert.Equal(ExitCode.Done, new CommandLine(output, TextWriter.Null).Run(["bisect", "--self-test", "--chains", "1"]));
        string[] lines = output.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        Assert.Equal(9, lines.Length);
        Assert.All(lines, line => Assert.InRange(line.Length, 0, 80));
    }

    string Done(params string[] arguments)
    {
        (int code, string output, string error) = Run(arguments);
        Assert.True(code == ExitCode.Done, $"exit code {code}: {error}");
        return output;
    }

    (int Code, string Output, string Error) Run(params string[] arguments)
    {
        using StringWriter output = new();
        using StringWriter error = new();
        List<string> words = ["bisect", arguments[0], "--journal", Journal, .. arguments[1..]];
        int code = new CommandLine(output, error).Run([.. words]);
        return (code, output.ToString().ReplaceLineEndings("\n"), error.ToString());
    }
}
