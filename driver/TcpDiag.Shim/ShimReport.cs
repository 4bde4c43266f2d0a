using System.Collections.Generic;

namespace TcpDiag.Shim;

/// <summary>What came of a run.</summary>
/// <param name="Figures">The final figures.</param>
/// <param name="IsRealTime">Whether the packet thread had real-time priority.</param>
/// <param name="Fault">Why the run is void, as a sentence; null if it is valid.</param>
/// <param name="Notes">What the user should know of how packets were diverted, in whole sentences.</param>
public sealed record ShimReport(ShimFigures Figures, bool IsRealTime, string? Fault, IReadOnlyList<string> Notes);
