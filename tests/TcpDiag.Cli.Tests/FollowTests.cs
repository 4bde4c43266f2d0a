using System;
using System.Diagnostics;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary><c>analyze - --follow</c>: what is found is told while the pipe is still open.</summary>
public sealed class FollowTests
{
    // Closed from 0.6 s on, told while it is, and again with what it cost in the end.
    [Fact]
    public async Task Follow_ConnectionThatEnded_IsToldBeforeTheTraceEnds()
    {
        using Process follow = Start("analyze", "-", "--follow");
        using var patience = new CancellationTokenSource(Patience.Limit);

        // The second trace begins six seconds after the first one's only connection ended: that one is over for good.
        await Write(follow, ProjectFolder.Fixture("zero-window.pcapng"), patience.Token);
        string soFar = await ReadFinding(follow, patience.Token);
        Assert.Contains(" so far ", soFar, StringComparison.Ordinal);
        Assert.Contains(" #0 upload   zero-window (95 % sure): ", soFar, StringComparison.Ordinal);

        await Write(follow, Path.Combine(AppContext.BaseDirectory, "demo.pcapng"), patience.Token);
        string ended = await ReadFinding(follow, patience.Token);
        while (ended.Contains(" so far ", StringComparison.Ordinal))
        {
            ended = await ReadFinding(follow, patience.Token);
        }

        Assert.StartsWith("CRITICAL 1.33 s #0 upload   zero-window (95 % sure): ", ended, StringComparison.Ordinal);
        Assert.False(follow.HasExited);

        follow.StandardInput.Close();
        string rest = await follow.StandardOutput.ReadToEndAsync(patience.Token);
        await follow.WaitForExitAsync(patience.Token);
        Assert.Contains("5 TCP connections", rest, StringComparison.Ordinal);
        Assert.Equal(ExitCode.Done, follow.ExitCode);
    }

    [Theory]
    [InlineData("--json")]
    [InlineData("--html=page.html")]
    public void Follow_WithOtherOutput_IsWrongUsage(string option)
    {
        using var error = new StringWriter();
        int code = new CommandLine(TextWriter.Null, error).Run(["analyze", "-", "--follow", option]);
        Assert.Equal(ExitCode.Usage, code);
        Assert.Contains("neither --json nor --html", error.ToString(), StringComparison.Ordinal);
    }

    // Its first line; what it wraps to is indented.
    static async Task<string> ReadFinding(Process process, CancellationToken cancellation)
    {
        string? line = string.Empty;
        while (line is not null && (line.Length == 0 || line[0] == ' '))
        {
            line = await process.StandardOutput.ReadLineAsync(cancellation);
        }

        return line ?? throw new EndOfStreamException();
    }

    static async Task Write(Process process, string path, CancellationToken cancellation)
    {
        await process.StandardInput.BaseStream.WriteAsync(await File.ReadAllBytesAsync(path, cancellation), cancellation);
        await process.StandardInput.BaseStream.FlushAsync(cancellation);
    }

    static Process Start(params string[] arguments) => Process.Start(
        new ProcessStartInfo("dotnet", [Path.Combine(AppContext.BaseDirectory, "tcpdiag.dll"), .. arguments])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            UseShellExecute = false,
        })!;
}
