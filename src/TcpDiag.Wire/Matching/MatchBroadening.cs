namespace TcpDiag.Wire.Matching;

/// <summary>
/// What is left of a rule for somebody who cannot tell processes apart yet, or never: a rule that takes in at least what the rule does, whoever holds the
/// sockets. Under a negation "at least" turns into "at most", so both are made beside each other.
/// </summary>
static class MatchBroadening
{
    /// <summary>When a rule may hold, or may fail.</summary>
    /// <param name="rule">The rule.</param>
    /// <param name="holds">Whether it is to hold.</param>
    /// <param name="process">What stands for a process that it may be.</param>
    /// <returns>A rule that names no process and holds at least then.</returns>
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
