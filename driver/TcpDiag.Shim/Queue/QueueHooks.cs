using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Impairment;

namespace TcpDiag.Shim.Queue;

/// <summary>Where a queue takes packets from: at which hooks of the kernel, and which way a packet goes that was met at one of them.</summary>
interface IQueueHooks
{
    /// <summary>Packets of the match that this kind of hook saw but cannot emulate, as a sentence; null without any. Read by another thread.</summary>
    string? Doubt { get; }

    /// <summary>Whether the process of either end of a packet is of this host, and may be the one that is meant.</summary>
    /// <param name="place">Where the packet was met.</param>
    bool MeansEitherEnd(in HookPlace place);

    /// <summary>The chains of the rules.</summary>
    /// <param name="alternatives">What the match takes, as <see cref="QueueFilter"/> gives it.</param>
    IReadOnlyList<QueueChain> Chains(IReadOnlyList<PacketTest[]> alternatives);

    /// <summary>Which way a packet goes.</summary>
    /// <param name="place">Where it was met.</param>
    /// <param name="packet">The packet.</param>
    /// <param name="direction">The direction.</param>
    /// <returns>False for one that is to pass here as it is.</returns>
    bool TryFindDirection(in HookPlace place, Span<byte> packet, out LinkDirection direction);
}

/// <summary>A base chain (linux/netfilter/nf_tables.h): the rules at one hook.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Hook">One of <see cref="NetfilterHook"/>.</param>
/// <param name="Rules">A packet that passes all tests of at least one of them goes to the queue.</param>
sealed record QueueChain(string Name, ushort Hook, IReadOnlyList<PacketTest[]> Rules);

/// <summary>Where a packet of a queue was met.</summary>
/// <param name="Hook">One of <see cref="NetfilterHook"/>.</param>
/// <param name="InDevice">The number of the interface it came from; 0 without one.</param>
/// <param name="OutDevice">The number of the interface it goes to; 0 where that is not known yet.</param>
readonly record struct HookPlace(byte Hook, uint InDevice, uint OutDevice);

/// <summary>NF_INET_LOCAL_IN, NF_INET_FORWARD, NF_INET_LOCAL_OUT of linux/netfilter.h.</summary>
static class NetfilterHook
{
    public const ushort In = 1;
    public const ushort Forward = 2;
    public const ushort Out = 3;
}

/// <summary>Packets that this machine sends on between two of its interfaces, as a router does: from the near to the far one is out.</summary>
/// <param name="near">The number of the near interface.</param>
/// <param name="far">The number of the far interface.</param>
sealed class RouteHooks(uint near, uint far) : IQueueHooks
{
    /// <summary>Always null: what goes between the two passes the hook.</summary>
    public string? Doubt => null;

    /// <inheritdoc/>
    public bool MeansEitherEnd(in HookPlace place) => false;

    /// <inheritdoc/>
    public IReadOnlyList<QueueChain> Chains(IReadOnlyList<PacketTest[]> alternatives) =>
        [Chain("out", near, far, PacketTest.Out, alternatives), Chain("in", far, near, PacketTest.In, alternatives)];

    /// <inheritdoc/>
    public bool TryFindDirection(in HookPlace place, Span<byte> packet, out LinkDirection direction)
    {
        direction = place.InDevice == near ? LinkDirection.Out : LinkDirection.In;
        return true;
    }

    static QueueChain Chain(string name, uint from, uint to, uint direction, IReadOnlyList<PacketTest[]> alternatives)
    {
        PacketTest[] between = [new(PacketField.InDevice, from), new(PacketField.OutDevice, to)];
        IEnumerable<PacketTest[]> going = alternatives.Where(tests => tests.All(test => test.Field != PacketField.Direction || test.First == direction));
        return new(name, NetfilterHook.Forward, [.. going.Select(tests => (PacketTest[])[.. between, .. tests])]);
    }
}
