namespace TcpDiag.Report.Json;

/// <summary>A process.</summary>
/// <param name="Id">Its number.</param>
/// <param name="Name">Name of its image.</param>
public sealed record ProcessEntry(
    uint? Id,
    string? Name);
