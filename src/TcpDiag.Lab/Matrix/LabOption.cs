namespace TcpDiag.Lab.Matrix;

/// <summary>One setting as it is written in a matrix.</summary>
/// <param name="Name">Its name, e.g. <c>rtt</c>.</param>
/// <param name="Value">Its value, e.g. <c>25ms</c>.</param>
public sealed record LabOption(string Name, string Value);
