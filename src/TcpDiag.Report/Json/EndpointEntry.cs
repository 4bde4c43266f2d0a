namespace TcpDiag.Report.Json;

/// <summary>One end of a connection.</summary>
/// <param name="Address">IP address.</param>
/// <param name="Port">Port.</param>
public sealed record EndpointEntry(
    string Address,
    int Port);
