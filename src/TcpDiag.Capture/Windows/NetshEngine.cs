using System;
using System.Collections.Generic;
using System.Globalization;
using TcpDiag.Capture.Sessions;

namespace TcpDiag.Capture.Windows;

/// <summary>
/// Records with <c>netsh trace</c>, which every Windows has. Packets come from the NDIS capture driver, cut to the snap length;
/// events from the TCP stack, from AFD (what applications ask of their sockets) and from name resolution. No report, no
/// correlation and no merging of symbols: they take minutes and hold more of somebody's data than a diagnosis needs.
/// </summary>
sealed class NetshEngine : CaptureEngine
{
    const long MiB = 1 << 20;

    // Above our own limit: it holds when we are gone, and does not cut a trace that we would have stopped.
    const long HeadroomMiB = 16;

    static readonly ProgramCall StopCall = ProgramCall.Of("netsh", "trace", "stop");

    /// <inheritdoc/>
    public override string Name => "netsh";

    /// <inheritdoc/>
    public override ProgramCall Status { get; } = ProgramCall.Of("netsh", "trace", "show", "status");

    /// <inheritdoc/>
    protected override IReadOnlyList<PlannedCommand> StopCommands { get; } = [new(StopCall, "stops, writes what is still in memory; may take minutes")];

    /// <inheritdoc/>
    public override string? WhyNotSplit(bool isByTime, int build) => "has no mode that begins new files (filemode is single, circular or append): use --engine pktmon or etw";

    /// <inheritdoc/>
    public override bool Competes(string sessionName)
    {
        ArgumentNullException.ThrowIfNull(sessionName);
        return sessionName.StartsWith("NetTrace", StringComparison.OrdinalIgnoreCase) || string.Equals(sessionName, Name, StringComparison.Ordinal);
    }

    /// <inheritdoc/>
    public override CapturePlan Plan(CaptureSettings settings, string traceFile, int build)
    {
        ArgumentNullException.ThrowIfNull(settings);
        var departures = new List<string>();
        List<string> arguments = ["trace", "start", "capture=yes", $"tracefile={traceFile}", "overwrite=yes", Size(settings), FileMode(settings)];
        arguments.AddRange(["report=disabled", "correlation=disabled", "perfMerge=no", "persistent=no"]);
        arguments.Add(string.Create(CultureInfo.InvariantCulture, $"packettruncatebytes={settings.SnapLength}"));
        List<string> filters = [.. NetshFilter.Arguments(settings, departures)];
        arguments.AddRange(filters);
        if (settings.WithEvents)
        {
            foreach (StackProvider provider in StackProviders.All)
            {
                arguments.AddRange([$"provider={provider.Name}", $"keywords={StackProviders.AllKeywords}", $"level={provider.LevelText}"]);
            }
        }

        return new()
        {
            Engine = Name,
            TraceFile = traceFile,
            Start = [new(new("netsh", arguments), "starts the recording")],
            Stop = StopCommands,
            Costs = WindowsCosts.Of(settings, settings.MaxBytes + (HeadroomMiB * MiB)),
            HasFilters = filters.Count > 0,
            Departures = departures,
            Remarks = settings.WithEvents ? [StackProviders.NotFiltered] : [],
        };
    }

    static string Size(CaptureSettings settings)
    {
        long size = (settings.MaxBytes + MiB - 1) / MiB;
        return string.Create(CultureInfo.InvariantCulture, $"maxsize={(settings.IsRing ? size : size + HeadroomMiB)}");
    }

    static string FileMode(CaptureSettings settings) => settings.IsRing ? "filemode=circular" : "filemode=single";
}
