using System;
using System.Collections.Generic;

namespace TcpDiag.Traces.Schemas;

/// <summary>The events of one provider on all known builds, read when first asked for.</summary>
public sealed class ProviderCatalog
{
    readonly SchemaResource _resource;
    readonly int _offset;
    EventVariant[]? _variants;
    IReadOnlyList<KeyValuePair<string, ulong>>? _keywords;

    internal ProviderCatalog(SchemaResource resource, Guid id, string name, int offset)
    {
        _resource = resource;
        Id = id;
        Name = name;
        _offset = offset;
    }

    /// <summary>The provider's GUID.</summary>
    public Guid Id { get; }

    /// <summary>The provider's name.</summary>
    public string Name { get; }

    /// <summary>All layouts, ordered by id, then version, then first build.</summary>
    public IReadOnlyList<EventVariant> Variants => Load();

    /// <summary>Keywords with their bits, as far as the bits are known.</summary>
    public IReadOnlyList<KeyValuePair<string, ulong>> Keywords
    {
        get
        {
            Load();
            return _keywords!;
        }
    }

    /// <summary>The layouts with one id.</summary>
    /// <param name="id">Event id.</param>
    /// <returns>A view, ordered by version, then first build; empty when there is none.</returns>
    public ReadOnlySpan<EventVariant> WithId(int id)
    {
        EventVariant[] all = Load();
        int first = FirstAtOrBehind(all, id);
        int end = first;
        while (end < all.Length && all[end].Id == id)
        {
            end++;
        }

        return all.AsSpan(first, end - first);
    }

    static int FirstAtOrBehind(EventVariant[] all, int id)
    {
        int low = 0;
        int high = all.Length;
        while (low < high)
        {
            int middle = (low + high) >>> 1;
            if (all[middle].Id < id)
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }

        return low;
    }

    EventVariant[] Load()
    {
        if (_variants is { } loaded)
        {
            return loaded;
        }

        VariantRecord[] records = _resource.ReadProvider(_offset, out _keywords);
        return _variants = Array.ConvertAll(records, record => new EventVariant(this, _resource, record));
    }
}

/// <summary>One layout of one event, and the builds that have it.</summary>
public sealed class EventVariant
{
    readonly SchemaResource _resource;
    readonly VariantRecord _record;
    EventSchema? _schema;

    internal EventVariant(ProviderCatalog provider, SchemaResource resource, VariantRecord record)
    {
        Provider = provider;
        _resource = resource;
        _record = record;
    }

    /// <summary>The provider.</summary>
    public ProviderCatalog Provider { get; }

    /// <summary>Event id.</summary>
    public int Id => _record.Id;

    /// <summary>Version.</summary>
    public int Version => _record.Version;

    /// <summary>The schema, read at the first call.</summary>
    public EventSchema Schema => _schema ??= _resource.ReadSchema(Provider, _record);

    /// <summary>The event's name.</summary>
    public string Name => _resource.StringAt(_record.Name);

    /// <summary>The builds that have it: bit i stands for <see cref="SchemaCatalog.Builds"/>[i].</summary>
    public uint BuildMask => _record.BuildMask;

    /// <summary>Whether a build has it.</summary>
    /// <param name="buildIndex">Index into <see cref="SchemaCatalog.Builds"/>.</param>
    /// <returns>True when it has.</returns>
    public bool IsIn(int buildIndex) => buildIndex >= 0 && (BuildMask & (1u << buildIndex)) != 0;
}

/// <summary>An event variant as stored in the resource; strings and layouts by their index.</summary>
readonly record struct VariantRecord(
    int Id, int Version, int Name, int Opcode, int Task, byte Level, int KeywordSet, int Layout, uint BuildMask);
