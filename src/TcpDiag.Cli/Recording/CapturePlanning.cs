using System.Collections.Generic;
using System.CommandLine;
using System.Globalization;
using System.Linq;
using TcpDiag.Capture;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.Sessions.Engines;
using TcpDiag.Capture.Sessions.Finish;
using TcpDiag.Capture.Triggers;
using TcpDiag.Capture.Windows;
using TcpDiag.Report;
using TcpDiag.Report.Json;

namespace TcpDiag.Cli.Recording;

/// <summary><c>tcpdiag capture --dry-run</c>: the exact commands, for this machine or for a build of Windows elsewhere, and what they cost.</summary>
static class CapturePlanning
{
    // Where a recording on Windows keeps its trace; ID is made of time and process id.
    const string Folder = @"C:\ProgramData\tcpdiag\captures\ID\";

    const string SnapshotOfLinux = "; the snapshot: interfaces and their settings, sysctls, routes, name servers, and every connection of this machine";

    /// <summary>Prints the plan.</summary>
    /// <param name="parse">The command line.</param>
    /// <param name="options">Its options.</param>
    /// <param name="file">The file as the user named it; null for none.</param>
    /// <param name="isJson">Whether as JSON.</param>
    public static int Run(ParseResult parse, CaptureOptions options, string? file, bool isJson)
    {
        CaptureSettings settings = options.Read(parse);
        EngineChoice choice = options.ReadEngine(parse);
        string path = file ?? CaptureCommand.UsualName();
        EngineCheck.RequirePossible(settings, choice, path);
        bool isOwn = options.IsOwnWindows(parse);
        (choice, string? use) = isOwn
            ? OnMachine(settings, choice, options.ReadTakeOver(parse), ((Invocation)parse.InvocationConfiguration).Surroundings.OpenMachine())
            : (choice, Elsewhere(settings, choice, options.ReadTakeOver(parse)));
        CapturePlanDocument document = ToDocument(settings, choice, CaptureRequest.IsBundle(path), isOwn, use);
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

    static string? Elsewhere(CaptureSettings settings, EngineChoice choice, bool takeOver) =>
        !takeOver && choice.Fallback(settings) is { } other
            ? $"where somebody else uses {choice.Engine!.Name}, {other.Name} records instead, and the result says why"
                        : null;

    // On the machine itself it also matters whether someone else records, unless --take-over stops that; finding out takes the rights to record.
    static (EngineChoice Choice, string? Use) OnMachine(CaptureSettings settings, EngineChoice choice, bool takeOver, ICaptureMachine machine)
    {
        if (takeOver)
        {
            return (choice, null);
        }

        if (!machine.IsPrivileged)
        {
            return (choice, "whether somebody else records here already is looked for from an elevated prompt only");
        }

        (EngineChoice now, string? refusal) = choice.On(machine, settings);
        return (now, refusal is null ? null : $"refused as long as {refusal}");
    }

    static CapturePlanDocument ToDocument(CaptureSettings settings, EngineChoice choice, bool isBundle, bool isOwn, string? use)
    {
        CapturePlan plan = choice.Engine?.Plan(settings, Folder + "trace.etl", choice.Build) ?? Linux(settings, isBundle);
        CaptureCosts costs = isBundle && choice.Engine is not null ? WindowsCosts.InBundle(plan.Costs) : plan.Costs;
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
            costs.DiskBytes,
            costs.MemoryBytes,
            costs.Processor,
            costs.Privacy,
            [.. use is null ? (string[])[] : [use], .. plan.Departures, .. plan.Remarks, .. Notes(settings, choice, isOwn ? null : costs.MemoryBytes)]);
    }

    static IEnumerable<string> Notes(CaptureSettings settings, EngineChoice choice, long? assumedMemory)
    {
        if (settings.Match.NamesProcess)
        {
            yield return choice.Engine is null
                ? "processes are told apart while it records: packets and events wait for two seconds, "
                    + "and those of TCP connections whose process is not known then are left out and counted"
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

        if (assumedMemory is not null)
        {
            yield return "buffers are planned for a link of 1 Gbit/s: where it records, the fastest link that is up decides";
        }

        if (choice.Engine is not null && settings.RingTime is not null)
        {
            yield return "a ring of Windows goes by size: --size decides how far it reaches back, and the result says so if that is less than asked for";
        }
    }

    static PlannedCommandEntry ToEntry(PlannedCommand command) => new(command.Call.ToString(), command.Call.Program, command.Call.Arguments, command.Purpose);

    // The pieces of a ring lie on disk beside the trace that is made of them.
    static CapturePlan Linux(CaptureSettings settings, bool isBundle) => new()
    {
        Engine = EngineChoice.Linux,
        TraceFile = string.Empty,
        Start = [],
        Stop = [],
        Costs = new(
            settings.MaxBytes * (settings.IsRing ? 2 : 1),
            "packets from an AF_PACKET ring, events from a trace instance of its own (docs/capture-linux.md has figures)",
            string.Create(
                CultureInfo.InvariantCulture,
                $"the first {settings.SnapLength} bytes of each packet; addresses, ports and process names of matching connections"
                + $"{(isBundle ? SnapshotOfLinux : string.Empty)}")),
        Remarks = ["no program is started and no setting changed: sources of the kernel are opened, and closed with the process"],
    };
}
