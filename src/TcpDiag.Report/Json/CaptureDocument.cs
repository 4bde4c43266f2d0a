using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace TcpDiag.Report.Json;

/// <summary>What a recording holds (docs/schemas/capture.json).</summary>
/// <param name="Schema">Name and number of the schema.</param>
/// <param name="File">The file as the user named it.</param>
/// <param name="Engine">What recorded: linux, or an engine of Windows.</param>
/// <param name="Match">Which traffic was asked for.</param>
/// <param name="StartUtc">When it began.</param>
/// <param name="DurationSeconds">How long it took.</param>
/// <param name="StopReason">duration, size, stopped, disk, trigger or ended.</param>
/// <param name="Trigger">The condition of --until that came true; null when none did.</param>
/// <param name="Bytes">Size of the file.</param>
/// <param name="SnapLengthBytes">Bytes kept of a packet, at most.</param>
/// <param name="Packets">Packets of all interfaces.</param>
/// <param name="Dropped">Packets lost.</param>
/// <param name="Interfaces">The interfaces that had traffic.</param>
/// <param name="StackEvents">Events of the TCP stack; null when they were not recorded.</param>
/// <param name="Samples">Samples of connections; null when they were not recorded.</param>
/// <param name="LostEvents">Events lost; null when none were recorded. On Windows packets are events too.</param>
/// <param name="LostBuffers">Buffers lost while they were to be written, each with all that was in it; null on Linux, where none are counted.</param>
/// <param name="OutOfOrder">Records written after a later one.</param>
/// <param name="IsWhole">Whether the file opens and holds what was asked for.</param>
/// <param name="Remarks">What could not be recorded.</param>
public sealed record CaptureDocument(
    string Schema,
    string File,
    string Engine,
    string Match,
    DateTimeOffset StartUtc,
    double DurationSeconds,
    string StopReason,
    CaptureTriggerEntry? Trigger,
    long Bytes,
    int SnapLengthBytes,
    long Packets,
    long Dropped,
    IReadOnlyList<CapturedInterfaceEntry> Interfaces,
    long? StackEvents,
    long? Samples,
    long? LostEvents,
    long? LostBuffers,
    long OutOfOrder,
    bool IsWhole,
    IReadOnlyList<string> Remarks)
{
    /// <summary>Name and number of the schema.</summary>
    public const string SchemaName = "tcpdiag/capture/1";

    /// <summary>Whether nothing was lost and the file holds what was asked for.</summary>
    [JsonIgnore]
    public bool IsComplete => IsWhole && Interfaces.All(captured => captured.Dropped == 0) && LostEvents is not > 0 && LostBuffers is not > 0;
}

/// <summary>A condition that ended a recording.</summary>
/// <param name="Condition">As it was asked for.</param>
/// <param name="Utc">When it came true.</param>
/// <param name="What">What has happened, a clause.</param>
public sealed record CaptureTriggerEntry(string Condition, DateTimeOffset Utc, string What);

/// <summary>What was recorded at one interface.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Packets">Packets in the file.</param>
/// <param name="Dropped">Packets lost.</param>
public sealed record CapturedInterfaceEntry(string Name, long Packets, long Dropped);

/// <summary>Writes the JSON document of a recording.</summary>
public static class CaptureJson
{
    /// <summary>Writes the document.</summary>
    public static void Write(TextWriter output, CaptureDocument document) =>
        output.WriteLine(JsonSerializer.Serialize(document, CaptureJsonContext.Default.CaptureDocument));
}

/// <summary>Serialises what <c>tcpdiag capture</c> prints without reflection: camelCase names, null for unknown values.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(CaptureDocument))]
[JsonSerializable(typeof(CapturePlanDocument))]
sealed partial class CaptureJsonContext : JsonSerializerContext;
