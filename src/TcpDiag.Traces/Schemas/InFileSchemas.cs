using System;
using System.Collections.Generic;
using System.Text;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Etl.Records;

namespace TcpDiag.Traces.Schemas;

/// <summary>
/// Schemas that a trace brings along: manifests of event sources, and what merging a trace adds (docs/formats/etl.md,
/// "Schemas inside the file"). They describe the machine that logged, so they go before the bundled ones.
/// </summary>
public sealed class InFileSchemas
{
    readonly Dictionary<Key, EventSchema> _schemas = [];
    readonly Dictionary<Guid, string> _providers = [];

    /// <summary>How many events are described.</summary>
    public int Count => _schemas.Count;

    /// <summary>Finds the schema of a record.</summary>
    /// <param name="record">The record.</param>
    /// <returns>The schema, or null.</returns>
    public EventSchema? Find(in EtlRecord record) => _schemas.Count == 0
        ? null
        : _schemas.GetValueOrDefault(new Key(record.Provider, record.IsClassic ? record.Opcode : record.Id, record.Version, record.IsClassic));

    /// <summary>Adds a schema; the last one for an event counts.</summary>
    internal void Add(EventSchema schema, int idOrOpcode, bool isClassic)
    {
        _schemas[new Key(schema.Provider, idOrOpcode, schema.Version, isClassic)] = ManifestErrata.Correct(schema);
        _providers[schema.Provider] = schema.ProviderName;
    }

    /// <summary>The name of a provider whose events are described.</summary>
    /// <returns>The name; empty where there is none.</returns>
    internal string ProviderName(Guid provider) => _providers.GetValueOrDefault(provider, string.Empty);

    readonly record struct Key(Guid Provider, int Id, int Version, bool IsClassic);
}

/// <summary>
/// Collects the schemas that a trace brings along (docs/formats/etl.md, "Schemas inside the file"), record by record in any
/// order. Those that merging adds are at the end of the file, so the whole trace has to be read first.
/// </summary>
public sealed class InFileSchemaScan
{
    const byte EventInfoOpcode = 32;
    const byte MapInfoOpcode = 33;

    /// <summary>Class of the descriptions that merging a trace adds.</summary>
    internal static readonly Guid EventInfoClass = new("bbccf6c1-6cd1-48c4-80ff-839482e37671");

    readonly EventMapTable _maps = new();
    readonly ManifestChunks _manifests = new();

    /// <summary>What was found so far.</summary>
    public InFileSchemas Schemas { get; } = new();

    /// <summary>Takes in a record.</summary>
    /// <param name="record">Any record of the trace.</param>
    public void Add(in EtlRecord record)
    {
        if (_manifests.Add(record) is { } manifest)
        {
            EventSourceManifest.Read(manifest, record.Provider, Schemas);
            return;
        }

        if (record.HeaderType != EtlHeaderType.Full || record.Provider != EventInfoClass)
        {
            return;
        }

        switch (record.Opcode)
        {
            case EventInfoOpcode:
                TraceEventInfo.TryAdd(record.Payload, _maps, Schemas);
                break;
            case MapInfoOpcode:
                _maps.TryAdd(record.Payload);
                break;
            default:
                break;
        }
    }
}

/// <summary>Reads a trace once, in file order, for the schemas that it brings along.</summary>
public static class InFileSchemaReader
{
    /// <summary>Collects the schemas of a file.</summary>
    /// <param name="file">The file.</param>
    /// <returns>What was found.</returns>
    public static InFileSchemas Read(EtlFile file)
    {
        var scan = new InFileSchemaScan();
        using EtlRecordCursor cursor = file.Read(EtlReadOrder.File);
        var record = default(EtlRecord);
        while (cursor.TryRead(ref record))
        {
            scan.Add(record);
        }

        return scan.Schemas;
    }
}

/// <summary>Reads texts that a description in a trace points at: UTF-16 up to a NUL.</summary>
static class InFileText
{
    // Longest name seen is some 60 units; offsets may overlap, so an unbounded text could be read thousands of times.
    const int MaxBytes = 2 * 512;

    /// <summary>Reads a text by its offset; 0 is none.</summary>
    /// <param name="info">The description.</param>
    /// <param name="offset">Bytes from its start.</param>
    /// <returns>The text, cut where it is longer than any real one; empty when it is outside.</returns>
    public static string At(ReadOnlySpan<byte> info, uint offset)
    {
        if (offset == 0 || offset >= info.Length)
        {
            return string.Empty;
        }

        ReadOnlySpan<byte> rest = info[(int)offset..];
        rest = rest[..Math.Min(rest.Length, MaxBytes)];
        PayloadElements.TryTake(InType.UnicodeString, PayloadElements.NoLength, is64Bit: true, ref rest, out ReadOnlySpan<byte> text);
        return Encoding.Unicode.GetString(text);
    }
}
