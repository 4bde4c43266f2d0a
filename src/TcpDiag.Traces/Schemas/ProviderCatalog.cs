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
