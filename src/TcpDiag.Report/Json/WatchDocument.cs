using System;
using System.Collections.Generic;
using System.IO;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace TcpDiag.Report.Json;

/// <summary>One line of <c>tcpdiag watch --json</c> (docs/schemas/watch.json): all connections at one time.</summary>
/// <param name="Schema">Name and number of the schema.</param>
/// <param name="TimeUtc">When they were read.</param>
/// <param name="IntervalSeconds">Time since the line before; null in the first one, and where no event can have come since.</param>
/// <param name="HasEvents">Whether stack events show how long losses were being repaired; else the state at each reading counts for the whole
/// interval.</param>
/// <param name="LeftOut">Connections left out because there were too many.</param>
/// <param name="Connections">The most time lost first.</param>
public sealed record WatchDocument(
    string Schema,
    DateTimeOffset TimeUtc,
    double? IntervalSeconds,
    bool HasEvents,
    long LeftOut,
    IReadOnlyList<WatchedConnectionEntry> Connections)
{
    /// <summary>Name and number of the schema.</summary>
    public const string SchemaName = "tcpdiag/watch/1";

    /// <summary>Writes the document as one line.</summary>
    public void Write(TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(output);
        output.Write(JsonSerializer.Serialize(this, WatchJsonContext.Default.WatchDocument));
        output.Write('\n');
        output.Flush();
    }
}

/// <summary>A connection in one interval. What the system does not report is null.</summary>
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
/// <param name="BusyMicroseconds">
/// Time with data to send or in flight since the watch began; on Windows without the time in which the application was the limit.
/// </param>
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

/// <summary>One end of a connection.</summary>
/// <param name="Address">IP address.</param>
/// <param name="Port">Port.</param>
public sealed record EndpointEntry(
    string Address,
    int Port);

/// <summary>Serialises what <c>tcpdiag watch</c> prints without reflection: camelCase names, null for unknown values, one line.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(WatchDocument))]
sealed partial class WatchJsonContext : JsonSerializerContext;
