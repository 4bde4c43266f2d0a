using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using TcpDiag.Platform.Linux;

namespace TcpDiag.Lab.Matrix;

/// <summary>
/// Settings of the TCP stack per network namespace. A sender that does not adapt to reordering, as story S2's build 22000, needs all three of its
/// settings: with time stamps the Eifel algorithm (RFC 3522) would undo what reordering did, and with DSACK the reordering window would grow. (RFC
/// 6675 recovery no longer exists in the kernel.)
/// </summary>
public static class StackSettings
{
    // Large enough that no buffer limits a flow unless the matrix asks for it.
    static readonly (string Name, string Value)[] Common = [("ipv4/tcp_rmem", "4096 131072 67108864"), ("ipv4/tcp_wmem", "4096 16384 67108864")];

    // Packets of the lab's own only, so that their numbers on the path are known: no IPv6 where it is not used, else neither router solicitations nor
    // link-local addresses.
    static readonly (string Name, string Value)[] QuietIpv4 = [("ipv6/conf/default/disable_ipv6", "1")];
    static readonly (string Name, string Value)[] QuietIpv6 = [("ipv6/conf/default/router_solicitations", "0"), ("ipv6/conf/default/addr_gen_mode", "1")];

    // tcp_recovery: 1 is RACK, 2 keeps its reordering window as it is. tcp_ecn: 1 asks for ECN on connections that go out, and grants it.
    static readonly Dictionary<string, (string Name, string Value)[]> Known = new(StringComparer.Ordinal)
    {
        ["adaptive"] = [("ipv4/tcp_recovery", "1"), ("ipv4/tcp_dsack", "1"), ("ipv4/tcp_timestamps", "1")],
        ["ecn"] = [("ipv4/tcp_recovery", "1"), ("ipv4/tcp_dsack", "1"), ("ipv4/tcp_timestamps", "1"), ("ipv4/tcp_ecn", "1")],
        ["fixed"] = [("ipv4/tcp_recovery", "3"), ("ipv4/tcp_dsack", "1"), ("ipv4/tcp_timestamps", "0")],
        ["no-timestamps"] = [("ipv4/tcp_recovery", "1"), ("ipv4/tcp_dsack", "1"), ("ipv4/tcp_timestamps", "0")],
        ["no-dsack"] = [("ipv4/tcp_recovery", "1"), ("ipv4/tcp_dsack", "0"), ("ipv4/tcp_timestamps", "1")],
        ["no-sack"] = [("ipv4/tcp_sack", "0"), ("ipv4/tcp_timestamps", "1")],
        ["not-adapting"] = [("ipv4/tcp_recovery", "3"), ("ipv4/tcp_dsack", "0"), ("ipv4/tcp_timestamps", "0")],
    };

    /// <summary>The settings there are.</summary>
    public static IReadOnlyCollection<string> Names => Known.Keys;

    /// <summary>Sets them in a namespace and reads them back.</summary>
    /// <param name="networkNamespace">The network namespace.</param>
    /// <param name="stack">One of <see cref="Names"/>.</param>
    /// <param name="isIpv6">Whether IPv6 is used.</param>
    /// <exception cref="LabException">One did not take.</exception>
    [SupportedOSPlatform("linux")]
    public static void Apply(string networkNamespace, string stack, bool isIpv6)
    {
        string? problem = null;
        (string Name, string Value)[] quiet = isIpv6 ? QuietIpv6 : Directory.Exists("/proc/sys/net/ipv6") ? QuietIpv4 : [];
        NetworkNamespace.Run(networkNamespace, () => problem = Common.Concat(quiet).Concat(Known[stack]).Select(Set).FirstOrDefault(text => text is not null));
        if (problem is not null)
        {
            throw new LabException(problem);
        }
    }

    // What stands below /proc/sys/net is that of the thread's namespace.
    static string? Set((string Name, string Value) setting)
    {
        string path = $"/proc/sys/net/{setting.Name}";
        try
        {
            File.WriteAllText(path, setting.Value);
            string found = string.Join(' ', File.ReadAllText(path).Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
            return string.Equals(found, setting.Value, StringComparison.Ordinal)
                ? null
                : $"{path}: set to {setting.Value}, but the kernel has {found}. It does not support this side.";
        }
        catch (Exception refused) when (refused is IOException or UnauthorizedAccessException)
        {
            return $"{path}: {refused.Message} Run as root, on a kernel that has this setting.";
        }
    }
}
