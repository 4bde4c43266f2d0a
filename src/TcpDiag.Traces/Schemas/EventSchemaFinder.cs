using System;
using System.Collections.Generic;
using System.Text;
using TcpDiag.Traces.Etl.Records;

namespace TcpDiag.Traces.Schemas;

/// <summary>
/// Finds the schema of any record: what the event itself says (TraceLogging), then what the trace says, then the kernel's
/// classic layouts and the bundled manifests. Keeps what it found, so that each layout is made once per trace.
/// </summary>
public sealed class EventSchemaFinder
{
    // Hostile traces may hold a different description in each event: no more than these are kept.
    const int MaxKept = 4096;

    readonly int? _build;
    readonly InFileSchemas _inFile;
    readonly Dictionary<Key, SchemaMatch> _found = [];
    readonly Dictionary<int, (byte[] Blob, EventSchema Schema)> _selfDescribed = [];

    /// <summary>Creates a finder for one trace.</summary>
    /// <param name="build">The Windows build that logged it, or null when unknown.</param>
    /// <param name="inFile">Schemas found in the trace.</param>
    public EventSchemaFinder(int? build, InFileSchemas inFile)
    {
        _build = build;
        _inFile = inFile;
    }

    /// <summary>Finds the schema of a record.</summary>
    /// <param name="record">The record.</param>
    /// <returns>The schema and how it was found.</returns>
    public SchemaMatch Find(in EtlRecord record)
    {
        if (record.HeaderType == EtlHeaderType.Message)
        {
            return default;
        }

        if (TryFindSelfDescribed(record, out EventSchema? described))
        {
            return new SchemaMatch(described, SchemaMatchKind.InFile);
        }

        var key = new Key(record.Provider, record.IsClassic ? record.Opcode : record.Id, record.Version, record.IsClassic, record.Is64Bit);
        if (_found.TryGetValue(key, out SchemaMatch known))
        {
            return known;
        }

        SchemaMatch match = FindAnew(record, key);
        if (match.Kind != SchemaMatchKind.PayloadLength && _found.Count < MaxKept)
        {
            _found.Add(key, match);
        }

        return match;
    }

    SchemaMatch FindAnew(in EtlRecord record, Key key)
    {
        if (_inFile.Find(record) is { } inFile)
        {
            return new SchemaMatch(inFile, SchemaMatchKind.InFile);
        }

        if (!record.IsClassic)
        {
            return SchemaCatalog.Bundled.Find(_build, key.Provider, key.Id, key.Version, record.Payload.Length, key.Is64Bit);
        }

        return ClassicSchemas.Find(key.Provider, key.Id, key.Version) is { } classic
            ? new SchemaMatch(classic, SchemaMatchKind.SameOnAllBuilds)
            : default;
    }

    bool TryFindSelfDescribed(in EtlRecord record, out EventSchema? schema)
    {
        schema = null;
        ReadOnlySpan<byte> blob = default;
        ReadOnlySpan<byte> traits = default;
        foreach (EtlExtendedItem item in new EtlExtendedItems(record.ExtendedData))
        {
            blob = item.Type == EtlExtendedItemType.EventSchema ? item.Data : blob;
            traits = item.Type == EtlExtendedItemType.ProviderTraits ? item.Data : traits;
        }

        if (blob.IsEmpty)
        {
            return false;
        }

        var hash = new HashCode();
        hash.AddBytes(blob);
        int key = hash.ToHashCode();
        if (_selfDescribed.TryGetValue(key, out (byte[] Blob, EventSchema Schema) known)
            && known.Blob.AsSpan().SequenceEqual(blob) && known.Schema.Provider == record.Provider)
        {
            schema = known.Schema;
            return true;
        }

        schema = TraceLoggingSchema.Read(blob, record.Provider, Encoding.UTF8.GetString(traits[TraceLoggingSchema.ProviderNameIn(traits)]));
        if (_selfDescribed.Count < MaxKept)
        {
            _selfDescribed[key] = (blob.ToArray(), schema);
        }

        return true;
    }

    readonly record struct Key(Guid Provider, int Id, byte Version, bool IsClassic, bool Is64Bit);
}
