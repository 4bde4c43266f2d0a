namespace TcpDiag.Analysis;

/// <summary>Retransmitted wire segments by whether they were needed.</summary>
/// <param name="Necessary">The data had not arrived.</param>
/// <param name="Spurious">Proven needless.</param>
/// <param name="LikelySpurious">Probably needless.</param>
/// <param name="Unknown">Not known.</param>
public readonly record struct NeedCounts(long Necessary, long Spurious, long LikelySpurious, long Unknown)
{
    /// <summary>All of them.</summary>
    public long Total => Necessary + Spurious + LikelySpurious + Unknown;
}
