using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.RegularExpressions;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using TcpDiag.Doctor.Changes;

namespace TcpDiag.Doctor.Answers;

/// <summary>
/// Makes steps of the advice of a finding, which names in front of each line where it is to be taken: <c>Linux client:</c>, <c>Application on the
/// server:</c>, <c>Network:</c>. Lines for a system that the machine does not have are left out.
/// </summary>
/// <param name="isClientHere">Whether this machine is the client.</param>
/// <param name="client">System of the client.</param>
/// <param name="server">System of the server.</param>
/// <param name="setting">The value of a setting of this machine; null when it is not known.</param>
sealed partial class AdviceSteps(bool isClientHere, EndSystem client, EndSystem server, Func<string, string?> setting)
{
    // Changes that occur in advice; what takes them back is the default of Windows.
    static readonly SettingChange[] Changes =
    [
        SettingChange.Of(SettingKind.TcpGlobal, string.Empty, "timestamps", "disabled", "enabled"),
        SettingChange.Of(SettingKind.TcpGlobal, string.Empty, "hystart", "enabled", "disabled"),
        SettingChange.Of(SettingKind.TcpTemplate, "InternetCustom", "DelayedAckFrequency", "2", "1"),
    ];

    // And those whose interface the reader fills in.
    static readonly (string Command, string Undo)[] Texts =
    [
        ("netsh interface ipv4 set subinterface NAME mtu=1400", "netsh interface ipv4 set subinterface NAME mtu=1500"),
        ("ethtool --set-priv-flags eth0 flow-director-atr off", "ethtool --set-priv-flags eth0 flow-director-atr on"),
    ];

    /// <summary>The changes that are known by their command, for tests.</summary>
    internal static IEnumerable<string> Commands => [.. Changes.Select(change => change.Command), .. Texts.Select(text => text.Command)];

    /// <summary>The steps, in the order of the advice.</summary>
    public IEnumerable<Remedy> Of(IReadOnlyList<string> advice) => advice.Select(Step).OfType<Remedy>();

    Remedy? Step(string line)
    {
        Match head = Head().Match(line);
        string place = head.Success ? head.Groups["place"].Value : string.Empty;
        if (IsOfOtherSystem(place))
        {
            return null;
        }

        Match[] sysctls = [.. Sysctl().Matches(line).Cast<Match>().Where(found => AppliedSettings.IsSysctl(found.Groups["name"].Value))];
        return Known(line, place) is { } known ? known
            : sysctls.Length == 0 ? new(Message.Whole(line), null, null, Who(place))
            : BySysctl(line, place, [.. sysctls.Select(Of)]);
    }

    Doer Who(string place) => place switch
    {
        _ when place.StartsWith("Network", StringComparison.Ordinal) => Doer.Network,
        _ when place.StartsWith("Application", StringComparison.Ordinal) => IsHere(place) ? Doer.Developer : Doer.FarEnd,
        _ when place.StartsWith("Windows", StringComparison.Ordinal) || place.StartsWith("Linux", StringComparison.Ordinal) =>
            IsHere(place) ? Doer.Administrator : Doer.FarEnd,
        _ => Doer.User,
    };

    // What names neither end is for whoever reads it.
    bool IsHere(string place) => !place.EndsWith(isClientHere ? "server" : "client", StringComparison.Ordinal);

    bool IsOfOtherSystem(string place)
    {
        EndSystem system = place.EndsWith("server", StringComparison.Ordinal) ? server
            : place.EndsWith("client", StringComparison.Ordinal) ? client
            : isClientHere ? client : server;
        return (system is EndSystem.Windows && place.StartsWith("Linux", StringComparison.Ordinal))
            || (system is EndSystem.Linux && place.StartsWith("Windows", StringComparison.Ordinal));
    }

    Remedy? Known(string line, string place)
    {
        if (Array.Find(Texts, text => line.Contains(text.Command, StringComparison.Ordinal)) is { Command: not null } text)
        {
            return new(Message.Whole(line), text.Command, text.Undo, Who(place));
        }

        return Array.Find(Changes, change => line.Contains(change.Command, StringComparison.Ordinal)) is { } change
            ? Remedy.By(Message.Whole(line), change) with { Who = Who(place), Changes = IsHere(place) ? [change] : [] }
            : null;
    }

    // A setting of this machine that has the value already needs no change; what the other machine has is not known.
    Remedy? BySysctl(string line, string place, SettingChange[] changes)
    {
        if (!IsHere(place))
        {
            return Remedy.By(Message.Whole(line), [.. changes.Select(change => change with { Before = "VALUE-BEFORE" })]) with
            {
                Who = Who(place),
                Changes = []
            };
        }

        SettingChange[] needed = [.. changes.Where(change => !string.Equals(change.Before, change.After, StringComparison.Ordinal))];
        bool isKnown = Array.TrueForAll(needed, change => change.Before is not null);
        return needed.Length == 0 ? null
            : Remedy.By(Message.Whole(line), [.. needed.Select(change => change with { Before = change.Before ?? "VALUE-BEFORE" })]) with
            {
                Who = Who(place),
                Changes = isKnown ? needed : []
            };
    }

    SettingChange Of(Match sysctl)
    {
        string name = sysctl.Groups["name"].Value;
        return SettingChange.Of(SettingKind.Sysctl, string.Empty, name, setting(name), sysctl.Groups["value"].Value);
    }

    [GeneratedRegex(@"^(?<place>(Network|Windows|Linux|Application)[^:]*):", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Head();

    [GeneratedRegex(@"(?<name>net\.[a-z0-9_]+(\.[a-z0-9_]+)+)=(?<value>\d+)", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Sysctl();
}
