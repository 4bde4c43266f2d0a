using System.Collections.Generic;

namespace TcpDiag.Profile;

/// <summary>A counter at a place in a method.</summary>
/// <param name="Kind">What it counts.</param>
/// <param name="IlOffset">Where, in bytes from the beginning of the method.</param>
/// <param name="Other">Of an edge, where it leads to.</param>
/// <param name="Count">How often; 0 for a histogram.</param>
/// <param name="Classes">Of a histogram, the assembly-qualified names; null where nothing was drawn.</param>
sealed record Counter(InstrumentationKind Kind, int IlOffset, uint Other, long Count, IReadOnlyList<string?> Classes);
