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
            if (name.StartsWith("tcp_", StringComparison.Ordinal) || name.StartsWith("sch_", StringComparison.Ordinal) || name.StartsWith("nf_", StringComparison.Ordinal))
            {
                yield return new("/proc/modules", name, "loaded");
            }
        }
    }
}
