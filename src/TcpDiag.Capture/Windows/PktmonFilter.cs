using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Capture.Sessions;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Capture.Windows;

/// <summary>
/// A match as filters of pktmon, of which one must hold: a family, a protocol, up to two addresses or prefixes and up to two ports,
/// each at either end. What they cannot say (ranges of ports, direction, negation) is left out: more is recorded, never less.
/// </summary>
static class PktmonFilter
{
    // What the first versions take.
    const int MaxFilters = 8;
    const int MaxEnds = 2;

    const string NamePrefix = "tcpdiag";

    /// <summary>The commands that add the filters.</summary>
    /// <param name="match">Which traffic.</param>
    /// <param name="remarks">Takes what they cannot say.</param>
    /// <returns>One command a filter; none when everything is recorded.</returns>
    public static IReadOnlyList<PlannedCommand> Commands(MatchRule match, ICollection<string> remarks)
    {
        MatchAlternatives alternatives = MatchAlternatives.Of(match.ForAnyProcess());
        bool fits = alternatives.List.Count <= MaxFilters;
        if (!fits || !alternatives.IsExact || !alternatives.List.All(IsExpressible))
        {
            remarks.Add("pktmon cannot filter by all of the match: what it cannot express is recorded too");
        }

        return fits && !alternatives.List.Any(one => Tests(one).Count == 0)
            ? [.. alternatives.List.Select((one, index) => new PlannedCommand(new("pktmon", ["filter", "add", Name(index), .. Tests(one)]), "records what this matches"))]
            : [];
    }

    /// <summary>Whether a filter is one of those that we add.</summary>
    /// <param name="name">Its name.</param>
    /// <returns>True if so, whichever of our recordings it belongs to.</returns>
    public static bool IsOurs(string name) => name.StartsWith(NamePrefix, StringComparison.Ordinal) && int.TryParse(name.AsSpan(NamePrefix.Length), NumberStyles.None, CultureInfo.InvariantCulture, out _);

    static string Name(int index) => string.Create(CultureInfo.InvariantCulture, $"{NamePrefix}{index + 1}");

    static bool IsExpressible(MatchAlternative one) =>
        one.Hosts.Count <= MaxEnds && one.Ports.Count <= MaxEnds && one.Ports.All(port => port.First == port.Last);

    static List<string> Tests(MatchAlternative one)
    {
        var tests = new List<string>();
        if (one.IsIpv4 is { } isIpv4)
        {
            tests.AddRange(["-d", isIpv4 ? "IPv4" : "IPv6"]);
        }

        if (one.Protocol is { } protocol)
        {
            tests.AddRange(["-t", protocol == IpProtocol.Tcp ? "TCP" : "UDP"]);
        }

        Add(tests, "-i", one.Hosts.Select(host => string.Create(CultureInfo.InvariantCulture, $"{host.Address}{Prefix(host)}")));
        Add(tests, "-p", one.Ports.Where(port => port.First == port.Last).Select(port => port.First.ToString(CultureInfo.InvariantCulture)));
        return tests;
    }

    static void Add(List<string> tests, string option, IEnumerable<string> values)
    {
        string[] used = [.. values.Take(MaxEnds)];
        if (used.Length > 0)
        {
            tests.AddRange([option, .. used]);
        }
    }

    static string Prefix(MatchHost host) =>
        host.PrefixBits == (host.Address.IsIpv4 ? 32 : 128) ? string.Empty : string.Create(CultureInfo.InvariantCulture, $"/{host.PrefixBits}");
}
