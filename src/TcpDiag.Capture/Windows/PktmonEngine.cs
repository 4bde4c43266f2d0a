using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.Sessions.Engines;

namespace TcpDiag.Capture.Windows;

/// <summary>
/// Records with Packet Monitor, which Windows has since 1809. It filters by address, prefix and port. Its command line changed: up to
/// build 20347 <c>--etw</c> records packets alone; later <c>--capture</c> records packets and <c>--trace</c> the events of providers into one file.
/// </summary>
sealed class PktmonEngine : CaptureEngine
{
    public const int FirstBuild = 17763;

    /// <summary>The first build whose pktmon records events of providers: Windows Server 2022.</summary>
    public const int FirstBuildWithEvents = 20348;

    /// <summary>The first build whose pktmon is documented to begin new files: Windows 10 2004.</summary>
    public const int FirstBuildWithLogModes = 19041;

    // Removing filters and starting; any other command adds a filter.
    const int BareCommands = 2;

    const long MiB = 1 << 20;

    // Above our own limit: the log is a ring at any size, and must not wrap before we stop.
    const long HeadroomMiB = 16;

    const string AtAdapters = "packets are recorded at the adapters: one that TCP/IP, the filtering platform or a virtual switch drops is not marked as "
        + "dropped; --drops does";
    const string AtAllComponents = "--drops records each packet at every component that it passes: several times the disk and the work of a recording "
        + "at the adapters";

    const string WithoutEvents = "pktmon of this build records no events of the TCP stack: use --engine netsh for them";

    static readonly ProgramCall RemoveFilters = ProgramCall.Of("pktmon", "filter", "remove");

    static readonly ProgramCall ListFilters = ProgramCall.Of("pktmon", "filter", "list");

    static readonly TimeSpan ListLimit = TimeSpan.FromSeconds(30);

    public override string Name => "pktmon";

    public override ProgramCall Status { get; } = ProgramCall.Of("pktmon", "status");

    protected override IReadOnlyList<PlannedCommand> StopCommands { get; } = [new(ProgramCall.Of("pktmon", "stop"), "stops, writes what is still in memory")];

    protected override IReadOnlyList<PlannedCommand> UndoCommands { get; } = [new(RemoveFilters, "removes the filters")];

    public override string? WhyNotSplit(bool isByTime, int build) => build < FirstBuildWithLogModes
        ? FormattableString.Invariant($"begins new files from build {FirstBuildWithLogModes} on, and this is {build}: use --engine etw")
        : WhyNotByTime(isByTime);

    public override string? WhyNoEvents(int build) => build < FirstBuildWithEvents ? WithoutEvents : null;

    public override bool Competes(string sessionName) =>
        string.Equals(sessionName, "PktMon", StringComparison.OrdinalIgnoreCase) || string.Equals(sessionName, Name, StringComparison.Ordinal);

    public override CapturePlan Plan(CaptureSettings settings, string traceFile, int build)
    {
        ArgumentNullException.ThrowIfNull(settings);
        if (build < FirstBuild)
        {
            throw new CaptureException(FormattableString.Invariant($"Windows build {build} has no pktmon, which came with {FirstBuild}. Use --engine netsh."));
        }

        List<string> departures = [];
        List<PlannedCommand> start = [new(RemoveFilters, "removes filters of earlier recordings: there is one list for all")];
        start.AddRange(PktmonFilter.Commands(settings.Match, departures));
        start.Add(new(new("pktmon", Start(settings, traceFile, build)), "starts the recording"));
        return new()
        {
            Engine = Name,
            TraceFile = traceFile,
            Start = start,
            Stop = [.. StopCommands, .. UndoCommands],
            Costs = WindowsCosts.Of(
                settings with { WithEvents = settings.WithEvents && build >= FirstBuildWithEvents }, settings.MaxBytes + (HeadroomMiB * MiB)),
            HasFilters = start.Count > BareCommands,
            Departures = [.. departures, .. Departures(settings, build)],
            Remarks = [.. Remarks(settings, build)],
        };
    }

