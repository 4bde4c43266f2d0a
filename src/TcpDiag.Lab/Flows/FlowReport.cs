using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Lab.Flows;

/// <summary>What a program of the flow counted, of one connection or of all of them.</summary>
/// <param name="ClientPort">The port of the end that connected; 0 for several connections.</param>
/// <param name="Outcome">How it ended; of several the worst.</param>
/// <param name="Bytes">Bytes the socket took, or gave.</param>
/// <param name="Calls">Writes or reads.</param>
/// <param name="BlockedNs">How long it was inside of them altogether, nanoseconds.</param>
/// <param name="FirstNs">When the first of them began, nanoseconds since the Unix epoch; null without any.</param>
/// <param name="LastNs">When the last of them that moved bytes ended; null without any.</param>
/// <param name="SendBufferBytes">SO_SNDBUF as the kernel has it: twice what was asked for.</param>
/// <param name="ReceiveBufferBytes">SO_RCVBUF as the kernel has it.</param>
/// <param name="Kernel">The kernel's own account at the end.</param>
public sealed record FlowReport(
    int ClientPort,
    FlowOutcome Outcome,
    long Bytes,
    long Calls,
    long BlockedNs,
    long? FirstNs,
    long? LastNs,
    int SendBufferBytes,
    int ReceiveBufferBytes,
    KernelCounters Kernel)
{
    /// <summary>The reports of several connections as one; that of a single one is itself.</summary>
    /// <param name="reports">At least one.</param>
    /// <returns>Sums; the earliest begin, the latest end, the largest buffers.</returns>
    public static FlowReport Sum(IReadOnlyList<FlowReport> reports) => reports.Count == 1
        ? reports[0]
        : new(
            0,
            reports.Max(report => report.Outcome),
            reports.Sum(report => report.Bytes),
            reports.Sum(report => report.Calls),
            reports.Sum(report => report.BlockedNs),
            reports.Min(report => report.FirstNs),
            reports.Max(report => report.LastNs),
            reports.Max(report => report.SendBufferBytes),
            reports.Max(report => report.ReceiveBufferBytes),
            reports.Select(report => report.Kernel).Aggregate(KernelCounters.Add));
}
