namespace TcpDiag.Analysis;

/// <summary>Packets that a Windows machine reported as dropped, of one reason and place (docs/formats/etl-packets.md).</summary>
/// <param name="Reason">PktMon's name of the reason, or its number where it has no name.</param>
/// <param name="Location">PktMon's name of the place, or its number in hexadecimal; null when not told.</param>
/// <param name="Packets">How many, each report counted.</param>
public sealed record DropCount(string Reason, string? Location, long Packets);
