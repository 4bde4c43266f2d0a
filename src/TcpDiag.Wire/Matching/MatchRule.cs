namespace TcpDiag.Wire.Matching;

/// <summary>
/// Which packets to select: a tree of tests over <see cref="PacketFacts"/>, read by <see cref="MatchParser"/>. The tree is public so that capture and diversion
/// can translate it into a kernel filter; <see cref="Matches"/> defines what every translation must select. <c>ToString</c> gives the text back.
/// </summary>
public abstract record MatchRule
{
    private protected MatchRule()
    {
    }

    /// <summary>
    /// Whether the rule may select everything, because no host, port or process narrows it down. Diverting that much can cut a machine off, so it takes
    /// an explicit request. A negation counts as broad: "not port 22" is nearly everything.
    /// </summary>
    public abstract bool IsBroad { get; }

    /// <summary>Whether the rule names a process, so that applying it needs to know whose packets they are.</summary>
    public virtual bool NamesProcess => false;

    /// <summary>Whether the rule selects a packet.</summary>
    /// <param name="packet">The known facts about it.</param>
    /// <returns>True if so; a test on an unknown fact is false.</returns>
    public abstract bool Matches(in PacketFacts packet);

    /// <summary>The rule without its processes: selects at least what the rule does, whichever process owns the sockets.</summary>
    /// <param name="process">Replaces "some process": everything by default, or less where processes are only known for some traffic.</param>
    /// <returns>A rule that names no process; the same one where none is named.</returns>
    public MatchRule ForAnyProcess(MatchRule? process = null) => NamesProcess ? MatchBroadening.MayBe(this, holds: true, process ?? new MatchAll()) : this;
}

/// <summary>The facts about a packet that a rule is matched against. Ports are 0 where the protocol, or a later fragment, has none.</summary>
/// <param name="Protocol">The protocol behind the IP header.</param>
/// <param name="Source">Where the packet comes from.</param>
/// <param name="Destination">Where it goes.</param>
/// <param name="IsOut">Whether it leaves this host, or the near end of a link.</param>
/// <param name="ProcessId">The process on this host, 0 if unknown.</param>
/// <param name="ProcessName">Its name without path or <c>.exe</c>; null if unknown.</param>
public readonly record struct PacketFacts(
    IpProtocol Protocol,
    Endpoint Source,
    Endpoint Destination,
    bool IsOut = true,
    int ProcessId = 0,
    string? ProcessName = null);

/// <summary><c>all</c>: every packet.</summary>
public sealed record MatchAll : MatchRule
{
    /// <inheritdoc/>
    public override bool IsBroad => true;

    /// <inheritdoc/>
    public override bool Matches(in PacketFacts packet) => true;

    /// <inheritdoc/>
    public override string ToString() => "all";
}

/// <summary>Both rules match; <c>and</c>, or one rule right behind the other.</summary>
/// <param name="Left">The first rule.</param>
/// <param name="Right">The second rule.</param>
public sealed record MatchAnd(MatchRule Left, MatchRule Right) : MatchRule
{
    /// <inheritdoc/>
    public override bool IsBroad => Left.IsBroad && Right.IsBroad;

    /// <inheritdoc/>
    public override bool NamesProcess => Left.NamesProcess || Right.NamesProcess;

    /// <inheritdoc/>
    public override bool Matches(in PacketFacts packet) => Left.Matches(in packet) && Right.Matches(in packet);

    /// <inheritdoc/>
    public override string ToString() => $"{Text(Left)} {Text(Right)}";

    static string Text(MatchRule rule) => rule is MatchOr ? $"({rule})" : rule.ToString();
}

/// <summary>At least one rule matches; <c>or</c>, or a comma between two values of a test.</summary>
/// <param name="Left">The first rule.</param>
/// <param name="Right">The second rule.</param>
public sealed record MatchOr(MatchRule Left, MatchRule Right) : MatchRule
{
    /// <inheritdoc/>
    public override bool IsBroad => Left.IsBroad || Right.IsBroad;

    /// <inheritdoc/>
    public override bool NamesProcess => Left.NamesProcess || Right.NamesProcess;

    /// <inheritdoc/>
    public override bool Matches(in PacketFacts packet) => Left.Matches(in packet) || Right.Matches(in packet);

    /// <inheritdoc/>
    public override string ToString() => $"{Left} or {Right}";
}

/// <summary>The rule does not match; <c>not</c>.</summary>
/// <param name="Rule">The rule.</param>
public sealed record MatchNot(MatchRule Rule) : MatchRule
{
    /// <inheritdoc/>
    public override bool IsBroad => true;

    /// <inheritdoc/>
    public override bool NamesProcess => Rule.NamesProcess;

    /// <inheritdoc/>
    public override bool Matches(in PacketFacts packet) => !Rule.Matches(in packet);

    /// <inheritdoc/>
    public override string ToString() => Rule is MatchAnd or MatchOr ? $"not ({Rule})" : $"not {Rule}";
}

/// <summary>
/// Broadens a rule where processes are unknown, for now or for good: the result selects at least what the rule does, whichever process owns the
/// sockets. Under a negation "at least" turns into "at most", so both are built side by side.
/// </summary>
static class MatchBroadening
{
    /// <summary>A rule that names no process and holds at least where <paramref name="rule"/> may hold, or may fail.</summary>
    public static MatchRule MayBe(MatchRule rule, bool holds, MatchRule process) => rule switch
    {
        MatchNot not => MayBe(not.Rule, !holds, process),
        MatchAnd and => Join(MayBe(and.Left, holds, process), MayBe(and.Right, holds, process), isBoth: holds),
        MatchOr or => Join(MayBe(or.Left, holds, process), MayBe(or.Right, holds, process), isBoth: !holds),
        MatchProcess => holds ? process : new MatchAll(),
        _ => holds ? rule : new MatchNot(rule),
    };

    static MatchRule Join(MatchRule left, MatchRule right, bool isBoth) => (left, right) switch
    {
        (MatchAll, _) => isBoth ? right : left,
        (_, MatchAll) => isBoth ? left : right,
        _ when left == right => left,
        _ => isBoth ? new MatchAnd(left, right) : new MatchOr(left, right),
    };
}
