namespace TcpDiag.Report.Json;

/// <summary>How B stands to A.</summary>
/// <param name="Ratio">B / A; null where it is infinite or not defined.</param>
/// <param name="RatioLow">Lower end of its interval.</param>
/// <param name="RatioHigh">Upper end; null where it is infinite.</param>
/// <param name="PValue">Mann–Whitney, two-sided.</param>
/// <param name="CorrectedPValue">After Holm's correction over the cells; null for a cell that has too few runs to be tested.</param>
/// <param name="CliffsDelta">−1 … 1.</param>
/// <param name="Verdict"><c>improved</c>, <c>regressed</c>, <c>equal</c>, <c>not-enough-evidence</c>.</param>
/// <param name="Reason">Why there is not enough evidence; null with any other verdict.</param>
public sealed record JudgementEntry(
    double? Ratio,
    double? RatioLow,
    double? RatioHigh,
    double PValue,
    double? CorrectedPValue,
    double CliffsDelta,
    string Verdict,
    string? Reason);
