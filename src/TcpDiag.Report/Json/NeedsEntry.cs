namespace TcpDiag.Report.Json;

/// <summary>Retransmissions by need.</summary>
/// <param name="Necessary">The data had not arrived.</param>
/// <param name="Spurious">Proven to be needless.</param>
/// <param name="LikelySpurious">Probably needless.</param>
/// <param name="Unknown">Not known.</param>
public sealed record NeedsEntry(
    long Necessary,
    long Spurious,
    long LikelySpurious,
    long Unknown);
