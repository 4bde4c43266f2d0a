using System;
using System.IO;
using System.Text;
using System.Threading;
using Microsoft.Win32.SafeHandles;

namespace TcpDiag.Cli;

/// <summary>The entry point: opens the standard streams, runs the command line and ends with its exit code.</summary>
static class Program
{
    static int Main(string[] args)
    {
        using var output = StandardStreams.OpenText(StandardStreams.OpenOutput());
        int exitCode = new CommandLine(output, Console.Error).Run(args);
        int flushed = Failure.Guard(() => Flush(output), Console.Error);
        return ExitCode.Combine(exitCode, flushed);
    }

    static int Flush(StreamWriter output)
    {
        output.Flush();
        return ExitCode.Done;
    }
}

/// <summary>Standard output as a stream and as text.</summary>
static class StandardStreams
{
    const int BufferBytes = 1 << 16;

    /// <summary>
    /// Opens standard output for bytes. The runtime's console stream swallows a broken pipe, so that <c>dump | head</c>
    /// would go on to the end of the trace; on Unix a pipe is therefore opened as a file, which reports it.
    /// A regular file stays with the console stream: only that moves the offset it shares with other writers.
    /// </summary>
    /// <returns>The stream; flushed and closed by the caller.</returns>
    public static Stream OpenOutput()
    {
        if (OperatingSystem.IsWindows() || !Console.IsOutputRedirected)
        {
            return Console.OpenStandardOutput();
        }

        var file = new FileStream(new SafeFileHandle(1, ownsHandle: false), FileAccess.Write, bufferSize: 0);
        return file.CanSeek ? Console.OpenStandardOutput() : file;
    }

    /// <summary>Wraps a stream as UTF-8 text without a byte-order mark, line feeds as on Unix.</summary>
    /// <returns>The writer: buffered, or flushed at each write on a terminal.</returns>
    public static StreamWriter OpenText(Stream stream) => new(stream, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false), BufferBytes)
    {
        AutoFlush = !Console.IsOutputRedirected,
        NewLine = "\n",
    };

    /// <summary>
    /// Cancels work when standard input ends. Where it is a pipe whose other end only the parent process holds, its end of file says that the parent has gone.
    /// </summary>
    public static void CancelAtEndOfInput(CancellationTokenSource cancellation)
    {
        var watch = new Thread(() => Watch(cancellation)) { IsBackground = true };
        watch.Start();
    }

    static void Watch(CancellationTokenSource cancellation)
    {
        using Stream input = Console.OpenStandardInput();
        Span<byte> ignored = stackalloc byte[64];
        while (input.Read(ignored) > 0)
        {
        }

        try
        {
            cancellation.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // The work ended first.
        }
    }
}
