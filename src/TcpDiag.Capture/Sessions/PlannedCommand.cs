namespace TcpDiag.Capture.Sessions;

/// <summary>A command of a recording and what it is for.</summary>
/// <param name="Call">The command.</param>
/// <param name="Purpose">One clause for people.</param>
public sealed record PlannedCommand(ProgramCall Call, string Purpose);
