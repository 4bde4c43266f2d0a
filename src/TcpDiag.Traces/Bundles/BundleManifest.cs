using System;
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace TcpDiag.Traces.Bundles;

/// <summary>What a bundle says about itself (docs/schemas/bundle.json): <c>manifest.json</c>, the last file of the zip.</summary>
/// <param name="Schema">Name and number of the schema.</param>
/// <param name="Tool">Program and version that wrote it.</param>
/// <param name="CreatedUtc">When it was written.</param>
/// <param name="Engine">What recorded: linux, or an engine of Windows.</param>
/// <param name="OperatingSystem">System and version of the machine.</param>
/// <param name="Match">Which traffic was asked for.</param>
/// <param name="StopReason">Why the recording ended, for people.</param>
/// <param name="Files">The other files, in the order of the zip.</param>
/// <param name="Remarks">What went wrong or is missing, one sentence each.</param>
public sealed record BundleManifest(
    string Schema,
    string Tool,
    DateTimeOffset CreatedUtc,
    string Engine,
    string OperatingSystem,
    string Match,
    string StopReason,
    IReadOnlyList<BundleFile> Files,
    IReadOnlyList<string> Remarks)
{
    /// <summary>Name and number of the schema.</summary>
    public const string SchemaName = "tcpdiag/bundle/1";

    /// <summary>Its name in the zip.</summary>
    public const string FileName = "manifest.json";

    /// <summary>The name in the zip of the snapshot of the beginning.</summary>
    public const string SnapshotName = "snapshot.json";

    /// <summary>The name in the zip of the recording's journal.</summary>
    public const string JournalName = "journal.jsonl";

    /// <summary><see cref="BundleFile.Kind"/> of a trace.</summary>
    public const string TraceKind = "trace";

    /// <summary><see cref="BundleFile.Kind"/> of the system snapshot.</summary>
    public const string SnapshotKind = "snapshot";

    /// <summary><see cref="BundleFile.Kind"/> of the recording's journal.</summary>
    public const string JournalKind = "journal";
}

/// <summary>A file in a bundle.</summary>
/// <param name="Name">Its name in the zip: letters, digits, <c>.</c>, <c>-</c> and <c>_</c>; no folders.</param>
/// <param name="Kind">trace, snapshot or journal.</param>
/// <param name="Bytes">Its unpacked length.</param>
/// <param name="Sha256">SHA-256 of its unpacked bytes, lower-case hexadecimal.</param>
public sealed record BundleFile(string Name, string Kind, long Bytes, string Sha256);

/// <summary>Reads and writes manifests without reflection: camelCase names, line feeds on every system.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    WriteIndented = true,
    NewLine = "\n",
    RespectNullableAnnotations = true,
    RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(BundleManifest))]
public sealed partial class BundleJsonContext : JsonSerializerContext;
