using System;
using System.IO;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary>What was mistyped is reported once, with what it may have been meant to be; what is missing is named.</summary>
public sealed class SuggestionTests
{
    readonly StringWriter _output = new();
    readonly StringWriter _error = new();

    string Problem => Assert.Single(
        _error.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries), line => !line.StartsWith("Help: ", StringComparison.Ordinal));

    [Theory]
    [InlineData("analyse a.pcapng", "Unrecognized command 'analyse'. Did you mean analyze?")]
    [InlineData("ANALYZE a.pcapng", "Unrecognized command 'ANALYZE'. Did you mean analyze?")]
    [InlineData("shim rnu", "Unrecognized command 'rnu'. Did you mean run?")]
    [InlineData("frobnicate", "Unrecognized command 'frobnicate'.")]
    [InlineData("analyze a --jsn", "Unrecognized option '--jsn'. Did you mean --json? A file of that name: ./--jsn")]
    [InlineData("analyze a --find 3", "Unrecognized option '--find'. Did you mean --findings? A file of that name: ./--find")]
    [InlineData("capture --mtach tcp", "Unrecognized option '--mtach'. Did you mean --match?")]
    [InlineData("events --bild 5", "Unrecognized option '--bild'. Did you mean --build?")]
    [InlineData("watch --zzzzzz", "Unrecognized option '--zzzzzz'.")]
    [InlineData("watch extra", "Unrecognized argument 'extra'.")]
    [InlineData("shim", "A command is missing: run, log, doctor.")]
    [InlineData("info", "FILE is missing. Traces")]
    [InlineData("convert a.etl", "FILE: expected at least 2, found 1. Traces to read")]
    [InlineData("analyze a --top", "--top: its value is missing")]
    [InlineData("analyze a --top 1 --top 2", "--top: expected one value, found 2")]
    [InlineData("help anlyze", "Unrecognized command 'anlyze'. Did you mean analyze?")]
    [InlineData("help shim rn", "Unrecognized command 'rn'. Did you mean run?")]
    [InlineData("completion tcsh", "SHELL: expected bash, zsh, fish or powershell, found 'tcsh'")]
    public void Run_MistypedOrMissing_IsOneLine(string line, string problem)
    {
        Assert.Equal(ExitCode.Usage, Run(line));
        Assert.StartsWith($"tcpdiag: {problem}", Problem, StringComparison.Ordinal);
        Assert.Empty(_output.ToString());
    }

    // Two letters may be wrong of six, one of three; the beginning of a word is enough.
    [Theory]
    [InlineData("cnovret", "convert")]
    [InlineData("dmp", "dump")]
    [InlineData("dp", null)]
    [InlineData("comp", "compare")]
    [InlineData("xyz", null)]
    public void Nearest_Word_IsAtMostAThirdWrong(string word, string? meant) =>
        Assert.Equal(meant, Suggestion.Nearest(word, ["analyze", "convert", "dump", "compare"]));

    [Fact]
    public void Help_OfACommand_IsThatOfItsOption()
    {
        Assert.Equal(ExitCode.Done, Run("shim run --help"));
        string expected = _output.ToString();
        _output.GetStringBuilder().Clear();
        Assert.Equal(ExitCode.Done, Run("help shim run"));
        Assert.Equal(expected, _output.ToString());
    }

    [Fact]
    public void Help_Alone_IsThatOfTheProgram()
    {
        Assert.Equal(ExitCode.Done, new CommandLine(_output, _error).Run(["help"]));
        Assert.Contains("Usage: tcpdiag COMMAND", _output.ToString(), StringComparison.Ordinal);
    }

    int Run(string line) => new CommandLine(_output, _error).Run(line.Split(' '));
}
