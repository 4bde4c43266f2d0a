using System;
using System.Collections.Generic;
using TcpDiag.Traces.Etl;

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
    /// <param name="provider">The provider.</param>
    /// <returns>The name; empty where none is told.</returns>
    internal string ProviderName(Guid provider) => _providers.GetValueOrDefault(provider, string.Empty);

    readonly record struct Key(Guid Provider, int Id, int Version, bool IsClassic);
}
