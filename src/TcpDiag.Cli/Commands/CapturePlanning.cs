using System;
using System.Collections.Generic;
using System.CommandLine;
using System.Linq;
using TcpDiag.Capture;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.Triggers;
using TcpDiag.Capture.Windows;
using TcpDiag.Report;
using TcpDiag.Report.Json;

namespace TcpDiag.Cli.Commands;

/// <summary><c>tcpdiag capture --dry-run</c>: the exact commands, for this machine or for a build of Windows elsewhere, and what they cost.</summary>
static class CapturePlanning
{
    // Where a recording on Windows keeps its trace; ID is made of time and process.
    const string Folder = @"C:\ProgramData\tcpdiag\captures\ID\";

    /// <summary>Prints the plan.</summary>
    /// <param name="parse">The command line.</param>
    /// <param name="options">Its options.</param>
    /// <param name="isJson">Whether as JSON.</param>
    /// <returns>The exit code.</returns>
    public static int Run(ParseResult parse, CaptureOptions options, bool isJson)
    {
        CaptureSettings settings = options.Read(parse);
        EngineChoice choice = options.ReadEngine(parse);
        RequireOnePiece(settings, choice);
        CapturePlanDocument document = ToDocument(settings, choice);
        if (isJson)
        {
            document.Write(parse.InvocationConfiguration.Output);
        }
        else
        {
            CapturePlanReport.Write(Terminal.Output(parse), document);
        }

        return ExitCode.Done;
    }

    /// <summary>Refuses several traces where they would have gaps between them.</summary>
    /// <param name="settings">What is asked for.</param>
    /// <param name="choice">What records.</param>
    /// <exception cref="CaptureException">An engine of Windows is to split its recording.</exception>
    public static void RequireOnePiece(CaptureSettings settings, EngineChoice choice)
    {
        if (settings.IsSplit && choice.Engine is { } engine)
        {
            throw new CaptureException($"--split: {engine.Name} records one trace, and another session after it would miss what happens in between. Only the Linux recorder splits; use --size or --ring.");
        }
    }

    static CapturePlanDocument ToDocument(CaptureSettings settings, EngineChoice choice)
    {
        CapturePlan plan = choice.Engine?.Plan(settings, Folder + "trace.etl", choice.Build) ?? Linux(settings);
        return new(
            CapturePlanDocument.SchemaName,
            plan.Engine,
            choice.Reason,
            choice.Engine is null ? null : choice.Build,
            settings.Match.ToString(),
            settings.Duration.TotalSeconds,
            [.. settings.Until.Select(condition => condition.ToString())],
            [.. plan.Start.Select(ToEntry)],
            [.. plan.Stop.Select(ToEntry)],
            plan.Costs.DiskBytes,
            plan.Costs.Processor,
            plan.Costs.Privacy,
            [.. plan.Remarks, .. Notes(settings, choice)]);
    }

    static IEnumerable<string> Notes(CaptureSettings settings, EngineChoice choice)
    {
        if (settings.Match.NamesProcess)
        {
            yield return choice.Engine is null
                ? "processes are told apart while it records: packets and events wait for two seconds, and those of TCP connections whose process is not known then are left out and counted"
                : ProcessRemark.For(settings.Match)!;
        }

        if (choice.Engine is not null && settings.Match.NamesProcess && settings.Until.Any(condition => condition is not ProcessChange))
        {
            yield return "--until looks at the connections of all processes";
        }

        if (choice.Engine is not null && settings.Until.Any(condition => condition is not ProcessChange))
        {
            yield return "--until has a second, real-time session hand over the events of the TCP stack: more processor, no disk";
        }

        if (choice.Engine is not null && settings.RingTime is not null)
        {
            yield return "a ring of Windows goes by size: --size decides how far it reaches back, and the result tells if that is less than asked for";
        }
    }

    static PlannedCommandEntry ToEntry(PlannedCommand command) => new(command.Call.ToString(), command.Call.Program, command.Call.Arguments, command.Purpose);

    static CapturePlan Linux(CaptureSettings settings) => new()
    {
        Engine = EngineChoice.Linux,
        TraceFile = string.Empty,
        Start = [],
        Stop = [],
        Costs = new(
            settings.MaxBytes,
            "packets from an AF_PACKET ring, events from a trace instance of its own (docs/capture-linux.md has figures)",
            FormattableString.Invariant($"the first {settings.SnapLength} bytes of each packet; addresses, ports and process names of matching connections")),
        Remarks = ["no program is started and no setting changed: sources of the kernel are opened, and closed with the process"],
    };
}
