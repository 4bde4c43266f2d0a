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
    static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Fact]
    public async Task Follow_ConnectionThatEnded_IsToldBeforeTheTraceEnds()
    {
        using Process follow = Start("analyze", "-", "--follow");
        using var patience = new CancellationTokenSource(Patience);

        // The second trace begins six seconds after the first one's only connection ended: that one is over for good.
        await Write(follow, ProjectFolder.Fixture("zero-window.pcapng"), patience.Token);
        await Write(follow, Path.Combine(AppContext.BaseDirectory, "demo.pcapng"), patience.Token);
        string? first = await follow.StandardOutput.ReadLineAsync(patience.Token);
        Assert.StartsWith("CRITICAL 1.33 s #0 upload   zero-window: ", first, StringComparison.Ordinal);
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
