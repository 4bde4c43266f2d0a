using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary>A signal to a program that waits for a pipe: the read cannot be cancelled, the program ends all the same.</summary>
public sealed class InterruptionTests : IDisposable
{
    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-interrupt-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [ToolFact("kill")]
    public async Task Terminate_ConvertThatWaitsForItsInput_EndsAndLeavesNothing()
    {
        var opened = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var watcher = new FileSystemWatcher(_folder);
        watcher.Created += (_, _) => opened.TrySetResult();
        watcher.EnableRaisingEvents = true;
        using Process convert = Convert(Path.Combine(_folder, "a.pcapng"));
        byte[] trace = await File.ReadAllBytesAsync(Path.Combine(AppContext.BaseDirectory, "demo.pcapng"));
        using var patience = new CancellationTokenSource(Patience.Limit);

        // Sections of pcapng may follow one another; readers fetch large pieces before they look at any.
        while (!opened.Task.IsCompleted)
        {
            await convert.StandardInput.BaseStream.WriteAsync(trace, patience.Token);
        }

        using Process kill = Process.Start("kill", ["-TERM", convert.Id.ToString(CultureInfo.InvariantCulture)]);
        await convert.WaitForExitAsync(patience.Token);

        Assert.Equal(ExitCode.Interrupted, convert.ExitCode);
        Assert.Equal("tcpdiag: interrupted\n", await convert.StandardError.ReadToEndAsync());
        Assert.Empty(Directory.GetFiles(_folder));
    }

    static Process Convert(string target)
    {
        ProcessStartInfo start = new("dotnet", [Path.Combine(AppContext.BaseDirectory, "tcpdiag.dll"), "convert", "-", target])
        {
            RedirectStandardInput = true,
            RedirectStandardError = true,
            UseShellExecute = false,
        };
        return Process.Start(start)!;
    }
}
