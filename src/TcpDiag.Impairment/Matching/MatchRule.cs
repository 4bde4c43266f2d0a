namespace TcpDiag.Impairment.Matching;

/// <summary>
/// Which packets are impaired: a tree of tests over <see cref="PacketFacts"/>, read by <see cref="MatchParser"/>. The tree is public so that a
/// backend can translate it into its own filter; <see cref="Matches"/> is the meaning every translation must have.
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

    /// <summary>Whether a packet is meant.</summary>
    /// <param name="packet">The facts known of it.</param>
    /// <returns>True if so; a test on a fact that is unknown is false.</returns>
    public abstract bool Matches(in PacketFacts packet);
}
