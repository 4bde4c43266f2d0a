using System;
using System.Collections.Generic;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Capture.Windows;

/// <summary>Tests that must all hold, as capture filters of Windows have them.</summary>
/// <param name="Protocol">The protocol; null for any.</param>
/// <param name="IsIpv4">Whether IPv4 or IPv6; null for both.</param>
/// <param name="Hosts">Each is one end or the other.</param>
/// <param name="Ports">Each is one end or the other.</param>
sealed record MatchAlternative(IpProtocol? Protocol, bool? IsIpv4, IReadOnlyList<MatchHost> Hosts, IReadOnlyList<MatchPort> Ports)
{
    /// <summary>No test at all.</summary>
    public static MatchAlternative Anything { get; } = new(null, null, [], []);

    /// <summary>Whether every packet passes.</summary>
    public bool IsAnything => Protocol is null && IsIpv4 is null && Hosts.Count == 0 && Ports.Count == 0;

    /// <summary>The tests of both.</summary>
    /// <param name="other">The other.</param>
    /// <returns>All tests; null when no packet can pass.</returns>
    public MatchAlternative? And(MatchAlternative other) =>
        Differ(Protocol, other.Protocol) || Differ(IsIpv4, other.IsIpv4)
            ? null
            : new(Protocol ?? other.Protocol, IsIpv4 ?? other.IsIpv4, Narrowest([.. Hosts, .. other.Hosts], (wide, narrow) => wide.Covers(narrow)), Narrowest([.. Ports, .. other.Ports], (wide, narrow) => wide.Covers(narrow)));

    // One end may satisfy two tests. A filter that takes two addresses or two ports wants one at each end, so that a test that one address or port may satisfy with another must not become the second: more is let through, never less.
    static List<T> Narrowest<T>(IEnumerable<T> tests, Func<T, T, bool> covers)
    {
        var kept = new List<T>();
        foreach (T test in tests)
        {
            if (!kept.Exists(other => covers(test, other)))
            {
                kept.RemoveAll(other => covers(other, test));
                kept.Add(test);
            }
        }

        return kept;
    }

    static bool Differ<T>(T? first, T? second)
        where T : struct => first is { } one && second is { } two && !one.Equals(two);
}
