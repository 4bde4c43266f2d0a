using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace TcpDiag.Probe.Results;

/// <summary>What a probe read of a sender: <c>tcpdiag/probe/1</c> (docs/schemas/probe.json).</summary>
/// <param name="Schema">Always <see cref="SchemaName"/>.</param>
/// <param name="Profile">The script.</param>
/// <param name="Listen">Where the probe waited.</param>
/// <param name="Sender">Who connected; null when nobody did.</param>
/// <param name="DelayNs">The round trip that was emulated, ns.</param>
/// <param name="PathNs">The path's own round trip, ns; 0 without a connection.</param>
/// <param name="MinRttNs">The smallest round trip, ns; null when no data came.</param>
/// <param name="SrttNs">About the sender's SRTT at the end, ns; null when no data came.</param>
/// <param name="DurationNs">From the SYN to the end, ns.</param>
/// <param name="Segments">Data segments that came.</param>
/// <param name="Lost">Packets that the device lost: with any of them the readings are in doubt.</param>
/// <param name="IsComplete">Whether the script came to its end.</param>
/// <param name="End">Why the probe ended.</param>
/// <param name="Summary">The readings in words.</param>
/// <param name="Readings">What was read.</param>
public sealed record ProbeDocument(
    string Schema,
    string Profile,
    string Listen,
    string? Sender,
    long DelayNs,
    long PathNs,
    long? MinRttNs,
    long? SrttNs,
    long DurationNs,
    long Segments,
    long Lost,
    bool IsComplete,
    string End,
    string Summary,
    IReadOnlyList<ProbeReading> Readings)
{
    /// <summary>The only schema there is.</summary>
    public const string SchemaName = "tcpdiag/probe/1";
}

/// <summary>The JSON form of what a probe read.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, WriteIndented = true)]
[JsonSerializable(typeof(ProbeDocument))]
public sealed partial class ProbeJson : JsonSerializerContext
{
}
