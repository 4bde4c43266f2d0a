namespace TcpDiag.Lab.Flows;

/// <summary>Where one of the two programs works.</summary>
/// <param name="Namespace">Its network namespace.</param>
/// <param name="Address">Its address there.</param>
/// <param name="Log">The log of its writes or reads; null keeps none.</param>
public sealed record FlowEnd(string Namespace, string Address, string? Log);
