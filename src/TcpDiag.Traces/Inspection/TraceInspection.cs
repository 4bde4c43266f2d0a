using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Traces.Bundles;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Inspection;

/// <summary>What a trace file holds, counted but not analysed.</summary>
public sealed record TraceInspection
{
    /// <summary>The file as the user named it.</summary>
    public required string Path { get; init; }

    /// <summary>The format of the trace itself.</summary>
    public required TraceFormat Format { get; init; }

    /// <summary>The rest of the bundle that it lies in; null outside of one.</summary>
    public BundleContents? Bundle { get; init; }

    /// <summary>Whether it lies in a bundle.</summary>
    public bool IsBundled => Bundle is not null;

    /// <summary>Records of every kind, the header's own included.</summary>
    public required long Records { get; init; }

    /// <summary>Packets; one seen at several places counts at each.</summary>
    public required long Packets { get; init; }

    /// <summary>Start of the recording, or the first packet; null in an empty trace.</summary>
    public TraceTime? Start { get; init; }

    /// <summary>The last record; null in an empty trace.</summary>
    public TraceTime? End { get; init; }

    /// <summary>What the trace says about machine and recording.</summary>
    public required SystemFacts System { get; init; }

    /// <summary>Damage, in file order.</summary>
    public required IReadOnlyList<TraceProblem> Problems { get; init; }

    /// <summary>Providers by number of events, most first; empty for packet formats.</summary>
    public IReadOnlyList<ProviderSummary> Providers { get; init; } = [];

    /// <summary>Capture points.</summary>
    public required IReadOnlyList<InterfaceSummary> Interfaces { get; init; }

    /// <summary>Seconds from start to end, or null.</summary>
    public double? DurationSeconds => Start is { } start && End is { } end ? (end - start) / 1e9 : null;

    /// <summary>Whether everything the file should hold could be read.</summary>
    public bool IsComplete => Problems.Count == 0;

    /// <summary>Pieces of one session as one trace: interfaces and providers are the same in all.</summary>
    /// <param name="pieces">One or more, in their order.</param>
    /// <returns>All together.</returns>
    public static TraceInspection Join(IReadOnlyList<TraceInspection> pieces)
    {
        ArgumentNullException.ThrowIfNull(pieces);
        return pieces is [var only] ? only : pieces[0] with
        {
            Records = pieces.Sum(piece => piece.Records),
            Packets = pieces.Sum(piece => piece.Packets),
            End = pieces[^1].End,
            System = pieces.MaxBy(piece => piece.System.LostEvents)!.System,
            Problems = [.. pieces.SelectMany(piece => piece.Problems)],
            Providers =
            [
                .. pieces.SelectMany(piece => piece.Providers).GroupBy(provider => provider.Provider).Select(Join)
                    .OrderByDescending(provider => provider.Count)
                    .ThenBy(provider => provider.Provider),
            ],
            Interfaces =
            [
                .. pieces.SelectMany(piece => piece.Interfaces).GroupBy(place => (place.Name, place.Description))
                    .Select(places => places.First() with { Packets = places.Sum(place => place.Packets), Dropped = places.Sum(place => place.Dropped) }),
            ],
        };
    }

    static ProviderSummary Join(IGrouping<Guid, ProviderSummary> provider) => new(
        provider.Key,
        provider.Select(piece => piece.Name).FirstOrDefault(name => name is not null),
        provider.Sum(piece => piece.Count),
        [
            .. provider.SelectMany(piece => piece.Events).GroupBy(one => (one.Id, one.Version, one.Opcode))
                .Select(same => same.First() with { Count = same.Sum(one => one.Count) }),
        ]);
}

/// <summary>What one provider logged.</summary>
/// <param name="Provider">Provider, or class of classic and kernel events; empty when unknown.</param>
/// <param name="Name">Its name, or null.</param>
/// <param name="Count">Events in all.</param>
/// <param name="Events">The kinds, by id or opcode, then version.</param>
public sealed record ProviderSummary(Guid Provider, string? Name, long Count, IReadOnlyList<EventSummary> Events);

/// <summary>How often one kind of event occurs in a trace.</summary>
/// <param name="Id">Event id; null for classic and kernel events, which have none.</param>
/// <param name="Version">Version of the payload.</param>
/// <param name="Opcode">Opcode of a classic or kernel event; null for others, whose id is enough.</param>
/// <param name="Name">Name of the event, or null.</param>
/// <param name="Count">Events of this kind.</param>
public sealed record EventSummary(int? Id, int Version, int? Opcode, string? Name, long Count);

/// <summary>What was captured at one capture point.</summary>
/// <param name="Name">Name, or null.</param>
/// <param name="Description">Longer text, or null.</param>
/// <param name="LinkType">What its packets begin with.</param>
/// <param name="Packets">Packets seen there, reports of drops included.</param>
/// <param name="Dropped">Packets lost there as the trace says, or null where it does not.</param>
public sealed record InterfaceSummary(string? Name, string? Description, LinkType LinkType, long Packets, long? Dropped);
