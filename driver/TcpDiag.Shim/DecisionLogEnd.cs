namespace TcpDiag.Shim;

/// <summary>The last line of <c>tcpdiag shim log --json</c>.</summary>
/// <param name="IsComplete">False when the log was cut off, or <c>--limit</c> ended the reading.</param>
/// <param name="Shown">Decisions that were printed.</param>
/// <param name="RecordsLost">Decisions that could not be written; null unless the log is complete.</param>
/// <param name="Lost">Packets the system lost; null unless the log is complete.</param>
/// <param name="Bypassed">Packets that passed a full queue; null unless the log is complete.</param>
public sealed record DecisionLogEnd(bool IsComplete, long Shown, long? RecordsLost, long? Lost, long? Bypassed);
