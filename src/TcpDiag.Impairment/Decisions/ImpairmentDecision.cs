using TcpDiag.Wire;

namespace TcpDiag.Impairment.Decisions;

/// <summary>One action on one packet. Only <see cref="ImpairmentAction.Forward"/> and its copy carry an error.</summary>
/// <param name="Time">The emulated instant; for a packet that leaves, the caller's clock.</param>
/// <param name="PacketId">The packet's number in its direction, from 1.</param>
/// <param name="FlowHash">The packet's flow hash.</param>
/// <param name="LengthBytes">The packet's length; the log keeps at most 65535.</param>
/// <param name="Direction">The packet's direction.</param>
/// <param name="Segment">The segment of the path that decided: 0 before, 1 behind the observation point.</param>
/// <param name="Action">What was done.</param>
/// <param name="DelayAskedNanos">Nanoseconds from the packet's arrival to when it is due, as decided so far.</param>
/// <param name="DelayErrorNanos">Delay given minus delay asked in nanoseconds; 0 where the packet did not leave.</param>
public readonly record struct ImpairmentDecision(
    TraceTime Time,
    long PacketId,
    uint FlowHash,
    int LengthBytes,
    LinkDirection Direction,
    int Segment,
    ImpairmentAction Action,
    long DelayAskedNanos,
    long DelayErrorNanos);

/// <summary>Receives every decision, in the order taken.</summary>
public interface IDecisionSink
{
    /// <summary>Takes one decision; must not block, it runs between two packets.</summary>
    /// <param name="decision">The decision; valid during the call.</param>
    void Record(in ImpairmentDecision decision);
}

/// <summary>What the emulator did with a packet. Decision logs hold the numbers (docs/impairment.md): never renumber.</summary>
public enum ImpairmentAction
{
    /// <summary>Nothing; never logged.</summary>
    None = 0,

    /// <summary>The packet left the emulator; its record holds the delay asked for and the error made.</summary>
    Forward = 1,

    /// <summary>The copy of a duplicated packet left the emulator.</summary>
    ForwardCopy = 2,

    /// <summary>Dropped by a loss model.</summary>
    DropLoss = 3,

    /// <summary>Dropped because the queue was full (tail drop).</summary>
    DropQueue = 4,

    /// <summary>Dropped in a blackout window.</summary>
    DropBlackout = 5,

    /// <summary>Dropped because the emulator itself was full; such a run is void.</summary>
    DropCapacity = 6,

    /// <summary>The ECN field is set to CE.</summary>
    MarkEcn = 7,

    /// <summary>One bit is flipped.</summary>
    Corrupt = 8,

    /// <summary>A copy follows the packet.</summary>
    Duplicate = 9,

    /// <summary>Reordering: another delay instead of the path's.</summary>
    ReorderReplace = 10,

    /// <summary>Reordering: a delay on top of the path's.</summary>
    ReorderAdd = 11,

    /// <summary>Reordering: held until successors have passed.</summary>
    ReorderSwap = 12,

    /// <summary>Reordering: moved in front of packets under way.</summary>
    ReorderAhead = 13,

    /// <summary>Reordering: part of a burst held back by a queue flush.</summary>
    ReorderFlush = 14,

    /// <summary>Dropped early by the management of a queue (CoDel, FQ-CoDel, PIE).</summary>
    DropAqm = 15,
}

/// <summary>Groups of <see cref="ImpairmentAction"/>.</summary>
public static class ImpairmentActions
{
    /// <summary>The number of actions, <see cref="ImpairmentAction.None"/> included.</summary>
    public const int Count = (int)ImpairmentAction.DropAqm + 1;

    /// <summary>Whether the packet ends with this action without being delivered.</summary>
    /// <param name="action">The action.</param>
    /// <returns>True for the five kinds of drop.</returns>
    public static bool IsDrop(this ImpairmentAction action) =>
        action is (>= ImpairmentAction.DropLoss and <= ImpairmentAction.DropCapacity) or ImpairmentAction.DropAqm;

    /// <summary>Whether the packet is taken out of its order by this action.</summary>
    /// <param name="action">The action.</param>
    /// <returns>True for the five kinds of reordering.</returns>
    public static bool IsReordering(this ImpairmentAction action) => action is >= ImpairmentAction.ReorderReplace and <= ImpairmentAction.ReorderFlush;
}

/// <summary>
/// Counts of what happened to the packets of one direction. Every packet offered, and every copy, is exactly one of forwarded, dropped or under way.
/// </summary>
public sealed class DecisionCounts
{
    readonly long[] _actions = new long[ImpairmentActions.Count];

    /// <summary>Packets offered.</summary>
    public long Offered { get; internal set; }

    /// <summary>Packets that left, copies included.</summary>
    public long Forwarded => this[ImpairmentAction.Forward] + this[ImpairmentAction.ForwardCopy];

    /// <summary>Packets dropped, for whatever reason.</summary>
    public long Dropped =>
        this[ImpairmentAction.DropLoss] + this[ImpairmentAction.DropQueue] + this[ImpairmentAction.DropBlackout] + this[ImpairmentAction.DropCapacity]
        + this[ImpairmentAction.DropAqm];

    /// <summary>Packets under way: queued or propagating.</summary>
    public long UnderWay => Offered + this[ImpairmentAction.Duplicate] - Forwarded - Dropped;

    /// <summary>How often an action was taken.</summary>
    /// <param name="action">The action.</param>
    public long this[ImpairmentAction action] => _actions[(int)action];

    internal void Count(ImpairmentAction action) => _actions[(int)action]++;
}
