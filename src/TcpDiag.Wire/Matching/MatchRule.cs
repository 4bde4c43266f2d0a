namespace TcpDiag.Wire.Matching;

/// <summary>
/// Which packets are meant: a tree of tests over <see cref="PacketFacts"/>, read by <see cref="MatchParser"/>. The tree is public so that whoever captures or
/// diverts packets can translate it into a filter of the kernel; <see cref="Matches"/> is the meaning every translation must have. <c>ToString</c> gives the text back.
/// </summary>
public abstract record MatchRule
{
    private protected MatchRule()
    {
    }

    /// <summary>
    /// Whether the rule may take in everything, because no host, port or process narrows it down. Diverting that much can cut a machine off, so it is only
    /// done when asked for expressly. A negation counts as broad: "not port 22" is nearly everything.
    /// </summary>
    public abstract bool IsBroad { get; }

    /// <summary>Whether a process is named somewhere: whoever carries the rule out must then know whose packets they are.</summary>
    public virtual bool NamesProcess => false;

    /// <summary>Whether a packet is meant.</summary>
    /// <param name="packet">The facts known of it.</param>
    /// <returns>True if so; a test on a fact that is unknown is false.</returns>
    public abstract bool Matches(in PacketFacts packet);

    /// <summary>The rule without its processes: takes in at least what the rule does, whoever holds the sockets.</summary>
    /// <param name="process">What stands for "some process"; everything if not given, less where it is known that only some traffic is told its process.</param>
    /// <returns>A rule that names no process; the same one where none is named.</returns>
    public MatchRule ForAnyProcess(MatchRule? process = null) => NamesProcess ? MatchBroadening.MayBe(this, holds: true, process ?? new MatchAll()) : this;
}
