using TcpDiag.Wire;

namespace TcpDiag.Traces;

/// <summary>A stretch of time in which a recorder lost something; outside it nothing is missing for that.</summary>
/// <param name="From">Nothing before it was lost.</param>
/// <param name="To">Nothing after it was lost.</param>
public readonly record struct LossSpan(TraceTime From, TraceTime To);
