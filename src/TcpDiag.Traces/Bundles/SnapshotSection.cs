using System.Collections.Generic;

namespace TcpDiag.Traces.Bundles;

/// <summary>What one reader found.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Source">Where it looked, for people.</param>
/// <param name="Milliseconds">How long it took.</param>
/// <param name="Problem">Why facts are missing: rights, time; null when none are.</param>
/// <param name="Facts">The facts.</param>
public sealed record SnapshotSection(string Name, string Source, long Milliseconds, string? Problem, IReadOnlyList<SnapshotFact> Facts);
