namespace TcpDiag.Analysis;

/// <summary>What is counted of retransmissions. Most directions have none: those share one object.</summary>
/// <param name="Triggers">What triggered them.</param>
/// <param name="Needs">Whether they were needed.</param>
sealed record RepairCounts(TriggerCounts Triggers, NeedCounts Needs)
{
    static readonly RepairCounts None = new(default, default);

    /// <summary>The counts of a direction.</summary>
    /// <param name="triggers">What triggered its retransmissions.</param>
    /// <param name="needs">Whether they were needed.</param>
    /// <returns>The counts.</returns>
    public static RepairCounts Of(in TriggerCounts triggers, in NeedCounts needs) =>
        triggers == default && needs == default ? None : new(triggers, needs);
}
