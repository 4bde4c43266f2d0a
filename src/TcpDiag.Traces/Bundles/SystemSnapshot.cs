using System;
using System.Collections.Generic;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace TcpDiag.Traces.Bundles;

/// <summary>What the machine was like (docs/schemas/snapshot.json): all that decides how its connections behave and that a trace does not show.</summary>
/// <param name="Schema">Name and number of the schema.</param>
/// <param name="TakenUtc">When it was taken.</param>
/// <param name="OperatingSystem">System and version.</param>
/// <param name="Sections">One per reader.</param>
public sealed record SystemSnapshot(string Schema, DateTimeOffset TakenUtc, string OperatingSystem, IReadOnlyList<SnapshotSection> Sections)
{
    /// <summary>Name and number of the schema.</summary>
    public const string SchemaName = "tcpdiag/snapshot/1";
}

/// <summary>What one reader found.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Source">Where it looked, for people.</param>
/// <param name="Milliseconds">How long it took.</param>
/// <param name="Problem">Why facts are missing: rights, time; null when none are.</param>
/// <param name="Facts">The facts.</param>
public sealed record SnapshotSection(string Name, string Source, long Milliseconds, string? Problem, IReadOnlyList<SnapshotFact> Facts);

/// <summary>One fact about the machine, as its system reports it.</summary>
/// <param name="Subject">What it is about: an interface, a connection; empty for the machine.</param>
/// <param name="Name">Name of the setting or counter, as the system spells it.</param>
/// <param name="Value">Its value in words or digits.</param>
public sealed record SnapshotFact(string Subject, string Name, string Value);

/// <summary>Reads and writes snapshots as JSON.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    WriteIndented = true,
    NewLine = "\n",
    RespectNullableAnnotations = true,
    RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(SystemSnapshot))]
public sealed partial class SnapshotJson : JsonSerializerContext
{
    /// <summary>Writes a snapshot.</summary>
    /// <param name="snapshot">The snapshot.</param>
    /// <returns>UTF-8.</returns>
    public static byte[] ToBytes(SystemSnapshot snapshot) => JsonSerializer.SerializeToUtf8Bytes(snapshot, Default.SystemSnapshot);
}
