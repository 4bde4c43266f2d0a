using System;
using TcpDiag.Capture.Sessions;

namespace TcpDiag.Capture.Windows;

/// <summary>What a recording on Windows costs, in words for <c>--dry-run</c>.</summary>
static class WindowsCosts
{
    // Beyond it a packet holds payload, not only headers: Ethernet, VLAN tag, IPv6, TCP with all options.
    const int HeaderBytes = 14 + 4 + 40 + 60;

    /// <summary>The costs.</summary>
    /// <param name="settings">What to record.</param>
    /// <param name="traceBytes">Most the trace can grow to.</param>
    /// <returns>The costs.</returns>
    public static CaptureCosts Of(CaptureSettings settings, long traceBytes) => new(traceBytes * 2, Processor(settings), Privacy(settings));

    static string Processor(CaptureSettings settings) => settings.WithEvents
        ? "every packet and every event of the TCP stack is copied: expect less throughput above some 100,000 packets a second, and lost events, which are counted"
        : "every packet is copied: expect less throughput above some 100,000 packets a second";

    static string Privacy(CaptureSettings settings)
    {
        string packets = settings.SnapLength > HeaderBytes + 2
            ? FormattableString.Invariant($"the first {settings.SnapLength} bytes of each packet, which holds payload")
            : FormattableString.Invariant($"the first {settings.SnapLength} bytes of each packet: headers, and payload where headers are short");
        return packets + (settings.WithEvents ? "; addresses, ports and process names of all connections, names that were looked up" : string.Empty);
    }
}
