namespace TcpDiag.Impairment.Decisions;

/// <summary>What happened to the packets of one direction, by number; every packet offered is in exactly one of forwarded, dropped and under way, and so is every copy.</summary>
public sealed class DecisionTally
{
    readonly long[] _actions = new long[ImpairmentActions.Count];

    /// <summary>Packets offered.</summary>
    public long Offered { get; internal set; }

    /// <summary>Packets that left, copies included.</summary>
    public long Forwarded => this[ImpairmentAction.Forward] + this[ImpairmentAction.ForwardCopy];

    /// <summary>Packets dropped, for whatever reason.</summary>
    public long Dropped => this[ImpairmentAction.DropLoss] + this[ImpairmentAction.DropQueue] + this[ImpairmentAction.DropBlackout] + this[ImpairmentAction.DropCapacity];

    /// <summary>Packets under way: queued or propagating.</summary>
    public long UnderWay => Offered + this[ImpairmentAction.Duplicate] - Forwarded - Dropped;

    /// <summary>How often something was decided.</summary>
    /// <param name="action">What.</param>
    public long this[ImpairmentAction action] => _actions[(int)action];

    internal void Count(ImpairmentAction action) => _actions[(int)action]++;
}
