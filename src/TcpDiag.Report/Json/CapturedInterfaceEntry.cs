namespace TcpDiag.Report.Json;

/// <summary>What was recorded at one interface.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Packets">Packets in the file.</param>
/// <param name="Dropped">Packets lost.</param>
public sealed record CapturedInterfaceEntry(string Name, long Packets, long Dropped);
