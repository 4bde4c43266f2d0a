using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json.Serialization;
using TcpDiag.Analysis.Findings;

namespace TcpDiag.Doctor;

/// <summary>What became of a check.</summary>
public enum CheckResult
{
    /// <summary>As it should be.</summary>
    [JsonStringEnumMemberName("fine")]
    Fine = 0,

    /// <summary>Worth knowing; may be meant to be so.</summary>
    [JsonStringEnumMemberName("note")]
    Note = 1,

    /// <summary>Slows connections down, or keeps them from working.</summary>
    [JsonStringEnumMemberName("problem")]
    Problem = 2,

    /// <summary>Could not be checked; the text says why.</summary>
    [JsonStringEnumMemberName("unknown")]
    Unknown = 3,
}

/// <summary>Who can do something.</summary>
public enum Doer
{
    /// <summary>Whoever sits before the machine.</summary>
    [JsonStringEnumMemberName("user")]
    User = 0,

    /// <summary>Who has administrator's rights on this machine.</summary>
    [JsonStringEnumMemberName("administrator")]
    Administrator = 1,

    /// <summary>Who runs the network between: a provider, a company's network team.</summary>
    [JsonStringEnumMemberName("network")]
    Network = 2,

    /// <summary>Who runs the machine at the other end.</summary>
    [JsonStringEnumMemberName("farEnd")]
    FarEnd = 3,

    /// <summary>Who makes the program.</summary>
    [JsonStringEnumMemberName("developer")]
    Developer = 4,
}

/// <summary>One thing that was looked at.</summary>
/// <param name="Id">What it is about, one of <see cref="CheckIds"/>; several checks may share it.</param>
/// <param name="Result">What became of it.</param>
/// <param name="Found">What was found, a sentence or clause; for <see cref="CheckResult.Unknown"/> why it could not be checked.</param>
public sealed record Check(string Id, CheckResult Result, Message Found)
{
    /// <summary>What to do; null where there is nothing to do, or nothing that is known to help.</summary>
    public Remedy? Remedy { get; init; }

    /// <summary>Findings of an analysis that it may be the cause of.</summary>
    public IReadOnlyList<string> BearsOn { get; init; } = [];
}

/// <summary>What to do about something.</summary>
/// <param name="What">What it changes, a sentence.</param>
/// <param name="Command">The exact command; null where it is not done with one.</param>
/// <param name="Undo">The command that takes it back; null where nothing is changed that stays.</param>
/// <param name="Who">Who can do it.</param>
public sealed record Remedy(Message What, string? Command, string? Undo, Doer Who)
{
    /// <summary>The changes that <see cref="Command"/> makes to settings of this machine; empty where it makes none that are known.</summary>
    [JsonIgnore]
    public IReadOnlyList<SettingChange> Changes { get; init; } = [];

    /// <summary>What was found that asks for it, where a step of an answer does not stand below that.</summary>
    [JsonIgnore]
    public Message? Because { get; init; }

    /// <summary>A remedy that changes settings: its commands are those of the changes.</summary>
    /// <param name="what">What it changes, a sentence.</param>
    /// <param name="changes">The changes, at least one.</param>
    /// <returns>A remedy for an administrator.</returns>
    public static Remedy By(Message what, params IReadOnlyList<SettingChange> changes) =>
        new(what, Line(changes, change => change.Command), Line(changes, change => change.Undo), Doer.Administrator) { Changes = changes };

    // sysctl takes several.
    static string Line(IReadOnlyList<SettingChange> changes, Func<SettingChange, string> command)
    {
        const string Sysctl = "sysctl -w ";
        string[] lines = [.. changes.Select(command)];
        return lines[0] + string.Concat(
            lines[1..].Select(line => line.StartsWith(Sysctl, StringComparison.Ordinal) ? line[(Sysctl.Length - 1)..] : $"; {line}"));
    }
}

/// <summary>What there are checks for, in the order in which they are shown.</summary>
public static class CheckIds
{
    /// <summary>Each name server: whether it answers, and how fast.</summary>
    public const string Names = "names";

    /// <summary>How long a connection to the host takes, by address family.</summary>
    public const string Connect = "connect";

    /// <summary>The largest packet that reaches the host.</summary>
    public const string PathMtu = "path-mtu";

    /// <summary>A proxy that programs are told to use.</summary>
    public const string Proxy = "proxy";

    /// <summary>Tunnels that are up.</summary>
    public const string Vpn = "vpn";

    /// <summary>Drivers that see every packet and are not of the system.</summary>
    public const string Filters = "filters";

    /// <summary>Network adapters: link, offloads, errors.</summary>
    public const string Adapters = "adapters";

    /// <summary>Signal of wireless links.</summary>
    public const string Wifi = "wifi";

    /// <summary>How the machine saves power.</summary>
    public const string Power = "power";

    /// <summary>Settings of TCP that are not the default.</summary>
    public const string TcpSettings = "tcp-settings";

    /// <summary>Whether the clock is kept right.</summary>
    public const string Clock = "clock";

    /// <summary>All of them, in the order in which they are shown.</summary>
    public static IReadOnlyList<string> All { get; } = [Names, Connect, PathMtu, Proxy, Vpn, Filters, Adapters, Wifi, Power, TcpSettings, Clock];
}
