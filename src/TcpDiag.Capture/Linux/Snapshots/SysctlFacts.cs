using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Capture.Linux.Snapshots;

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
        IEnumerable<string> other = Core.Select(name => $"{Root}net/core/{name}").Append(Root + "net/ipv4/ip_local_port_range").Append(Root + "net/ipv4/ip_no_pmtu_disc");
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
