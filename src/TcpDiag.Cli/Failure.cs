using System;
using System.Collections.Generic;
using System.IO;
using TcpDiag.Capture;
using TcpDiag.Cli.Commands;
using TcpDiag.Cli.Help;
using TcpDiag.Doctor.Answers;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Lab;
using TcpDiag.Platform;
using TcpDiag.Report;
using TcpDiag.Scores.Bisections;
using TcpDiag.Scores.RunSets;
using TcpDiag.Store;
using TcpDiag.Traces;
using TcpDiag.Traces.Input;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Cli;

/// <summary>Turns whatever escapes a command into one line on standard error and an exit code.</summary>
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
    /// <returns>The command's exit code, or that of its failure.</returns>
    public static int Guard(Func<int> command, TextWriter error)
    {
        try
        {
            return command();
        }
        catch (OperationCanceledException)
        {
            Report(error, "interrupted");
            return ExitCode.Interrupted;
        }
        catch (Exception exception) when (exception is ImpairmentException or MatchException or RedactionUsageException or OutputTakenException)
        {
            Report(error, exception.Message);
            return ExitCode.Usage;
        }
        catch (IOException exception) when (IsBrokenPipe(exception))
        {
            // The reader of our output has seen enough, as `head` does.
            return ExitCode.Done;
        }
#pragma warning disable CA1031 // nothing else catches everything: a stack trace helps no user
        catch (Exception exception)
#pragma warning restore CA1031
        {
            Report(error, Describe(exception));
            if (!string.IsNullOrEmpty(Environment.GetEnvironmentVariable(DebugVariable)))
            {
                error.WriteLine(exception);
            }

            return ExitCode.Failed;
        }
    }

    /// <summary>Writes one line; names in it may come from a file or a folder. Does nothing where standard error is gone.</summary>
    public static void Report(TextWriter error, string message)
    {
        try
        {
            error.WriteLine($"tcpdiag: {SafeText.OneLine(message.ReplaceLineEndings(" "))}");
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The exit code still shows it.
        }
    }

    /// <summary>Whether writing ended because the reader of our output has gone.</summary>
    /// <returns>True for a broken pipe.</returns>
    public static bool IsBrokenPipe(IOException exception) => OperatingSystem.IsWindows()
        ? exception.HResult is WindowsBrokenPipe or WindowsNoData
        : exception.HResult == UnixBrokenPipe;

    static string Describe(Exception exception) => exception switch
    {
        TraceFormatException or TraceInputException or CaptureException or PlatformException or LabException or RunSetException or DecisionLogException
                or BisectException or StoreException or RecordingChangedException
            => exception.Message,
        FileNotFoundException { FileName: { } path } => $"{path}: no such file",
        IOException or UnauthorizedAccessException => exception.Message,
        _ => $"internal error, please report it: {exception.GetType().Name}: {exception.Message} ({DebugVariable}=1 shows where)",
    };
}

/// <summary>The exit codes that scripts rely on. Several inputs: the highest of 1, 4, 3, 0 in this order.</summary>
static class ExitCode
{
    /// <summary>Done.</summary>
    public const int Done = 0;

    /// <summary>The work could not be done.</summary>
    public const int Failed = 1;

    /// <summary>The command line was wrong.</summary>
    public const int Usage = 2;

    /// <summary>The check that was asked for did not hold.</summary>
    public const int CheckFailed = 3;

    /// <summary>Done, but the input was damaged or incomplete.</summary>
    public const int Damaged = 4;

    /// <summary>Done, but the input holds nothing of what was asked for.</summary>
    public const int NoResult = Damaged;

    /// <summary><c>troubleshoot</c>: it is this computer; the network is one more, then the far end, then "cannot be told".</summary>
    public const int ThisComputer = 10;

    /// <summary>Interrupted by the user (128 + SIGINT).</summary>
    public const int Interrupted = 130;

    /// <summary>What each says, for people.</summary>
    public static IReadOnlyList<HelpRow> Meanings { get; } =
    [
        new("0", "Done."),
        new("1", "The work could not be done."),
        new("2", "Wrong usage; nothing was begun."),
        new("3", "The check that was asked for did not hold."),
        new("4", "Done, but the input was damaged or incomplete, or holds nothing of what was asked for."),
        new("130", "Interrupted."),
    ];

    /// <summary>The exit code of a command that worked on several inputs.</summary>
    /// <returns>The one that ranks higher.</returns>
    public static int Combine(int first, int second) => Rank(first) >= Rank(second) ? first : second;

    /// <summary>The exit code of an answer of <c>troubleshoot</c>.</summary>
    /// <returns>0 where nothing is to be mended, else from <see cref="ThisComputer"/> on.</returns>
    public static int Of(Side side) => side is Side.Nothing ? Done : ThisComputer + (int)side - (int)Side.ThisComputer;

    static int Rank(int code) => code switch
    {
        Interrupted => 5,
        Usage => 4,
        Failed => 3,
        Damaged => 2,
        CheckFailed => 1,
        _ => 0,
    };
}
