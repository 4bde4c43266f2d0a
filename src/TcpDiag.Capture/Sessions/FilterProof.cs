namespace TcpDiag.Capture.Sessions;

/// <summary>What was found when the filters of a recording that runs were asked for.</summary>
/// <param name="IsInForce">Whether all are there; null where the engine tells none, so that only the packets can.</param>
/// <param name="What">A sentence for the journal, and for people where a filter is missing.</param>
public sealed record FilterProof(bool? IsInForce, string What);
