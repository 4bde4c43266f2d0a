using System;
using TcpDiag.Capture.Sessions.Engines;
using TcpDiag.Capture.Windows.Snapshots;

namespace TcpDiag.Capture.Windows;

/// <summary>What a recording on Windows costs, in words for <c>--dry-run</c>.</summary>
public static class WindowsCosts
{
    // Beyond these bytes a packet holds payload: Ethernet, VLAN tag, IPv6, TCP with all options.
    const int HeaderBytes = 14 + 4 + 40 + 60;

    const string AnyPackets = "packets as pktmon or netsh beside it cut them, which as a rule keeps payload: a session of its own can neither cut nor "
        + "filter them";

    /// <summary>The costs of a trace.</summary>
    /// <param name="settings">What to record.</param>
    /// <param name="traceBytes">Most the trace can grow to.</param>
    /// <returns>The costs.</returns>
    public static CaptureCosts Of(CaptureSettings settings, long traceBytes) => new(traceBytes, Processor(settings), FirstBytes(settings) + Events(settings));

    /// <summary>The costs of a trace whose packets are cut by other programs.</summary>
    /// <param name="settings">What to record.</param>
    /// <param name="traceBytes">Most the trace can grow to.</param>
    /// <returns>The costs.</returns>
    public static CaptureCosts OfUncut(CaptureSettings settings, long traceBytes) => new(traceBytes, Processor(settings), AnyPackets + Events(settings));

    /// <summary>What a bundle adds: the copy in it, and the snapshot.</summary>
    /// <param name="trace">Costs of the trace.</param>
    /// <returns>Costs of both.</returns>
    public static CaptureCosts InBundle(CaptureCosts trace)
    {
        ArgumentNullException.ThrowIfNull(trace);
        return trace with
        {
            DiskBytes = trace.DiskBytes * 2,
            Processor = FormattableString.Invariant($"{trace.Processor}; before it, {WindowsSnapshot.Queries.Count} short runs of PowerShell for the snapshot"),
            Privacy = trace.Privacy + "; the snapshot: adapters and drivers, TCP settings, firewall, antivirus, DNS servers, routes, proxy",
        };
    }

    static string Processor(CaptureSettings settings) => settings.WithEvents
        ? "every packet and every event of the TCP stack is copied: expect less throughput above some 100,000 packets a second, and lost events, "
            + "which are counted"
        : "every packet is copied: expect less throughput above some 100,000 packets a second";

    static string FirstBytes(CaptureSettings settings) => settings.SnapLength > HeaderBytes + 2
        ? FormattableString.Invariant($"the first {settings.SnapLength} bytes of each packet, which holds payload")
        : FormattableString.Invariant($"the first {settings.SnapLength} bytes of each packet: headers, and payload where headers are short");

    static string Events(CaptureSettings settings) => settings.WithEvents
        ? "; addresses, ports and process names of all connections, names that were looked up"
        : string.Empty;
}