    public override OtherUse? FindOtherUse(ICaptureMachine machine)
    {
        ArgumentNullException.ThrowIfNull(machine);
        if (PktmonState.IsRunning(machine.Run(Status, ListLimit)))
        {
            return new("pktmon without a session that Windows lists, as for counters", Runs: true);
        }

        ProgramResult listed = machine.Run(ListFilters, ListLimit);
        List<string> others = [.. PktmonState.Filters(listed).Where(name => !PktmonFilter.IsOurs(name)).Distinct(StringComparer.Ordinal)];
        return !listed.Succeeded ? new($"pktmon does not list its filters (`{ListFilters}` ended with {listed.Describe()})", Runs: false)
            : others.Count > 0 ? new($"pktmon has filters that are not ours ({string.Join(", ", others)})", Runs: false) { Settings = PktmonState.Rows(listed) }
            : null;
    }

    /// <summary>Removes the filters if ours are among them: otherwise we have not changed the list.</summary>
    public override string? Undo(ICaptureMachine machine)
    {
        ArgumentNullException.ThrowIfNull(machine);
        ProgramResult listed = machine.Run(ListFilters, ListLimit);
        return PktmonState.Words(listed).Any(PktmonFilter.IsOurs) ? base.Undo(machine)
            : listed.Succeeded ? null
            : $"`{ListFilters}` ended with {listed.Describe()}: filters may be left, which `{RemoveFilters}` removes";
    }

    public override FilterProof ProveFilters(ICaptureMachine machine, CapturePlan plan)
    {
        ArgumentNullException.ThrowIfNull(machine);
        ArgumentNullException.ThrowIfNull(plan);
        ProgramResult listed = machine.Run(ListFilters, ListLimit);
        List<string> names = [.. plan.Start.Where(command => command.Call.Arguments is ["filter", "add", ..]).Select(command => command.Call.Arguments[2])];
        HashSet<string> inForce = [.. PktmonState.Words(listed)];
        return names.Find(name => !inForce.Contains(name)) is { } missing
            ? new(IsInForce: false, $"the filter {missing} is not in force, more is recorded than was asked for: "
                + $"`{ListFilters}` ended with {listed.Describe()}")
            : new(IsInForce: true, $"`{ListFilters}` lists {string.Join(", ", names)}");
    }

    static IEnumerable<string> Departures(CaptureSettings settings, int build)
    {
        if (settings.Interfaces is not [{ Name: CaptureInterface.Any }])
        {
            yield return "pktmon numbers its interfaces anew at each start: packets of all are recorded";
        }

        if (settings.WithEvents && build < FirstBuildWithEvents)
        {
            yield return WithoutEvents;
        }
    }

    static IEnumerable<string> Remarks(CaptureSettings settings, int build)
    {
        yield return settings.WithDrops ? AtAllComponents : AtAdapters;
        if (settings.IsSplit)
        {
            yield return Unbounded;
        }

        if (settings.WithEvents && build >= FirstBuildWithEvents)
        {
            yield return StackProviders.NotFiltered;
        }
    }

    static List<string> Start(CaptureSettings settings, string traceFile, int build) =>
        build < FirstBuildWithEvents ? StartPackets(settings, traceFile) : StartAll(settings, traceFile);

    static List<string> StartPackets(CaptureSettings settings, string traceFile)
    {
        string[] mode = settings.IsSplit ? ["--log-mode", "multi-file"] : [];
        return ["start", "--etw", "-c", Components(settings), "-p", Number(settings.SnapLength), "-f", traceFile, "-s", Size(settings), .. mode];
    }

    static List<string> StartAll(CaptureSettings settings, string traceFile)
    {
        List<string> arguments =
        [
            "start", "--capture", "--comp", Components(settings), "--pkt-size", Number(settings.SnapLength),
            "--file-name", traceFile, "--file-size", Size(settings),
            "--log-mode", settings.IsSplit ? "multi-file" : "circular",
        ];
        if (settings.WithEvents)
        {
            arguments.Add("--trace");
            foreach (StackProvider provider in StackProviders.All)
            {
                arguments.AddRange(["--provider", provider.Name, "--keywords", StackProviders.AllKeywords, "--level", provider.LevelText]);
            }
        }

        return arguments;
    }

    // The same components apply to packets that flow and packets that are dropped.
    static string Components(CaptureSettings settings) => settings.WithDrops ? "all" : "nics";

    static string Size(CaptureSettings settings) =>
        Number(PieceMebibytes(settings) ?? (((settings.MaxBytes + MiB - 1) / MiB) + (settings.IsRing ? 0 : HeadroomMiB)));

    static string Number(long value) => value.ToString(CultureInfo.InvariantCulture);
}
