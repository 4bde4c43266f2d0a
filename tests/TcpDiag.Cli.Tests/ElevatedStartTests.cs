using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Capture;
using TcpDiag.Capture.Windows;
using TcpDiag.Lab.Programs;
using Xunit;

namespace TcpDiag.Cli.Tests;

public sealed class ElevatedStartTests
{
    readonly StringWriter _output = new();
    readonly StringWriter _error = new();
    readonly Recorded _elevation = new();

    [Fact]
    public void Troubleshoot_Yes_IsStartedWithTheSameArgumentsAndAbsolutePaths()
    {
        _elevation.ExitCode = 11;
        string[] words = ["troubleshoot", "--url", "http://h/a b?\"c\"\\", "--process=x y", "--limit", "5s"];
        Assert.Equal(ExitCode.Usage, Run("y\n", words)); // of --url and --process one
        Assert.Null(_elevation.Arguments);

        string[] others = ["troubleshoot", "--process=x y\\", "--out", "x y\\", "--limit", "5s", "--with-names", "--language", "en"];
        Assert.Equal(11, Run("y\n", others));
        Assert.Equal("/opt/dotnet", _elevation.Program);
        Assert.Equal(Environment.CurrentDirectory, _elevation.Folder);
        Assert.Equal(
            ["tcpdiag.dll", "troubleshoot", "--process", "x y\\", "--out", Path.GetFullPath("x y\\"), "--limit", "5s", "--with-names", "--language", "en",
                "--keep-open"],
            _elevation.Arguments);
        Assert.EndsWith(
            "That needs administrator's rights. Start it with them, in a window of its own? [y/N] It runs in another window; this one waits for its end.\n"
                + "It has ended, with exit code 11.\n",
            _error.ToString(), StringComparison.Ordinal);
        Assert.Empty(_output.ToString());
    }

    [Fact]
    public void Troubleshoot_NoFolderAndLanguage_AreThoseOfThisUser()
    {
        Assert.Equal(0, Run("y\n", "troubleshoot", "--host", "h"));
        Assert.Equal(["tcpdiag.dll", "troubleshoot", "--host", "h", "--out"], _elevation.Arguments!.Take(5));
        Assert.Equal(Environment.CurrentDirectory, Path.GetDirectoryName(_elevation.Arguments![5]));
        Assert.StartsWith("troubleshoot-2", Path.GetFileName(_elevation.Arguments![5]), StringComparison.Ordinal);
        Assert.Equal(["--language", Cli.Troubleshoot.Sentences.In(null).Language, "--keep-open"], _elevation.Arguments.Skip(6));
    }

    // --undo takes no folder.
    [Fact]
    public void Undo_Yes_IsStarted()
    {
        Assert.Equal(0, Run("y\n", "troubleshoot", "--undo", "--force", "--language", "en"));
        Assert.Equal(["tcpdiag.dll", "troubleshoot", "--undo", "--force", "--language", "en", "--keep-open"], _elevation.Arguments);
    }

    [Fact]
    public void Capture_Yes_IsStartedWithItsFile()
    {
        Assert.Equal(0, Run("y\n", "capture", "--match", "tcp", "port", "443", "-o", "x.tcpdiag", "--for", "5s"));
        Assert.Equal(["tcpdiag.dll", "capture", "--match", "tcp", "port", "443", "-o", Path.GetFullPath("x.tcpdiag"), "--for", "5s", "--keep-open"],
            _elevation.Arguments);
    }

    [Theory]
    [InlineData("n\n", "troubleshoot", "--language", "en")]
    [InlineData("", "troubleshoot", "--language", "en")] // nobody answers
    public void Troubleshoot_No_SaysHowElse(string answer, params string[] words)
    {
        Assert.Equal(ExitCode.Failed, Run(answer, words));
        Assert.Null(_elevation.Arguments);
        Assert.EndsWith("tcpdiag: That needs administrator's rights. Start again with: sudo tcpdiag troubleshoot …\n", _error.ToString(),
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true, "troubleshoot", "--yes", "--language", "en")]
    [InlineData(false, "troubleshoot", "--language", "en")] // no terminal
    public void Troubleshoot_NobodyToAsk_SaysHow(bool isAtTerminal, params string[] words)
    {
        Assert.Equal(ExitCode.Failed, Run("y\n", isAtTerminal, words));
        Assert.Null(_elevation.Arguments);
        Assert.StartsWith("tcpdiag: That needs administrator's rights. Start again with: ", _error.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("capture", "--all", "--json", "--for", "1ms", "--engine", "netsh")]
    [InlineData("capture", "--all", "--until-eof", "--for", "1ms", "--engine", "netsh")]
    [InlineData("capture", "--all", "--dry-run")]
    [InlineData("troubleshoot", "--recorded", "no-such-file")]
    public void Command_ForScriptsOrWithoutNeed_IsNotOffered(params string[] words)
    {
        Run("y\n", words);
        Assert.Null(_elevation.Arguments);
        Assert.DoesNotContain("window", _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Troubleshoot_ConsentRefused_IsOneLine()
    {
        _elevation.ExitCode = null;
        Assert.Equal(ExitCode.Interrupted, Run("j\n", "troubleshoot", "--language", "de"));
        Assert.EndsWith("tcpdiag: Windows durfte es nicht mit Administratorrechten starten: es wurde nichts getan.\n", _error.ToString(),
            StringComparison.Ordinal);
    }

    [Fact]
    public void Troubleshoot_CannotBeStarted_IsOneLine()
    {
        _elevation.Failure = new CaptureException("tcpdiag cannot be started");
        Assert.Equal(ExitCode.Failed, Run("y\n", "troubleshoot", "--language", "en"));
        Assert.EndsWith("tcpdiag: tcpdiag cannot be started\n", _error.ToString(), StringComparison.Ordinal);
    }

    // The window of the program that has the rights: what went wrong is said, then it waits for Enter.
    [Fact]
    public void KeepOpen_Failure_IsToldBeforeTheWindowCloses()
    {
        var input = new StringReader("\nx");
        var surroundings = new Surroundings { Input = input, IsPrivileged = () => true };
        string[] words = ["troubleshoot", "--out", Path.GetTempPath(), "--host", "h", "--language", "en", "--keep-open"];
        Assert.Equal(ExitCode.Usage, new CommandLine(_output, _error, surroundings).Run(words));
        Assert.Equal($"tcpdiag: {Path.GetFullPath(Path.GetTempPath())} is there already: name another --out\nPress Enter to close this window. ",
            _error.ToString());
        Assert.Equal("x", input.ReadToEnd());
    }

    int Run(string answer, params string[] words) => Run(answer, isAtTerminal: true, words);

    int Run(string answer, bool isAtTerminal, params string[] words)
    {
        var surroundings = new Surroundings
        {
            Program = new LabProgram("/opt/dotnet", ["tcpdiag.dll"]),
            Input = new StringReader(answer),
            IsPrivileged = () => false,
            IsAtTerminal = () => isAtTerminal,
            Elevation = _elevation,
        };
        return new CommandLine(_output, _error, surroundings).Run(words);
    }

    sealed class Recorded : IElevation
    {
        public int? ExitCode { get; set; } = 0;

        public CaptureException? Failure { get; set; }

        public string? Program { get; private set; }

        public string? Folder { get; private set; }

        public IReadOnlyList<string>? Arguments { get; private set; }

        public int? Run(string program, IReadOnlyList<string> arguments, string folder)
        {
            (Program, Arguments, Folder) = (program, [.. arguments], folder);
            return Failure is { } failure ? throw failure : ExitCode;
        }
    }
}
