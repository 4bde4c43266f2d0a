using System;
using System.IO;
using TcpDiag.Traces;
using Xunit;

namespace TcpDiag.Cli.Tests;

public sealed class FailureTests
{
    readonly StringWriter _error = new();

    [Fact]
    public void Guard_DamagedTrace_PrintsItsMessage()
    {
        Assert.Equal(ExitCode.Failed, Guard(new TraceFormatException("slow.etl", 0x1a3f0, 1204, "a header of 80 bytes", "12")));
        Assert.Equal("tcpdiag: slow.etl:1204@0x1a3f0: expected a header of 80 bytes, found 12\n", Error);
    }

    [Fact]
    public void Guard_MissingFile_NamesIt()
    {
        Assert.Equal(ExitCode.Failed, Guard(new FileNotFoundException("Could not find file.", "a.etl")));
        Assert.Equal("tcpdiag: a.etl: no such file\n", Error);
    }

    [Fact]
    public void Guard_NoRights_IsOneLine()
    {
        Assert.Equal(ExitCode.Failed, Guard(new UnauthorizedAccessException("Access to the path 'a.etl' is denied.")));
        Assert.Equal("tcpdiag: Access to the path 'a.etl' is denied.\n", Error);
    }

    [Fact]
    public void Guard_Interrupted_SaysSo()
    {
        Assert.Equal(ExitCode.Interrupted, Guard(new OperationCanceledException()));
        Assert.Equal("tcpdiag: interrupted\n", Error);
    }

    [Fact]
    public void Guard_BrokenPipe_IsQuiet()
    {
        int brokenPipe = OperatingSystem.IsWindows() ? unchecked((int)0x8007006D) : 32;
        Assert.Equal(ExitCode.Done, Guard(new IOException("Broken pipe", brokenPipe)));
        Assert.Empty(Error);
    }

    [Fact]
    public void Guard_StandardErrorGone_StillReturnsTheCode()
    {
        using var gone = new GoneWriter();
        Assert.Equal(ExitCode.Failed, Failure.Guard(() => throw new IOException("disk"), gone));
    }

    [Fact]
    public void Guard_OwnBug_IsOneLineWithoutStackTrace()
    {
        Assert.Equal(ExitCode.Failed, Guard(new InvalidOperationException("first\nsecond")));
        Assert.Equal("tcpdiag: internal error, please report it: InvalidOperationException: first second (TCPDIAG_DEBUG=1 shows where)\n", Error);
    }

    [Theory]
    [InlineData(ExitCode.Done, ExitCode.Done, ExitCode.Done)]
    [InlineData(ExitCode.Done, ExitCode.CheckFailed, ExitCode.CheckFailed)]
    [InlineData(ExitCode.CheckFailed, ExitCode.Damaged, ExitCode.Damaged)]
    [InlineData(ExitCode.Damaged, ExitCode.Failed, ExitCode.Failed)]
    public void Combine_TwoInputs_KeepsTheHigherRank(int first, int second, int expected)
    {
        Assert.Equal(expected, ExitCode.Combine(first, second));
        Assert.Equal(expected, ExitCode.Combine(second, first));
    }

    string Error => _error.ToString().ReplaceLineEndings("\n");

    int Guard(Exception exception) => Failure.Guard(() => throw exception, _error);

    sealed class GoneWriter : StringWriter
    {
        public override void WriteLine(string? value) => throw new IOException("No space left on device");
    }
}
