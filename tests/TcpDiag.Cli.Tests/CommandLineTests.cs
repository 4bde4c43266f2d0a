using System;
using System.IO;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

public sealed class CommandLineTests
{
    readonly StringWriter _output = new();
    readonly StringWriter _error = new();

    [Theory]
    [InlineData("--help")]
    [InlineData("-h")]
    public void Run_Help_PrintsItAndSucceeds(string option)
    {
        Assert.Equal(ExitCode.Done, Run(option));
        Assert.Contains("Why is this TCP connection slow", _output.ToString(), StringComparison.Ordinal);
        Assert.Empty(_error.ToString());
    }

    [Fact]
    public void Run_Version_PrintsOneLine()
    {
        Assert.Equal(ExitCode.Done, Run("--version"));
        Assert.Single(_output.ToString().TrimEnd().Split('\n'));
    }

    [Fact]
    public void Run_UnknownOption_IsWrongUsage()
    {
        Assert.Equal(ExitCode.Usage, Run("--no-such-option"));
        Assert.Contains("--no-such-option", _error.ToString(), StringComparison.Ordinal);
        Assert.EndsWith("Help: tcpdiag --help", _error.ToString().TrimEnd(), StringComparison.Ordinal);
        Assert.Empty(_output.ToString());
    }

    [Theory]
    [InlineData("analyze", "--jsn", "Unrecognized option '--jsn'")]
    [InlineData("info", "-x", "Unrecognized option '-x'")]
    [InlineData("analyze", "", "An argument is empty")]
    public void Run_ArgumentThatIsNoFile_IsWrongUsage(string command, string argument, string message)
    {
        Assert.Equal(ExitCode.Usage, Run(command, argument));
        Assert.Contains(message, _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Run_NegativeTop_IsWrongUsage() => Assert.Equal(ExitCode.Usage, Run("analyze", "a.etl", "--top", "-1"));

    [Fact]
    public void Run_NameWithTerminalEscapes_IsShownHarmless()
    {
        Assert.Equal(ExitCode.Failed, Run("analyze", "a\u001b[31m\n.etl"));
        Assert.Equal("tcpdiag: a?[31m .etl: no such file\n", _error.ToString().ReplaceLineEndings("\n"));
    }

    [Fact]
    public void Run_ArgumentBeginningWithAt_IsNotAResponseFile()
    {
        Assert.Equal(ExitCode.Usage, Run("@nothing"));
        Assert.DoesNotContain("esponse file", _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Run_NoCommand_IsWrongUsage() => Assert.Equal(ExitCode.Usage, Run());

    [Fact]
    public void Run_MissingTrace_NamesIt()
    {
        Assert.Equal(ExitCode.Failed, Run("analyze", "no-such.etl"));
        Assert.Contains("no-such.etl", Assert.Single(_error.ToString().TrimEnd().Split('\n')), StringComparison.Ordinal);
    }

    [Fact]
    public void Run_Demo_ListsTheFourUploads()
    {
        Assert.Equal(ExitCode.Done, Run("demo", "--recorded"));
        Assert.All([":443", ":21", ":445", ":8080"], port => Assert.Contains(port, _output.ToString(), StringComparison.Ordinal));
        Assert.Empty(_error.ToString());
    }

    [RootFact]
    public void Run_DemoAsRoot_IsRealTcp()
    {
        Assert.Equal(ExitCode.Done, Run("demo"));
        Assert.StartsWith("Eight uploads of real TCP over an emulated path", _error.ToString(), StringComparison.Ordinal);
        Assert.Contains("smoke, scale 1, seed 1, Linux", _output.ToString(), StringComparison.Ordinal);
        Assert.True(_output.ToString().Contains("8 TCP connections", StringComparison.Ordinal), _output.ToString()); // all of it, should one be missing
    }

    int Run(params string[] args) => new CommandLine(_output, _error).Run(args);
}
