namespace TcpDiag.Traces.Schemas;

/// <summary>A build of Windows whose events are known.</summary>
/// <param name="Number">E.g. 26100.</param>
/// <param name="Label">Its marketing name, e.g. <c>Windows 11 24H2</c>.</param>
public sealed record WindowsBuildEntry(int Number, string Label);
