using System;
using System.Collections.Generic;

namespace TcpDiag.Traces.Schemas;

/// <summary>
/// The events of Windows providers as each known build declares them, from a resource that tools/TcpDiag.SchemaGenerator
/// makes (docs/formats/schemas.md). Nothing is read before the first look-up.
/// </summary>
public sealed class SchemaCatalog
{
    static readonly Lazy<SchemaCatalog> Shared = new(() => new SchemaCatalog(SchemaResource.LoadEmbedded()));

    readonly Dictionary<Guid, ProviderCatalog> _providers;

    internal SchemaCatalog(SchemaResource resource)
    {
        Builds = resource.Builds;
        Providers = resource.ReadProviders();
        _providers = new Dictionary<Guid, ProviderCatalog>(Providers.Count);
        foreach (ProviderCatalog provider in Providers)
        {
            _providers.Add(provider.Id, provider);
        }
    }

    /// <summary>The catalogue in this program.</summary>
    public static SchemaCatalog Bundled => Shared.Value;

    /// <summary>The known builds, oldest first.</summary>
    public IReadOnlyList<WindowsBuildEntry> Builds { get; }

    /// <summary>The known providers, by name.</summary>
    public IReadOnlyList<ProviderCatalog> Providers { get; }

    /// <summary>Finds a provider.</summary>
    /// <param name="id">Its GUID.</param>
    /// <returns>The provider, or null.</returns>
    public ProviderCatalog? Provider(Guid id) => _providers.GetValueOrDefault(id);

    /// <summary>Finds a known build.</summary>
    /// <param name="number">E.g. 26100.</param>
    /// <returns>Its index in <see cref="Builds"/>, or -1.</returns>
    public int IndexOfBuild(int number)
    {
        for (int i = 0; i < Builds.Count; i++)
        {
            if (Builds[i].Number == number)
            {
                return i;
            }
        }

        return -1;
    }

    /// <summary>
    /// Finds the schema of an event: that of the build; else that of the nearest build that has this id and version; with no
    /// build the longest layout that fits the payload; else the latest version before. The result says which.
    /// </summary>
    /// <param name="build">The trace's build, or null when unknown.</param>
    /// <param name="provider">The provider.</param>
    /// <param name="id">Event id.</param>
    /// <param name="version">Version.</param>
    /// <param name="payloadLength">Bytes of the payload.</param>
    /// <param name="is64Bit">Whether pointers take 8 bytes.</param>
    /// <returns>The schema and how it was found.</returns>
    public SchemaMatch Find(int? build, Guid provider, int id, int version, int payloadLength, bool is64Bit = true)
    {
        ReadOnlySpan<EventVariant> variants = Provider(provider) is { } catalog ? catalog.WithId(id) : default;
        ReadOnlySpan<EventVariant> candidates = OfVersion(variants, version);
        if (candidates.IsEmpty)
        {
            candidates = OfLatestBefore(variants, version);
            return candidates.IsEmpty
                ? default
                : new SchemaMatch(Choose(candidates, build, payloadLength, is64Bit, out _).Schema, SchemaMatchKind.OlderVersion);
        }

        EventVariant chosen = Choose(candidates, build, payloadLength, is64Bit, out SchemaMatchKind kind);
        return new SchemaMatch(chosen.Schema, kind);
    }

    static ReadOnlySpan<EventVariant> OfVersion(ReadOnlySpan<EventVariant> variants, int version)
    {
        int first = 0;
        while (first < variants.Length && variants[first].Version < version)
        {
            first++;
        }

        int end = first;
        while (end < variants.Length && variants[end].Version == version)
        {
            end++;
        }

        return variants[first..end];
    }

    static ReadOnlySpan<EventVariant> OfLatestBefore(ReadOnlySpan<EventVariant> variants, int version)
    {
        int end = 0;
        while (end < variants.Length && variants[end].Version < version)
        {
            end++;
        }

        return end == 0 ? default : OfVersion(variants[..end], variants[end - 1].Version);
    }

    EventVariant Choose(ReadOnlySpan<EventVariant> candidates, int? build, int payloadLength, bool is64Bit, out SchemaMatchKind kind)
    {
        if (build is not { } number)
        {
            kind = candidates.Length == 1 ? SchemaMatchKind.SameOnAllBuilds : SchemaMatchKind.PayloadLength;
            return LongestThatFits(candidates, payloadLength, is64Bit);
        }

        int buildIndex = IndexOfBuild(number);
        foreach (EventVariant candidate in candidates)
        {
            if (candidate.IsIn(buildIndex))
            {
                kind = SchemaMatchKind.ExactBuild;
                return candidate;
            }
        }

        kind = candidates.Length == 1 ? SchemaMatchKind.SameOnAllBuilds : SchemaMatchKind.NearestBuild;
        return Nearest(candidates, number);
    }

    // The nearest build before; where none before has the event, the first after.
    EventVariant Nearest(ReadOnlySpan<EventVariant> candidates, int number)
    {
        EventVariant best = candidates[0];
        long bestDistance = long.MaxValue;
        for (int i = 0; i < Builds.Count; i++)
        {
            // Any build before beats any build after.
            long distance = Builds[i].Number <= number ? number - Builds[i].Number : (long)int.MaxValue + Builds[i].Number;
            foreach (EventVariant candidate in candidates)
            {
                if (distance < bestDistance && candidate.IsIn(i))
                {
                    best = candidate;
                    bestDistance = distance;
                }
            }
        }

        return best;
    }

    static EventVariant LongestThatFits(ReadOnlySpan<EventVariant> candidates, int payloadLength, bool is64Bit)
    {
        EventVariant best = candidates[0];
        int bestLength = -1;
        foreach (EventVariant candidate in candidates)
        {
            int length = candidate.Schema.MinimumLength(is64Bit);
            if (length <= payloadLength && length > bestLength)
            {
                best = candidate;
                bestLength = length;
            }
        }

        return best;
    }
}

/// <summary>A schema and how it was found.</summary>
/// <param name="Schema">The schema, or null when there is none.</param>
/// <param name="Kind">How it was found.</param>
public readonly record struct SchemaMatch(EventSchema? Schema, SchemaMatchKind Kind);

/// <summary>How sure it is that a schema is the one the event was logged with, from surest to least.</summary>
public enum SchemaMatchKind
{
    /// <summary>There is no schema.</summary>
    None = 0,

    /// <summary>The trace itself describes the event.</summary>
    InFile,

    /// <summary>The event's layout on exactly the trace's build.</summary>
    ExactBuild,

    /// <summary>All known builds have the same layout for this id and version.</summary>
    SameOnAllBuilds,

    /// <summary>The layout of the nearest known build, mostly the one before.</summary>
    NearestBuild,

    /// <summary>The build is unknown: of the layouts with this id and version the longest that fits the payload.</summary>
    PayloadLength,

    /// <summary>This version is unknown: the latest version before it. What is after its fields stays undecoded.</summary>
    OlderVersion,
}

/// <summary>A build of Windows whose events are known.</summary>
/// <param name="Number">E.g. 26100.</param>
/// <param name="Label">Its marketing name, e.g. <c>Windows 11 24H2</c>.</param>
public sealed record WindowsBuildEntry(int Number, string Label);
