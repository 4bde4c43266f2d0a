using System;
using System.IO;
using System.Runtime.InteropServices;
using System.Text;

namespace TcpDiag.Capture.Linux;

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
