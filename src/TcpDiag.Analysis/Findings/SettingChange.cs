using System;
using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Analysis.Findings;

/// <summary>By what a setting is changed.</summary>
public enum SettingKind
{
    /// <summary>Linux: <c>sysctl -w NAME=VALUE</c>.</summary>
    Sysctl,

    /// <summary>Linux: an offload of an interface, <c>ethtool -K INTERFACE NAME on|off</c>.</summary>
    Feature,

    /// <summary>Linux: a flag of an interface's driver, <c>ethtool --set-priv-flags</c>.</summary>
    PrivateFlag,

    /// <summary>
    /// Linux: what queues at an interface, <c>tc qdisc replace</c>; <see cref="MachineSetting.DefaultQdisc"/> is what the kernel puts there itself.
    /// </summary>
    Qdisc,

    /// <summary>Windows: a template of TCP, <c>Set-NetTCPSetting</c>.</summary>
    TcpTemplate,

    /// <summary>Windows: <c>netsh interface tcp set global</c>.</summary>
    TcpGlobal,

    /// <summary>Windows: a number in the registry, at the parameters of a service; null is none. Takes effect after a restart.</summary>
    RegistryNumber,

    /// <summary>Windows: an offload of an adapter, <c>Enable-NetAdapterRsc</c> and <c>Enable-NetAdapterLso</c>, over IPv4: <c>on</c> or <c>off</c>.</summary>
    AdapterOffload,

    /// <summary>Windows: whether a component is bound to an adapter, <c>on</c> or <c>off</c>.</summary>
    Binding,
}

/// <summary>A setting of a machine.</summary>
/// <param name="Kind">By what it is changed.</param>
/// <param name="Subject">Interface, adapter, template or service; empty where there is only one.</param>
/// <param name="Name">Its name; empty for <see cref="SettingKind.Qdisc"/>.</param>
public sealed record MachineSetting(SettingKind Kind, string Subject, string Name)
{
    /// <summary>The value of <see cref="SettingKind.Qdisc"/> where nobody has put one there.</summary>
    public const string DefaultQdisc = "default";

    /// <summary>Whether its commands are those of PowerShell.</summary>
    public bool IsOfPowerShell => Kind is SettingKind.TcpTemplate or SettingKind.AdapterOffload or SettingKind.Binding;

    /// <summary>Whether a change takes effect only after a restart.</summary>
    public bool NeedsRestart => Kind is SettingKind.RegistryNumber;

    /// <summary>The key of a <see cref="SettingKind.RegistryNumber"/>.</summary>
    public string Key => $@"HKLM\SYSTEM\CurrentControlSet\Services\{Subject}\Parameters";

    /// <summary>The program that gives it a value, with its arguments.</summary>
    /// <param name="value">The value; null for none.</param>
    /// <returns>One entry for each argument, not quoted; for PowerShell the words of the line, in which names are.</returns>
    public IReadOnlyList<string> Words(string? value) => Kind switch
    {
        SettingKind.Sysctl => ["sysctl", "-w", $"{Name}={value}"],
        SettingKind.Feature => ["ethtool", "-K", Subject, Name, value!],
        SettingKind.PrivateFlag => ["ethtool", "--set-priv-flags", Subject, Name, value!],
        SettingKind.Qdisc when value is DefaultQdisc => ["tc", "qdisc", "del", "dev", Subject, "root"],
        SettingKind.Qdisc => ["tc", "qdisc", "replace", "dev", Subject, "root", .. value!.Split(' ')],
        SettingKind.TcpTemplate => ["Set-NetTCPSetting", "-SettingName", Subject, $"-{Name}", value!],
        SettingKind.TcpGlobal => ["netsh", "interface", "tcp", "set", "global", $"{Name}={value}"],
        SettingKind.RegistryNumber when value is null => ["reg", "delete", Key, "/v", Name, "/f"],
        SettingKind.RegistryNumber => ["reg", "add", Key, "/v", Name, "/t", "REG_DWORD", "/d", value, "/f"],
        SettingKind.AdapterOffload => [$"{Verb(value)}-NetAdapter{Name}", "-Name", $"\"{Subject}\"", "-IPv4"],
        SettingKind.Binding => [$"{Verb(value)}-NetAdapterBinding", "-Name", $"\"{Subject}\"", "-ComponentID", Name],
        _ => [],
    };

    /// <summary>The line that gives it a value, as it is typed.</summary>
    /// <param name="value">The value; null for none.</param>
    public string Command(string? value) => string.Join(' ', Words(value).Select(Quote));

    static string Verb(string? value) => value is "on" ? "Enable" : "Disable";

    static string Quote(string word) => word switch
    {
        _ when word.StartsWith('"') => word,
        _ when word.Contains(' ', StringComparison.Ordinal) && word.IndexOf('=', StringComparison.Ordinal) is > 0 and var sign =>
            $"{word[..(sign + 1)]}\"{word[(sign + 1)..]}\"",
        _ when word.AsSpan().ContainsAny(' ', '\\') => $"\"{word}\"",
        _ => word,
    };
}

/// <summary>A change of a setting.</summary>
/// <param name="Setting">The setting.</param>
/// <param name="Before">The value it has; null for none.</param>
/// <param name="After">The value it gets; null for none.</param>
public sealed record SettingChange(MachineSetting Setting, string? Before, string? After)
{
    /// <summary>The command that makes it, as administrator.</summary>
    public string Command => Setting.Command(After);

    /// <summary>The command that takes it back.</summary>
    public string Undo => Setting.Command(Before);

    /// <summary>Describes a change.</summary>
    /// <param name="kind">By what it is made.</param>
    /// <param name="subject">Interface, adapter, template or service; empty where there is only one.</param>
    /// <param name="name">Name of the setting.</param>
    /// <param name="before">The value it has.</param>
    /// <param name="after">The value it gets.</param>
    public static SettingChange Of(SettingKind kind, string subject, string name, string? before, string? after) =>
        new(new(kind, subject, name), before, after);
}
