using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text;
using System.Threading;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Capture.Linux.Snapshots;

/// <summary>The readers of Linux: files of /proc and /sys, netlink and ioctl; no program is started and no text of one parsed.</summary>
[SupportedOSPlatform("linux")]
public static class LinuxSnapshot
{
    static readonly TimeSpan Budget = TimeSpan.FromSeconds(2);

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
    public static SystemSnapshot Take(string? networkNamespace, TimeProvider time, CancellationToken cancel = default) =>
        Take(networkNamespace, time, sections: null, cancel);

    /// <summary>Takes a part of a snapshot.</summary>
    /// <param name="networkNamespace">Of which network namespace; null for that of the caller.</param>
    /// <param name="time">The clock.</param>
    /// <param name="sections">The names of the sections to take; null for all.</param>
    /// <param name="cancel">Ends it.</param>
    /// <returns>The snapshot.</returns>
    /// <exception cref="OperationCanceledException">It was ended.</exception>
    public static SystemSnapshot Take(string? networkNamespace, TimeProvider time, IReadOnlySet<string>? sections, CancellationToken cancel) =>
        SnapshotTaker.Take(
        networkNamespace is null
            ? Readers.Where(reader => sections?.Contains(reader.Name) is not false)
            : Readers.Where(reader => sections?.Contains(reader.Name) is not false)
            .Select(reader => reader with { Facts = () => CaptureNamespace.RunWithFiles(networkNamespace, () => reader.Facts().ToList()) }),
        SystemReport.OperatingSystem(),
        time,
        cancel: cancel);
}

/// <summary>What the machine is and how its TCP is set, for the head of the file.</summary>
static class SystemReport
{
    // Settings of net.ipv4 that decide how a connection behaves; those a kernel lacks are left out.
    static readonly string[] Settings =
    [
        "tcp_congestion_control", "tcp_recovery", "tcp_early_retrans", "tcp_frto", "tcp_sack", "tcp_dsack", "tcp_timestamps", "tcp_window_scaling",
        "tcp_ecn", "tcp_rmem", "tcp_wmem", "tcp_moderate_rcvbuf", "tcp_adv_win_scale", "tcp_slow_start_after_idle", "tcp_reordering",
        "tcp_max_reordering", "tcp_mtu_probing", "tcp_notsent_lowat", "tcp_no_metrics_save", "tcp_limit_output_bytes", "tcp_min_rtt_wlen",
    ];

    /// <summary>Name and version of the system.</summary>
    /// <returns>E.g. <c>Linux 6.18.44 x64</c>.</returns>
    public static string OperatingSystem() =>
        FormattableString.Invariant($"Linux {Read("/proc/sys/kernel/osrelease")} {RuntimeInformation.OSArchitecture.ToString().ToLowerInvariant()}");

    /// <summary>The settings, one a line, of the calling thread's network namespace.</summary>
    /// <returns>E.g. <c>net.ipv4.tcp_sack=1</c>.</returns>
    public static string TcpSettings()
    {
        var text = new StringBuilder();
        foreach (string setting in Settings)
        {
            string value = Read($"/proc/sys/net/ipv4/{setting}");
            if (value.Length > 0)
            {
                text.Append("net.ipv4.").Append(setting).Append('=').Append(value.Replace('\t', ' ')).Append('\n');
            }
        }

        return text.ToString();
    }

    static string Read(string path) => File.Exists(path) ? File.ReadAllText(path).TrimEnd('\n') : string.Empty;
}
