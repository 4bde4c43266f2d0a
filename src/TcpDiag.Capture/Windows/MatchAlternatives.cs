using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Capture.Windows;

/// <summary>
/// A match as alternatives, of which one must hold: the form of capture filters on Windows. What these cannot express (negation,
/// direction, process, which end) is left out, so the alternatives let through at least what the match does, and often more.
/// </summary>
/// <param name="List">The alternatives; never empty.</param>
/// <param name="IsExact">Whether they take in no more than the match.</param>
sealed record MatchAlternatives(IReadOnlyList<MatchAlternative> List, bool IsExact)
{
    // More than any engine takes; an expression can multiply into thousands.
    const int MaxCount = 64;

    static readonly MatchAlternatives TooMuch = new([MatchAlternative.Anything], IsExact: false);

    public static MatchAlternatives Of(MatchRule rule) => rule switch
    {
        MatchAnd and => And(Of(and.Left), Of(and.Right)),
        MatchOr or => Or(Of(or.Left), Of(or.Right)),
        MatchAll => new([MatchAlternative.Anything], IsExact: true),

        // Covers ICMPv6 too, which is another number.
        MatchProtocol { Protocol: IpProtocol.Icmp } => TooMuch,
        MatchProtocol test => One(MatchAlternative.Anything with { Protocol = test.Protocol }, true),
        MatchFamily test => One(MatchAlternative.Anything with { IsIpv4 = test.IsIpv4 }, true),
        MatchHost test => One(MatchAlternative.Anything with { Hosts = [test] }, test.Side == MatchSide.Either),
        MatchPort test => One(MatchAlternative.Anything with { Ports = [test] }, test.Side == MatchSide.Either),
        _ => TooMuch,
    };

    static MatchAlternatives One(MatchAlternative alternative, bool isExact) => new([alternative], isExact);

    static MatchAlternatives Or(MatchAlternatives left, MatchAlternatives right) => Limit([.. left.List, .. right.List], left.IsExact && right.IsExact);

    static MatchAlternatives And(MatchAlternatives left, MatchAlternatives right) => Limit(
        [.. left.List.SelectMany(one => right.List.Select(one.And)).OfType<MatchAlternative>()], left.IsExact && right.IsExact);

    // None left: no packet could pass, which is surely not what was meant.
    static MatchAlternatives Limit(List<MatchAlternative> list, bool isExact) =>
        list.Count is 0 or > MaxCount ? TooMuch : list.Find(one => one.IsAnything) is { } all ? new([all], isExact) : new(list, isExact);
}

/// <summary>Tests that must all hold: the form of capture filters on Windows.</summary>
/// <param name="Protocol">The protocol; null for any.</param>
/// <param name="IsIpv4">Whether IPv4 or IPv6; null for both.</param>
/// <param name="Hosts">Each is one end or the other.</param>
/// <param name="Ports">Each is one end or the other.</param>
sealed record MatchAlternative(IpProtocol? Protocol, bool? IsIpv4, IReadOnlyList<MatchHost> Hosts, IReadOnlyList<MatchPort> Ports)
{
    public static MatchAlternative Anything { get; } = new(null, null, [], []);

    public bool IsAnything => Protocol is null && IsIpv4 is null && Hosts.Count == 0 && Ports.Count == 0;

    /// <summary>The tests of both.</summary>
    /// <returns>All tests; null when no packet can pass.</returns>
    public MatchAlternative? And(MatchAlternative other) =>
        Differ(Protocol, other.Protocol) || Differ(IsIpv4, other.IsIpv4)
            ? null
            : new(
                Protocol ?? other.Protocol,
                IsIpv4 ?? other.IsIpv4,
                Narrowest([.. Hosts, .. other.Hosts], (wide, narrow) => wide.Covers(narrow)),
                Narrowest([.. Ports, .. other.Ports], (wide, narrow) => wide.Covers(narrow)));

    // One end may satisfy two tests. A filter with two addresses or two ports wants one at each end, so a test that the same end may satisfy
    // together with another must not become the second: more is let through, never less.
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
