using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text.RegularExpressions;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.Sessions.Engines;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Capture.Windows;

/// <summary>
/// A match as filters of pktmon, of which one must hold: a family, a protocol, up to two addresses or prefixes and up to two ports,
/// each at either end. What they cannot express (port ranges, direction, negation) is left out: more is recorded, never less.
/// </summary>
static class PktmonFilter
{
    // The limits of the first versions.
    const int MaxFilters = 8;
    const int MaxEnds = 2;

    const string NamePrefix = "tcpdiag";

    /// <summary>The commands that add the filters.</summary>
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
            ? [.. alternatives.List.Select((one, index) =>
                new PlannedCommand(new("pktmon", ["filter", "add", Name(index), .. Tests(one)]), "records what this matches"))]
            : [];
    }

    /// <summary>Whether a filter is one of those that we add.</summary>
    /// <returns>True if so, whichever of our recordings it belongs to.</returns>
    public static bool IsOurs(string name) => name.StartsWith(NamePrefix, StringComparison.Ordinal)
        && int.TryParse(name.AsSpan(NamePrefix.Length), NumberStyles.None, CultureInfo.InvariantCulture, out _);

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

/// <summary>
/// What pktmon prints about itself, read by its layout: the words are translated. <c>pktmon filter list</c> prints a table whose rows are numbered
/// from 1, then a name; <c>pktmon status</c> one line when it is idle, and of what runs at least what is collected, where, and the filters, each with
/// a head.
/// </summary>
static partial class PktmonState
{
    // "Packet Monitor is not running." is one; counters alone, the least that runs, are six.
    const int MaxIdleLines = 3;

    /// <summary>The filters in force.</summary>
    /// <param name="listed">What <c>pktmon filter list</c> ended with.</param>
    /// <returns>Their names, once for each; pktmon's own word for one that has none.</returns>
    public static List<string> Filters(ProgramResult listed) => [.. Row().Matches(listed.Output).Select(row => row.Groups["name"].Value)];

    /// <summary>The filters in force, as their table has them.</summary>
    /// <param name="listed">What <c>pktmon filter list</c> ended with.</param>
    /// <returns>A line each, one blank between its columns.</returns>
    public static List<string> Rows(ProgramResult listed) =>
        [.. listed.Output.Split('\n').Where(line => Row().IsMatch(line))
            .Select(line => string.Join(' ', line.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)))];

    /// <summary>Every word it prints, to look for a known name whatever the layout.</summary>
    /// <param name="listed">What <c>pktmon filter list</c> ended with.</param>
    public static string[] Words(ProgramResult listed) => listed.Output.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries);

    /// <summary>Whether it collects anything, packets or counters.</summary>
    /// <param name="status">What <c>pktmon status</c> ended with.</param>
    /// <returns>False also where that is unknown.</returns>
    public static bool IsRunning(ProgramResult status) =>
        status.Succeeded && status.Output.Split('\n').Count(line => !string.IsNullOrWhiteSpace(line)) - Filters(status).Count > MaxIdleLines;

    [GeneratedRegex(@"^[ \t]*[0-9]+[ \t]+(?<name>[^ \t\r\n]+)", RegexOptions.Multiline | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Row();
}
