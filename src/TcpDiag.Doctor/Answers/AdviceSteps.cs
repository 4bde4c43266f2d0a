using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.RegularExpressions;
using TcpDiag.Analysis.Results;

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
    // Commands that occur in advice and change something, and what takes them back: the defaults of the system.
    static readonly (string Command, string Undo)[] Changes =
    [
        ("netsh interface tcp set global timestamps=enabled", "netsh interface tcp set global timestamps=disabled"),
        ("netsh interface tcp set global hystart=disabled", "netsh interface tcp set global hystart=enabled"),
        ("netsh interface ipv4 set subinterface NAME mtu=1400", "netsh interface ipv4 set subinterface NAME mtu=1500"),
        ("ethtool --set-priv-flags eth0 flow-director-atr off", "ethtool --set-priv-flags eth0 flow-director-atr on"),
        ("Set-NetTCPSetting -SettingName InternetCustom -DelayedAckFrequency 1", "Set-NetTCPSetting -SettingName InternetCustom -DelayedAckFrequency 2"),
    ];

    /// <summary>The changes that are known by their command, for tests.</summary>
    internal static IEnumerable<string> Commands => Changes.Select(change => change.Command);

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

        (string? command, string? undo, bool isDone) = Change(line, IsHere(place));
        return isDone ? null : new(Message.Whole(line), command, undo, Who(place));
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

    // A setting of this machine that has the value already needs no change.
    (string? Command, string? Undo, bool IsDone) Change(string line, bool isHere)
    {
        if (Array.Find(Changes, change => line.Contains(change.Command, StringComparison.Ordinal)) is { Command: not null } known)
        {
            return (known.Command, known.Undo, false);
        }

        Match[] sysctls = [.. Sysctl().Matches(line).Cast<Match>()];
        if (sysctls.Length == 0)
        {
            return default;
        }

        string[] now = [.. sysctls.Select(found => (isHere ? setting(found.Groups["name"].Value) : null) ?? "?")];
        if (sysctls.Zip(now).All(pair => string.Equals(pair.First.Groups["value"].Value, pair.Second, StringComparison.Ordinal)))
        {
            return (null, null, true);
        }

        return (
            $"sysctl -w {string.Join(' ', sysctls.Select(found => found.Value))}",
            now.Contains("?")
                ? $"sysctl -w {string.Join(' ', sysctls.Select(found => $"{found.Groups["name"].Value}=VALUE-BEFORE"))}"
                : $"sysctl -w {string.Join(' ', sysctls.Zip(now, (found, value) => $"{found.Groups["name"].Value}={value}"))}",
            false);
    }

    [GeneratedRegex(@"^(?<place>(Network|Windows|Linux|Application)[^:]*):", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Head();

    [GeneratedRegex(@"(?<name>net\.[a-z0-9_]+(\.[a-z0-9_]+)+)=(?<value>\d+)", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Sysctl();
}
