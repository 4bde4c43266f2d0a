using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Capture.Windows;

/// <summary>
/// A match as capture filters of <c>netsh trace</c>, which must all hold. They know a family, a protocol, and a list of addresses
/// of one family, of which either end has one; no ports and no prefixes. What they cannot say is left out: more is recorded,
/// never less, and a remark tells.
/// </summary>
static class NetshFilter
{
    const int Ipv4Bits = 32;
    const int Ipv6Bits = 128;

    /// <summary>The filters of a recording.</summary>
    /// <param name="settings">What to record.</param>
    /// <param name="remarks">Takes what they cannot say.</param>
    /// <returns>Arguments of <c>netsh trace start</c>.</returns>
    public static IEnumerable<string> Arguments(CaptureSettings settings, ICollection<string> remarks)
    {
        // Its help names one interface; nobody documents a list.
        if (settings.Interfaces is [{ Name: not CaptureInterface.Any and var name }])
        {
            yield return $"captureinterface={name}";
        }

        MatchAlternatives match = MatchAlternatives.Of(settings.Match.ForAnyProcess());
        if (Shared(match, one => one.IsIpv4) is { } isIpv4)
        {
            yield return isIpv4 ? "ethernet.type=IPv4" : "ethernet.type=IPv6";
        }

        if (Shared(match, one => one.Protocol) is { } protocol)
        {
            yield return string.Create(CultureInfo.InvariantCulture, $"protocol={(int)protocol}");
        }

        if (Addresses(match) is { } addresses)
        {
            yield return addresses;
        }

        Remark(match, remarks);
        if (settings.Interfaces.Count > 1)
        {
            remarks.Add("netsh records at one interface or at all: packets of all are recorded");
        }
    }

    static void Remark(MatchAlternatives match, ICollection<string> remarks)
    {
        if (match.List.Any(one => one.Ports.Count > 0))
        {
            remarks.Add("netsh cannot filter by port: packets of all ports are recorded");
        }

        if (match.List.Any(one => one.Hosts.Count > 0) && Addresses(match) is null)
        {
            remarks.Add("netsh filters by whole addresses of one family only: packets of all addresses are recorded");
        }

        if (!match.IsExact || (match.List.Count > 1 && Addresses(match) is null))
        {
            remarks.Add("netsh cannot filter by all of the match: what it cannot express is recorded too");
        }
    }

    // What all alternatives ask for, and not only some.
    static T? Shared<T>(MatchAlternatives match, System.Func<MatchAlternative, T?> test)
        where T : struct => match.List.Select(test).Distinct().Take(2).ToArray() is [var one] ? one : null;

    static string? Addresses(MatchAlternatives match)
    {
        if (match.List.Any(one => one.Hosts.Count != 1))
        {
            return null;
        }

        List<MatchHost> hosts = [.. match.List.Select(one => one.Hosts[0])];
        bool isIpv4 = hosts[0].Address.IsIpv4;
        return hosts.TrueForAll(host => host.Address.IsIpv4 == isIpv4 && host.PrefixBits == (isIpv4 ? Ipv4Bits : Ipv6Bits))
            ? $"{(isIpv4 ? "ipv4" : "ipv6")}.address={Join(hosts.Select(host => host.Address.ToString()))}"
            : null;
    }

    static string Join(IEnumerable<string> values)
    {
        string list = string.Join(',', values.Distinct(System.StringComparer.Ordinal));
        return list.Contains(',', System.StringComparison.Ordinal) ? $"({list})" : list;
    }
}
