using System;
using System.Linq;
using System.Text.RegularExpressions;
using TcpDiag.Analysis.Findings;

namespace TcpDiag.Doctor.Changes;

/// <summary>
/// The settings that may be changed by this program: those whose way back is documented (ip-sysctl.rst of the kernel, ethtool(8), tc(8), Set-NetTCPSetting,
/// netsh, the registry values of AFD) and that cut no connection. Names and values are checked here, for they may come from a file.
/// </summary>
public static partial class AppliedSettings
{
    const string Prefix = "net.ipv4.";

    static readonly string[] Sysctls =
    [
        "tcp_window_scaling", "tcp_sack", "tcp_dsack", "tcp_timestamps", "tcp_moderate_rcvbuf", "tcp_rmem", "tcp_wmem", "tcp_mtu_probing", "tcp_recovery",
        "tcp_early_retrans", "tcp_slow_start_after_idle", "tcp_congestion_control",
    ];

    static readonly string[] Templates =
    [
        "AutoTuningLevelLocal", "ScalingHeuristics", "DelayedAckFrequency", "DelayedAckTimeout", "CongestionProvider", "EcnCapability", "Timestamps",
        "InitialCongestionWindow", "MinRto", "CwndRestart", "AutomaticUseCustom",
    ];

    static readonly string[] Globals = ["timestamps", "hystart"];
    static readonly string[] Registry = ["Tcpip SackOpts", "AFD DefaultSendWindow", "AFD DefaultReceiveWindow", "AFD DynamicSendBufferDisable"];

    // Those that can be put back as they were: without options beyond these.
    static readonly string[] Qdiscs = [MachineSetting.DefaultQdisc, "pfifo", "bfifo", "pfifo_fast", "fq_codel"];

    /// <summary>Whether a sysctl is one of them.</summary>
    internal static bool IsSysctl(string name) =>
        name.StartsWith(Prefix, StringComparison.Ordinal) && Sysctls.Contains(name[Prefix.Length..], StringComparer.Ordinal);

    /// <summary>Whether a change may be made, and taken back.</summary>
    public static bool Allow(SettingChange change)
    {
        ArgumentNullException.ThrowIfNull(change);
        return Allow(change.Setting, change.Before) && Allow(change.Setting, change.After);
    }

    /// <summary>Whether a setting may be given a value.</summary>
    /// <param name="setting">The setting.</param>
    /// <param name="value">The value; null for none.</param>
    internal static bool Allow(MachineSetting setting, string? value) => setting.Kind switch
    {
        SettingKind.Sysctl => setting.Subject.Length == 0 && IsSysctl(setting.Name) && value is not null && SysctlValue().IsMatch(value),
        SettingKind.Feature => Interface().IsMatch(setting.Subject) && setting.Name is ("tso" or "gso" or "gro") && IsSwitch(value),
        SettingKind.PrivateFlag => Interface().IsMatch(setting.Subject) && setting.Name is "flow-director-atr" && IsSwitch(value),
        SettingKind.Qdisc => Interface().IsMatch(setting.Subject) && setting.Name.Length == 0 && value is not null && IsQdisc(value),
        SettingKind.TcpTemplate => Word().IsMatch(setting.Subject) && Templates.Contains(setting.Name, StringComparer.Ordinal) && value is not null
            && Word().IsMatch(value),
        SettingKind.TcpGlobal => setting.Subject.Length == 0 && Globals.Contains(setting.Name, StringComparer.Ordinal) && value is not null
            && Word().IsMatch(value),
        SettingKind.RegistryNumber => Registry.Contains($"{setting.Subject} {setting.Name}", StringComparer.Ordinal)
            && (value is null || uint.TryParse(value, out _)),
        _ => false,
    };

    static bool IsSwitch(string? value) => value is "on" or "off";

    static bool IsQdisc(string value) => Qdisc().Match(value) is { Success: true } match && Qdiscs.Contains(match.Groups["kind"].Value, StringComparer.Ordinal);

    // Up to three numbers, or the name of an algorithm.
    [GeneratedRegex(@"\A(\d{1,10}( \d{1,10}){0,2}|[a-z][a-z0-9_]{0,14})\z", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex SysctlValue();

    // IFNAMSIZ is 16 with the end; no dash in front, which would be an option.
    [GeneratedRegex(@"\A[A-Za-z0-9_][A-Za-z0-9_.\-]{0,14}\z", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Interface();

    [GeneratedRegex(@"\A(handle [0-9a-f]{1,4}: )?(?<kind>[a-z_]+)( limit \d{1,10})?\z", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Qdisc();

    [GeneratedRegex(@"\A[A-Za-z0-9]{1,32}\z", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Word();
}
