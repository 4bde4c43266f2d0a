namespace TcpDiag.Impairment;

/// <summary>Random variation of the propagation delay. Delay and jitter together never fall below zero.</summary>
/// <param name="AmountNs">Nanoseconds, with the meaning <paramref name="Shape"/> gives them.</param>
/// <param name="Shape">The distribution.</param>
/// <param name="Reorders">Whether a packet may overtake another; if not, a packet waits for the one before it.</param>
public sealed record JitterSettings(long AmountNs, JitterShape Shape = JitterShape.Uniform, bool Reorders = false);
