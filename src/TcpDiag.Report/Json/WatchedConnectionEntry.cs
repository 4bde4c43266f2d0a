namespace TcpDiag.Report.Json;

/// <summary>A connection in one interval. What the system does not tell is null.</summary>
/// <param name="Local">This machine's end.</param>
/// <param name="Remote">The peer's end.</param>
/// <param name="ProcessId">Process that owns it.</param>
/// <param name="Process">Name of that process.</param>
/// <param name="SendBitsPerSecond">New payload sent; null in the first interval.</param>
/// <param name="ReceiveBitsPerSecond">Payload received; null in the first interval.</param>
/// <param name="SrttMicroseconds">Smoothed round-trip time.</param>
/// <param name="CwndBytes">Congestion window.</param>
/// <param name="InFlightBytes">Sent and not acknowledged.</param>
/// <param name="SendWindowBytes">The peer's receive window.</param>
/// <param name="Retransmissions">Segments sent again since the watch began.</param>
/// <param name="Reorderings">Reorderings seen since the watch began.</param>
/// <param name="Limit">What kept the sender from sending more; null when not known.</param>
/// <param name="LostMicroseconds">Time lost since the watch began.</param>
/// <param name="BusyMicroseconds">Time with data to send or in flight since the watch began.</param>
public sealed record WatchedConnectionEntry(
    EndpointEntry Local,
    EndpointEntry Remote,
    long? ProcessId,
    string? Process,
    double? SendBitsPerSecond,
    double? ReceiveBitsPerSecond,
    long? SrttMicroseconds,
    long? CwndBytes,
    long? InFlightBytes,
    long? SendWindowBytes,
    long? Retransmissions,
    long? Reorderings,
    string? Limit,
    long LostMicroseconds,
    long BusyMicroseconds);
