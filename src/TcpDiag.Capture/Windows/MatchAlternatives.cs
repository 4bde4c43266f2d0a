using System.Collections.Generic;
using System.Linq;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Capture.Windows;

/// <summary>
/// A match as alternatives, of which one must hold: the form of capture filters on Windows. What these cannot say (negation,
/// direction, process, which end) is left out, so that the alternatives take in at least what the match does, and often more.
/// </summary>
/// <param name="List">The alternatives; never empty.</param>
/// <param name="IsExact">Whether they take in no more than the match.</param>
sealed record MatchAlternatives(IReadOnlyList<MatchAlternative> List, bool IsExact)
{
    // More than any engine takes; an expression can multiply into thousands.
    const int MaxCount = 64;

    static readonly MatchAlternatives TooMuch = new([MatchAlternative.Anything], IsExact: false);

    /// <summary>Translates a match.</summary>
    /// <param name="rule">The match.</param>
    /// <returns>Its alternatives.</returns>
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

    // None left: no packet can pass, which is surely not what was meant.
    static MatchAlternatives Limit(List<MatchAlternative> list, bool isExact) =>
        list.Count is 0 or > MaxCount ? TooMuch : list.Find(one => one.IsAnything) is { } all ? new([all], isExact) : new(list, isExact);
}
