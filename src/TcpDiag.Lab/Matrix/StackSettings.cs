using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using TcpDiag.Shim.Linux;

namespace TcpDiag.Lab.Matrix;

/// <summary>
/// Settings of the TCP stack per network namespace. A sender that does not adapt to reordering, as story S2's build 22000, needs all three of its settings: with time
/// stamps the Eifel algorithm (RFC 3522) would undo what reordering did, and with DSACK the reordering window would grow. (RFC 6675 recovery no longer exists in the kernel.)
/// </summary>
public static class StackSettings
{
    // Large enough that no buffer limits a flow unless the matrix asks for it.
    static readonly (string Name, string Value)[] Common = [("tcp_rmem", "4096 131072 67108864"), ("tcp_wmem", "4096 16384 67108864")];

    // tcp_recovery: 1 is RACK, 2 keeps its reordering window as it is.
    static readonly Dictionary<string, (string Name, string Value)[]> Known = new(StringComparer.Ordinal)
    {
        ["adaptive"] = [("tcp_recovery", "1"), ("tcp_dsack", "1"), ("tcp_timestamps", "1")],
        ["fixed"] = [("tcp_recovery", "3"), ("tcp_dsack", "1"), ("tcp_timestamps", "0")],
        ["no-timestamps"] = [("tcp_recovery", "1"), ("tcp_dsack", "1"), ("tcp_timestamps", "0")],
        ["no-dsack"] = [("tcp_recovery", "1"), ("tcp_dsack", "0"), ("tcp_timestamps", "1")],
        ["no-sack"] = [("tcp_sack", "0"), ("tcp_timestamps", "1")],
        ["not-adapting"] = [("tcp_recovery", "3"), ("tcp_dsack", "0"), ("tcp_timestamps", "0")],
    };

    /// <summary>The settings there are.</summary>
    public static IReadOnlyCollection<string> Names => Known.Keys;

    /// <summary>Sets them in a namespace and reads them back.</summary>
    /// <param name="place">The network namespace.</param>
    /// <param name="stack">One of <see cref="Names"/>.</param>
    /// <exception cref="LabException">One did not take.</exception>
    [SupportedOSPlatform("linux")]
    public static void Apply(string place, string stack)
    {
        string? problem = null;
        NetworkNamespace.Run(place, () => problem = Common.Concat(Known[stack]).Select(Set).FirstOrDefault(text => text is not null));
        if (problem is not null)
        {
            throw new LabException(problem);
        }
    }

    // What stands below /proc/sys/net is that of the thread's namespace.
    static string? Set((string Name, string Value) setting)
    {
        string path = $"/proc/sys/net/ipv4/{setting.Name}";
        try
        {
            File.WriteAllText(path, setting.Value);
            string found = string.Join(' ', File.ReadAllText(path).Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
            return string.Equals(found, setting.Value, StringComparison.Ordinal) ? null : $"{path}: set to {setting.Value}, but the kernel has {found}. It does not support this side.";
        }
        catch (Exception refused) when (refused is IOException or UnauthorizedAccessException)
        {
            return $"{path}: {refused.Message} Run as root, on a kernel that has this setting.";
        }
    }
}
