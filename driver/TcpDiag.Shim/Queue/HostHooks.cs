using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading;
using TcpDiag.Impairment;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Shim.Queue;

/// <summary>
/// Packets of this host: what leaves is <see cref="LinkDirection.Out"/>, what arrives <see cref="LinkDirection.In"/>. A packet that the host sends itself both
/// leaves and arrives, and is emulated once, when it leaves; which way it goes then is for its ends to say. What the host forwards for others passes neither
/// hook: it is met at a third one, let pass, and counted, because a run that leaves it alone emulates less than was asked for.
/// </summary>
/// <param name="match">Which packets.</param>
/// <param name="loopbackNear">The near end of what the host sends itself; null for the one with the higher port, which is the client's as a rule.</param>
/// <param name="matches">Whether the match takes a packet, its process looked up.</param>
sealed class HostHooks(MatchRule match, LoopbackEnd? loopbackNear, Predicate<PacketFacts> matches) : IQueueHooks
{
    // LOOPBACK_IFINDEX (net/net_namespace.h).
    const uint Loopback = 1;

    // Where the match itself asks which way a packet goes, the hooks answer, for what the host sends itself too.
    readonly bool _tellsDirection = TellsDirection(match);
    long _forwarded;

    /// <inheritdoc/>
    public string? Doubt => Volatile.Read(ref _forwarded) is > 0 and var count
        ? string.Create(
            CultureInfo.InvariantCulture,
            $"{count} packets of the match were not emulated, because this machine forwards them: for these are --route and --bridge.")
        : null;

    /// <inheritdoc/>
    public bool MeansEitherEnd(in HookPlace place) => !_tellsDirection && IsOwn(in place);

    /// <inheritdoc/>
    public IReadOnlyList<QueueChain> Chains(IReadOnlyList<PacketTest[]> alternatives) =>
    [
        new("in", NetfilterHook.In, [.. Going(alternatives, PacketTest.In).Select(tests => _tellsDirection ? tests : [NotLoopback, .. tests])]),
        new("out", NetfilterHook.Out, [.. Going(alternatives, PacketTest.Out)]),
        new("forward", NetfilterHook.Forward, alternatives),
    ];

    /// <inheritdoc/>
    public bool TryFindDirection(in HookPlace place, Span<byte> packet, out LinkDirection direction)
    {
        direction = place.Hook == NetfilterHook.In ? LinkDirection.In : LinkDirection.Out;
        if (place.Hook == NetfilterHook.Forward)
        {
            CountForwarded(packet);
            return false;
        }

        if (!IsOwn(in place) || !PacketView.TryRead(packet, out PacketView view))
        {
            return true;
        }

        if (_tellsDirection)
        {
            return place.Hook == NetfilterHook.Out || !matches(view.ReadFacts(isOut: true));
        }

        direction = IsFromNear(view.ReadFacts(isOut: true)) ? LinkDirection.Out : LinkDirection.In;
        return true;
    }

    static bool IsOwn(in HookPlace place) => place.InDevice == Loopback || place.OutDevice == Loopback;

    static PacketTest NotLoopback => new(PacketField.NotInDevice, Loopback);

    static IEnumerable<PacketTest[]> Going(IReadOnlyList<PacketTest[]> alternatives, uint direction) =>
        alternatives.Where(tests => tests.All(test => test.Field != PacketField.Direction || test.First == direction));

    static bool TellsDirection(MatchRule rule) => rule switch
    {
        MatchDirection => true,
        MatchNot not => TellsDirection(not.Rule),
        MatchAnd and => TellsDirection(and.Left) || TellsDirection(and.Right),
        MatchOr or => TellsDirection(or.Left) || TellsDirection(or.Right),
        _ => false,
    };

    void CountForwarded(Span<byte> packet)
    {
        if (PacketView.TryRead(packet, out PacketView view) && (match.Matches(view.ReadFacts(isOut: true)) || match.Matches(view.ReadFacts(isOut: false))))
        {
            Volatile.Write(ref _forwarded, _forwarded + 1);
        }
    }

    bool IsFromNear(in PacketFacts facts) => loopbackNear is { } near
        ? near.Is(facts.Source)
        : facts.Source.Port != facts.Destination.Port
            ? facts.Source.Port > facts.Destination.Port
            : (facts.Source.Address.High, facts.Source.Address.Low).CompareTo((facts.Destination.Address.High, facts.Destination.Address.Low)) <= 0;
}

/// <summary>The near end of what a machine sends itself: an address of it, or a port.</summary>
/// <param name="Address">The address; null for any.</param>
/// <param name="Port">The port; 0 for any.</param>
public sealed record LoopbackEnd(IpAddress? Address, ushort Port = 0)
{
    /// <summary>Whether a packet's source is this end.</summary>
    /// <param name="source">The source.</param>
    /// <returns>True when it is.</returns>
    public bool Is(Endpoint source) => (Address is not { } address || address == source.Address) && (Port == 0 || Port == source.Port);
}
