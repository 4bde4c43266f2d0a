using System;
using System.Collections.Generic;
using System.CommandLine;
using System.IO;
using System.Linq;
using System.Threading;
using TcpDiag.Analysis.Results;
using TcpDiag.Report;
using TcpDiag.Report.Stores;
using TcpDiag.Store;
using TcpDiag.Store.Rows;
using TcpDiag.Traces;
using TcpDiag.Traces.Input;

namespace TcpDiag.Cli.Store;

/// <summary>Adds recordings to a store.</summary>
static class StoreAdding
{
    /// <summary>Adds files, each by itself. One that cannot be read does not keep the others from being added.</summary>
    /// <returns>The exit code.</returns>
    public static int Run(ParseResult parse, string store, string[] files, RecordingLabels labels, bool isJson)
    {
        CancellationToken interruption = ((Invocation)parse.InvocationConfiguration).InterruptionOfReading;
        TextWriter output = parse.InvocationConfiguration.Output;
        using IResultStore opened = ResultStores.Open(store, isCreated: true);
        var added = new List<AddedFile>();
        int exitCode = ExitCode.Done;
        foreach (string file in files)
        {
            interruption.ThrowIfCancellationRequested();
            AddedFile one = Add(opened, file, labels, interruption);
            added.Add(one);
            if (one.Problem is { } problem)
            {
                Failure.Report(parse.InvocationConfiguration.Error, problem);
            }

            if (!isJson)
            {
                output.WriteLine($"{one.Outcome,-8}  {SafeText.OneLine(file)}{AmountOf(one)}");
            }

            exitCode = ExitCode.Combine(exitCode, one.Result is null ? ExitCode.Failed : one.Result.IsComplete ? ExitCode.Done : ExitCode.Damaged);
        }

        if (isJson)
        {
            StoreJson.WriteAdded(output, store, added);
        }

        if (added.Count(file => file.Result?.Outcome == AddOutcome.Spooled) is > 0 and { } waiting)
        {
            Failure.Report(parse.InvocationConfiguration.Error,
                $"{store}: cannot be reached; {Quantity.Count(waiting, "result")} wait on this machine for the next store add or ingest");
        }

        return exitCode;
    }

    static AddedFile Add(IResultStore store, string file, RecordingLabels labels, CancellationToken interruption)
    {
        try
        {
            return new(file, RecordingIntake.Add(store, file, labels, interruption), null);
        }
        catch (Exception exception) when (exception is TraceFormatException or TraceInputException or IOException
            or UnauthorizedAccessException or RecordingChangedException)
        {
            string message = exception is FileNotFoundException or DirectoryNotFoundException ? $"{file}: no such file" : exception.Message;
            return new(file, null, message);
        }
    }

    static string AmountOf(AddedFile file) => file.Result is { Connections: { } connections, Findings: { } findings }
        ? $"  {Quantity.Count(connections, "connection")}, {Quantity.Count(findings, "finding")}"
        : string.Empty;
}
