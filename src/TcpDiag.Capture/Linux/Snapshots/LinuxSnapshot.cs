using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Capture.Snapshots;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Capture.Linux.Snapshots;

/// <summary>The readers of Linux: files of /proc and /sys, netlink and ioctl; no program is started and no text of one parsed.</summary>
[SupportedOSPlatform("linux")]
public static class LinuxSnapshot
{
    static readonly TimeSpan Budget = TimeSpan.FromSeconds(2);

    /// <summary>The readers.</summary>
    internal static IReadOnlyList<SnapshotReader> Readers { get; } =
    [
        new SnapshotReader("machine", "/proc, /sys/devices/system/cpu", Budget, MachineFacts.Read),
        new SnapshotReader("sysctls", "/proc/sys/net", Budget, SysctlFacts.Read),
        new SnapshotReader("interfaces", "ethtool ioctl (linux/ethtool.h)", Budget, InterfaceFacts.Read),
        new SnapshotReader("qdiscs", "netlink RTM_GETQDISC", Budget, QdiscFacts.Read),
        new SnapshotReader("routes", "netlink RTM_GETROUTE", Budget, RouteFacts.Read),
        new SnapshotReader("dns", "/etc/resolv.conf", Budget, DnsFacts.Read),
        new SnapshotReader("sockets", "netlink sock_diag with tcp_info and memory", Budget, SocketFacts.Read),
    ];

    /// <summary>Takes a snapshot.</summary>
    /// <param name="networkNamespace">Of which network namespace; null for that of the caller.</param>
    /// <param name="time">The clock.</param>
    /// <param name="cancel">Ends it.</param>
    /// <returns>The snapshot.</returns>
    /// <exception cref="OperationCanceledException">It was ended.</exception>
    public static SystemSnapshot Take(string? networkNamespace, TimeProvider time, CancellationToken cancel = default) => SnapshotTaker.Take(
        networkNamespace is null ? Readers : Readers.Select(reader => reader with { Facts = () => NetworkNamespace.RunWithFiles(networkNamespace, () => reader.Facts().ToList()) }),
        SystemReport.OperatingSystem(),
        time,
        cancel: cancel);
}
