using System;
using System.IO;

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
