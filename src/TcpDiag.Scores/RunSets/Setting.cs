namespace TcpDiag.Scores.RunSets;

/// <summary>A setting of an experiment.</summary>
/// <param name="Name">Its name, e.g. <c>rtt</c>.</param>
/// <param name="Value">Its value as it was written, e.g. <c>25ms</c>.</param>
public sealed record Setting(string Name, string Value);
