using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Capture.Linux.Snapshots;

/// <summary>Kernel, processors and how they save power, memory, and the modules that can decide about TCP.</summary>
static class MachineFacts
{
    static readonly string[] Files =
    [
        "/proc/version", "/proc/uptime", "/proc/loadavg", "/proc/sys/net/ipv4/tcp_available_congestion_control",
        "/sys/devices/system/cpu/online", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver",
        "/sys/devices/system/clocksource/clocksource0/current_clocksource", "/sys/class/dmi/id/sys_vendor", "/sys/class/dmi/id/product_name",
    ];

    /// <summary>Reads the facts.</summary>
    /// <returns>The facts; a file this kernel lacks is left out.</returns>
    public static IEnumerable<SnapshotFact> Read()
    {
        foreach (string path in Files.Where(File.Exists))
        {
            yield return new(string.Empty, path, File.ReadAllText(path).Trim());
        }

        foreach (string line in File.ReadLines("/proc/meminfo").Take(3))
        {
            string[] parts = line.Split(':', StringSplitOptions.TrimEntries);
            yield return new("/proc/meminfo", parts[0], parts[^1]);
        }

        foreach (string line in File.Exists("/proc/modules") ? File.ReadLines("/proc/modules") : [])
        {
            string name = line.Split(' ')[0];
            if (name.StartsWith("tcp_", StringComparison.Ordinal) || name.StartsWith("sch_", StringComparison.Ordinal)
                || name.StartsWith("nf_", StringComparison.Ordinal))
            {
                yield return new("/proc/modules", name, "loaded");
            }
        }
    }
}

/// <summary>All settings of TCP, and those of the core that bound buffers, queues and polling.</summary>
static class SysctlFacts
{
    const string Root = "/proc/sys/";

    static readonly string[] Core =
    [
        "rmem_default", "rmem_max", "wmem_default", "wmem_max", "optmem_max", "somaxconn", "netdev_max_backlog", "netdev_budget", "netdev_budget_usecs",
        "default_qdisc", "busy_poll", "busy_read", "rps_sock_flow_entries", "gro_normal_batch",
    ];

    // Secrets, and lists that only grow with the machine's age.
    static readonly string[] Excluded = ["tcp_fastopen_key"];

    /// <summary>Reads the facts.</summary>
    /// <returns>The facts; those that cannot be read are left out.</returns>
    public static IEnumerable<SnapshotFact> Read()
    {
        IEnumerable<string> tcp = Directory.EnumerateFiles(Root + "net/ipv4", "tcp_*").Order(StringComparer.Ordinal);
        IEnumerable<string> other = Core.Select(name => $"{Root}net/core/{name}").Append(Root + "net/ipv4/ip_local_port_range")
            .Append(Root + "net/ipv4/ip_no_pmtu_disc");
        foreach (string path in tcp.Concat(other).Where(path => File.Exists(path) && !Excluded.Contains(Path.GetFileName(path), StringComparer.Ordinal)))
        {
            if (TryRead(path) is { } value)
            {
                yield return new(string.Empty, path[Root.Length..].Replace('/', '.'), value);
            }
        }
    }

    static string? TryRead(string path)
    {
        try
        {
            return File.ReadAllText(path).Trim().Replace('\t', ' ');
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}

/// <summary>Name servers: those of the C library, and behind a local resolver those that it asks.</summary>
static class DnsFacts
{
    static readonly string[] Files = ["/etc/resolv.conf", "/run/systemd/resolve/resolv.conf"];

    public static IEnumerable<SnapshotFact> Read() =>
        from path in Files
        where File.Exists(path)
        from line in File.ReadLines(path)
        let words = line.Split([' ', '\t'], 2, StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)
        where words is ["nameserver" or "search" or "options", _]
        select new SnapshotFact(path, words[0], words[1]);
}
