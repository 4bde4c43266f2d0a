using TcpDiag.Scores.RunSets;

namespace TcpDiag.Scores.Comparisons;

/// <summary>Runs that were not compared.</summary>
/// <param name="IsOfA">Whether they are A's.</param>
/// <param name="Cell">The runs.</param>
/// <param name="Reason">Why, as a clause.</param>
public sealed record LeftOutCell(bool IsOfA, RunCell Cell, string Reason);
