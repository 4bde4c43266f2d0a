using TcpDiag.Scores.RunSets;

namespace TcpDiag.Scores.Comparisons;

/// <summary>The runs of A and B under the same conditions.</summary>
/// <param name="A">The runs of A; at least one counts.</param>
/// <param name="B">The runs of B; at least one counts.</param>
/// <param name="MedianA">Median goodput, bit/s.</param>
/// <param name="MedianB">Median goodput, bit/s.</param>
/// <param name="Shift">By how much B is faster, bit/s (Hodges–Lehmann); negative where it is slower.</param>
/// <param name="Judgement">What follows.</param>
public sealed record CellComparison(RunCell A, RunCell B, double MedianA, double MedianB, double Shift, Judgement Judgement);
