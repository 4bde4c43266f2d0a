using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Serialization;
using TcpDiag.Report.Builds;
using TcpDiag.Store.Fleets;

namespace TcpDiag.Report.Fleets;

/// <summary>Two builds beside each other, as <c>tcpdiag serve</c> answers them (docs/schemas/build-pair.json).</summary>
/// <param name="Schema">Name and number of the schema.</param>
/// <param name="Store">The store.</param>
/// <param name="A">The first build.</param>
/// <param name="B">The build beside it.</param>
/// <param name="Week">Monday of the latest week with recordings; null where there is none.</param>
/// <param name="Since">Monday of the first week that was looked at.</param>
/// <param name="Changes">Ratios of B to A, differences first.</param>
/// <param name="Traits">Documented traits in which they differ.</param>
/// <param name="Events">How the events that they declare differ; null where they are not known of both.</param>
public sealed record PairDocument(
    string Schema, string Store, string A, string B, string? Week, string? Since, IReadOnlyList<FleetChangeEntry> Changes, IReadOnlyList<PairTraitEntry> Traits,
    PairEventsEntry? Events)
{
    /// <summary>Makes the document.</summary>
    public static PairDocument Of(string store, BuildPair pair)
    {
        ArgumentNullException.ThrowIfNull(pair);
        BuildStep? step = BuildStep.NumberOf(pair.A) is { } a && BuildStep.NumberOf(pair.B) is { } b ? BuildStep.Between(a, b) : null;
        return new(
            "tcpdiag/build-pair/1",
            store,
            pair.A,
            pair.B,
            pair.Week,
            pair.Since,
            [.. pair.Changes.Select(FleetChangeEntry.Of)],
            [.. (step?.Traits ?? []).Select(change => new PairTraitEntry(change.Name, change.From.Value, change.To.Value))],
            step?.Events is { } events ? new(events.Appeared.Count, events.Vanished.Count, events.Changed.Count) : null);
    }

    /// <summary>Writes it.</summary>
    public void Write(TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(output);
        output.WriteLine(JsonSerializer.Serialize(this, PairJsonContext.Default.PairDocument));
    }
}

/// <summary>A trait in which two builds differ.</summary>
/// <param name="Name">What it is about.</param>
/// <param name="A">What A does.</param>
/// <param name="B">What B does.</param>
public sealed record PairTraitEntry(string Name, string A, string B);

/// <summary>How the events of two builds differ.</summary>
/// <param name="Appeared">Events that B alone declares.</param>
/// <param name="Vanished">Events that A alone declares.</param>
/// <param name="Changed">Events that both declare, with other fields.</param>
public sealed record PairEventsEntry(int Appeared, int Vanished, int Changed);

/// <summary>Serialises <see cref="PairDocument"/> without reflection.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(PairDocument))]
sealed partial class PairJsonContext : JsonSerializerContext;
