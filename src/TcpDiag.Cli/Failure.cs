using System;
using System.IO;
using TcpDiag.Capture;
using TcpDiag.Cli.Redaction;
using TcpDiag.Impairment;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Lab;
using TcpDiag.Report;
using TcpDiag.Scores.RunSets;
using TcpDiag.Shim;
using TcpDiag.Traces;
using TcpDiag.Traces.Input;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Cli;

/// <summary>The one place where what went wrong becomes one line on standard error and an exit code.</summary>
static class Failure
{
    // Windows: ERROR_BROKEN_PIPE and ERROR_NO_DATA as HRESULT.
    const int WindowsBrokenPipe = unchecked((int)0x8007006D);
    const int WindowsNoData = unchecked((int)0x800700E8);

    // Linux and macOS: EPIPE, handed on by the runtime as it is.
    const int UnixBrokenPipe = 32;

    // Set to see where a failure came from.
    const string DebugVariable = "TCPDIAG_DEBUG";

    /// <summary>Runs a command and reports what escapes from it.</summary>
    /// <param name="command">The command.</param>
    /// <param name="error">Standard error.</param>
    /// <returns>The command's exit code, or that of its failure.</returns>
    public static int Guard(Func<int> command, TextWriter error)
    {
        try
        {
            return command();
        }
        catch (OperationCanceledException)
        {
            Tell(error, "interrupted");
            return ExitCode.Interrupted;
        }
        catch (Exception exception) when (exception is ImpairmentException or MatchException or RedactionUsageException)
        {
            Tell(error, exception.Message);
            return ExitCode.Usage;
        }
        catch (IOException exception) when (IsBrokenPipe(exception))
        {
            // Whoever read our output has seen enough, as `head` does.
            return ExitCode.Done;
        }
#pragma warning disable CA1031 // the one place that catches everything: a stack trace helps no user
        catch (Exception exception)
#pragma warning restore CA1031
        {
            Tell(error, Describe(exception));
            if (!string.IsNullOrEmpty(Environment.GetEnvironmentVariable(DebugVariable)))
            {
                error.WriteLine(exception);
            }

            return ExitCode.Failed;
        }
    }

    /// <summary>Writes one line; names in it may come from a file or a folder. Where standard error is gone nobody is told.</summary>
    /// <param name="error">Standard error.</param>
    /// <param name="message">What went wrong.</param>
    public static void Tell(TextWriter error, string message)
    {
        try
        {
            error.WriteLine($"tcpdiag: {SafeText.OneLine(message.ReplaceLineEndings(" "))}");
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The exit code still tells.
        }
    }

    /// <summary>Whether writing ended because the reader of our output has gone.</summary>
    /// <param name="exception">What the write threw.</param>
    /// <returns>True for a broken pipe.</returns>
    public static bool IsBrokenPipe(IOException exception) => OperatingSystem.IsWindows()
        ? exception.HResult is WindowsBrokenPipe or WindowsNoData
        : exception.HResult == UnixBrokenPipe;

    static string Describe(Exception exception) => exception switch
    {
        TraceFormatException or TraceInputException or CaptureException or ShimException or LabException or RunSetException or DecisionLogException => exception.Message,
        FileNotFoundException { FileName: { } path } => $"{path}: no such file",
        IOException or UnauthorizedAccessException => exception.Message,
        _ => $"internal error, please report it: {exception.GetType().Name}: {exception.Message} ({DebugVariable}=1 shows where)",
    };
}
