namespace TcpDiag.Report.Json;

/// <summary>Packets that a Windows machine reported as dropped.</summary>
/// <param name="Reason">PktMon's name of the reason, or its number.</param>
/// <param name="Location">PktMon's name of the place, or its number; null when not told.</param>
/// <param name="Packets">How many.</param>
public sealed record DropEntry(string Reason, string? Location, long Packets);
