using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json.Serialization;
using TcpDiag.Traces.Schemas;

namespace TcpDiag.Report.Json;

/// <summary>What <c>tcpdiag events --json</c> prints.</summary>
public sealed record EventsDocument(string Schema, int Build, IReadOnlyList<EventEntry> Events);

/// <summary>One event of a provider in a build.</summary>
public sealed record EventEntry(
    string Provider,
    int Id,
    int Version,
    string? Name,
    string? Opcode,
    int Level,
    IReadOnlyList<string> Keywords,
    IReadOnlyList<int> Builds,
    IReadOnlyList<EventFieldEntry> Fields);

/// <summary>One field of an event.</summary>
public sealed record EventFieldEntry(string Name, string InType, string? OutType, string? Length, IReadOnlyDictionary<string, uint>? Values);

/// <summary>What <c>tcpdiag events diff --json</c> prints.</summary>
public sealed record EventsDiffDocument(
    string Schema, int From, int To, IReadOnlyList<EventEntry> Appeared, IReadOnlyList<EventEntry> Vanished, IReadOnlyList<EventChangeEntry> Changed);

/// <summary>An event that is in both builds with another layout, name or level.</summary>
public sealed record EventChangeEntry(
    string Provider, int Id, int Version, string? Name, IReadOnlyList<string> AddedFields, IReadOnlyList<string> RemovedFields, int OldLevel, int NewLevel);

/// <summary>Serialises the documents of <c>events</c>.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(EventsDocument))]
[JsonSerializable(typeof(EventsDiffDocument))]
public sealed partial class EventsJsonContext : JsonSerializerContext;

/// <summary>Looks up the events that Windows builds declare.</summary>
public sealed class EventCatalogQuery(SchemaCatalog catalog)
{
    /// <summary>Events of a build.</summary>
    /// <param name="buildNumber">A known build.</param>
    /// <param name="provider">Part of the provider's name, or null for all.</param>
    /// <param name="ids">Event ids, or empty for all.</param>
    /// <param name="text">A text in the name, a field or a keyword, in any casing; null for all.</param>
    /// <returns>The events, by provider, id and version.</returns>
    public EventsDocument List(int buildNumber, string? provider, IReadOnlyCollection<int> ids, string? text)
    {
        int build = catalog.IndexOfBuild(buildNumber);
        return new EventsDocument("tcpdiag/events/1", buildNumber,
        [
            .. VariantsOf(build, provider)
                .Where(variant => ids.Count == 0 || ids.Contains(variant.Id))
                .Where(variant => text is null || Mentions(variant, text))
                .Select(Entry),
        ]);
    }

    /// <summary>What changed between two builds.</summary>
    /// <param name="from">A known build.</param>
    /// <param name="to">Another.</param>
    /// <param name="provider">Part of the provider's name, or null for all.</param>
    /// <returns>Events that appeared, vanished or changed.</returns>
    public EventsDiffDocument Diff(int from, int to, string? provider)
    {
        Dictionary<(Guid, int, int), EventVariant> old = ByIdentity(from, provider);
        Dictionary<(Guid, int, int), EventVariant> recent = ByIdentity(to, provider);
        return new EventsDiffDocument("tcpdiag/events-diff/1", from, to,
            [.. recent.Where(pair => !old.ContainsKey(pair.Key)).Select(pair => Entry(pair.Value))],
            [.. old.Where(pair => !recent.ContainsKey(pair.Key)).Select(pair => Entry(pair.Value))],
            [.. recent.Where(pair => old.TryGetValue(pair.Key, out EventVariant? before) && before != pair.Value)
                .Select(pair => Change(old[pair.Key], pair.Value))
                .Where(change => change.AddedFields.Count + change.RemovedFields.Count > 0 || change.OldLevel != change.NewLevel)]);
    }

    static bool Mentions(EventVariant variant, string text)
    {
        bool isFound = variant.Name.Contains(text, StringComparison.OrdinalIgnoreCase)
            || variant.Schema.Keywords.Any(keyword => keyword.Contains(text, StringComparison.OrdinalIgnoreCase));
        foreach (FieldSchema field in variant.Schema.Fields)
        {
            isFound |= field.Name.Contains(text, StringComparison.OrdinalIgnoreCase);
        }

        return isFound;
    }

    static EventChangeEntry Change(EventVariant before, EventVariant after)
    {
        string[] old = FieldTexts(before.Schema);
        string[] recent = FieldTexts(after.Schema);
        return new EventChangeEntry(
            after.Provider.Name,
            after.Id,
            after.Version,
            NullIfEmpty(after.Name),
            [.. recent.Except(old, StringComparer.Ordinal)],
            [.. old.Except(recent, StringComparer.Ordinal)],
            before.Schema.Level,
            after.Schema.Level);
    }

    static string[] FieldTexts(EventSchema schema) => [.. schema.Fields.ToArray().Select(field => $"{field.InType} {field.Name}")];

    static string? NullIfEmpty(string text) => text.Length == 0 ? null : text;

    static EventFieldEntry FieldEntry(EventSchema schema, FieldSchema field) => new(
        field.Name,
        field.InType.ToString(),
        field.OutType == OutType.Default ? null : field.OutType.ToString(),
        LengthText(schema, field),
        field.Map is { } map ? ValuesOf(map) : null);

    static string? LengthText(EventSchema schema, FieldSchema field)
    {
        FieldLength length = field.IsArray ? field.Count : field.Length;
        return length.Source switch
        {
            FieldLengthSource.Constant => FormattableString.Invariant($"{length.Value}"),
            FieldLengthSource.Field => schema.Fields[length.Value].Name,
            _ => null,
        };
    }

    static Dictionary<string, uint> ValuesOf(ValueMap map)
    {
        var values = new Dictionary<string, uint>(StringComparer.Ordinal);
        for (int i = 0; i < map.Values.Count; i++)
        {
            values.TryAdd(map.Texts[i], map.Values[i]);
        }

        return values;
    }

    Dictionary<(Guid, int, int), EventVariant> ByIdentity(int buildNumber, string? provider) =>
        VariantsOf(catalog.IndexOfBuild(buildNumber), provider).ToDictionary(variant => (variant.Provider.Id, variant.Id, variant.Version));

    IEnumerable<EventVariant> VariantsOf(int build, string? provider) => catalog.Providers
        .Where(candidate => provider is null || candidate.Name.Contains(provider, StringComparison.OrdinalIgnoreCase))
        .SelectMany(candidate => candidate.Variants)
        .Where(variant => variant.IsIn(build));

    EventEntry Entry(EventVariant variant)
    {
        EventSchema schema = variant.Schema;
        return new EventEntry(
            variant.Provider.Name,
            variant.Id,
            variant.Version,
            NullIfEmpty(variant.Name),
            NullIfEmpty(schema.Opcode),
            schema.Level,
            schema.Keywords,
            [.. catalog.Builds.Where((_, index) => variant.IsIn(index)).Select(build => build.Number)],
            [.. schema.Fields.ToArray().Select(field => FieldEntry(schema, field))]);
    }
}
