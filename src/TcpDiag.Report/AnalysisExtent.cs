namespace TcpDiag.Report;

/// <summary>How much of an analysis is told to people.</summary>
/// <param name="Connections">Most connections to list.</param>
/// <param name="Findings">Most findings to list.</param>
/// <param name="Explained">How many of them are told with cause, evidence and advice.</param>
public readonly record struct AnalysisExtent(int Connections, int Findings, int Explained);
