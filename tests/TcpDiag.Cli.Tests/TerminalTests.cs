using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary>The program on a terminal, which script(1) is: its width, and the line of progress.</summary>
public sealed class TerminalTests
{
    static readonly string Program = Path.Join(AppContext.BaseDirectory, "tcpdiag");
    static readonly string Trace = ProjectFolder.Fixture("zero-window.pcapng");

    [ToolTheory("script", "stty")]
    [InlineData(120)]
    [InlineData(60)]
    public void Run_OnATerminal_UsesItsWidth(int columns)
    {
        string shown = OnATerminal($"stty cols {columns}; NO_COLOR=1 {Program} analyze {Trace} --top 0");
        string[] lines = [.. shown.Split("\r\n").Select(line => line[(line.LastIndexOf('\r') + 1)..])]; // what progress has left
        Assert.All(lines, line => Assert.InRange(line.Length, 0, columns + 10)); // the first begins with a setting of the terminal
        Assert.Contains(lines, line => line.Length > columns - 15);
    }

    [ToolFact("script", "stty")]
    public void Run_TerminalWithoutASize_HasEightyColumns() =>
        Assert.All(OnATerminal($"stty cols 0; {Program} help").Split("\r\n"), line => Assert.InRange(line.Length, 0, 90));

    // The line shows up after a second, and nothing of it is left: the report begins behind a line of blanks.
    [ToolFact("script", "stty")]
    [Trait("Needs", "time")]
    public void Run_ReadingForLong_ShowsProgressAndErasesIt()
    {
        string shown = OnATerminal($"stty cols 80; (cat {Trace}; sleep 2) | NO_COLOR=1 {Program} analyze - --top 0 --findings 0");
        string[] states = shown.Split('\r');
        Assert.Contains(states, state => state.StartsWith("reading standard input, ", StringComparison.Ordinal));
        int last = Array.FindLastIndex(states, state => state.StartsWith("reading ", StringComparison.Ordinal));
        Assert.Empty(states[last + 1].Trim());
        Assert.StartsWith("172 packets, captured over ", states[last + 2], StringComparison.Ordinal);
    }

    [ToolFact("script", "stty")]
    public void Run_ReadingForAMoment_ShowsNoProgress() => Assert.All(
        OnATerminal($"{Program} analyze {Trace} --findings 0").Split('\r').Where(state => state.StartsWith("reading ", StringComparison.Ordinal)),
        state => Assert.DoesNotMatch(", 0 s$", state.TrimEnd()));

    [Theory]
    [InlineData(null, null, "reading a.etl, 3 s")]
    [InlineData(1234567L, null, "reading a.etl, 1,234,567 records, 3 s")]
    [InlineData(5L, 0.456, "reading a.etl, 46 %, 5 records, 3 s")]
    public void Text_Figures_AreThoseThatAreKnown(long? records, double? share, string text) =>
        Assert.Equal(text, ReadingProgress.Text("a.etl", records, share, TimeSpan.FromSeconds(3.2)));

    static string OnATerminal(string command)
    {
        var start = new ProcessStartInfo("script", ["-qec", command, "/dev/null"])
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        using Process process = Process.Start(start)!;
        process.StandardInput.Close();
        string output = process.StandardOutput.ReadToEnd();
        Assert.True(process.WaitForExit(Patience.Limit), "script did not end");
        return output;
    }
}
