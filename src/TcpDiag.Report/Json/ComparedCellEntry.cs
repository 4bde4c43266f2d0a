using System.Collections.Generic;

namespace TcpDiag.Report.Json;

/// <summary>The runs of A and B under the same conditions.</summary>
/// <param name="Conditions">The conditions.</param>
/// <param name="A">A's runs.</param>
/// <param name="B">B's runs.</param>
/// <param name="ShiftBitsPerSecond">By how much B is faster (Hodges–Lehmann).</param>
/// <param name="Judgement">What follows.</param>
public sealed record ComparedCellEntry(
    IReadOnlyList<SettingEntry> Conditions,
    ComparedRunsEntry A,
    ComparedRunsEntry B,
    double ShiftBitsPerSecond,
    JudgementEntry Judgement);
