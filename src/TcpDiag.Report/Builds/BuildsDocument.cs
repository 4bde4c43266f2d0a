using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Serialization;
using TcpDiag.Report.Fleets;
using TcpDiag.Scores.Cards;
using TcpDiag.Store.Fleets;

namespace TcpDiag.Report.Builds;

/// <summary>What <c>tcpdiag builds --json</c> prints (docs/schemas/builds.json).</summary>
/// <param name="Schema">Name and number of the schema.</param>
/// <param name="Store">The store.</param>
/// <param name="Week">Monday of the latest week with recordings; null where there is none.</param>
/// <param name="Since">Monday of the first week that was looked at.</param>
/// <param name="Builds">The builds.</param>
public sealed record BuildsDocument(string Schema, string Store, string? Week, string? Since, IReadOnlyList<BuildEntry> Builds)
{
    /// <summary>Makes the document.</summary>
    public static BuildsDocument Of(string store, BuildsReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        return new("tcpdiag/builds/1", store, report.Fleet.Week, report.Fleet.Since, [.. report.Rows.Select(BuildEntry.Of)]);
    }

    /// <summary>Writes it.</summary>
    public void Write(TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(output);
        output.WriteLine(JsonSerializer.Serialize(this, BuildsJsonContext.Default.BuildsDocument));
    }
}

/// <summary>A build.</summary>
/// <param name="Platform">windows, linux; null where it is not known.</param>
/// <param name="Build">Its name.</param>
/// <param name="Documented">What is documented of it; null where nothing is.</param>
/// <param name="Measured">What the store has measured; null where it has no recording.</param>
/// <param name="BesideOthers">Its questions beside the machines of all other builds.</param>
public sealed record BuildEntry(
    string? Platform, string Build, DocumentedEntry? Documented, MeasuredEntry? Measured, IReadOnlyList<FleetChangeEntry> BesideOthers)
{
    /// <summary>Makes the entry.</summary>
    public static BuildEntry Of(BuildRow row)
    {
        ArgumentNullException.ThrowIfNull(row);
        DocumentedEntry? documented = row.Documented is { } known
            ? new(known.System, [.. known.Traits.Select(trait => new TraitEntry(trait.Name, trait.Value, trait.IsAssumed))], known.Events, known.Shown)
            : null;
        return new(row.Platform, row.Build, documented, row.Measured is { } measured ? MeasuredEntry.Of(row, measured)
            : null, [.. row.Beside.Select(FleetChangeEntry.Of)]);
    }
}

/// <summary>What is documented of a build.</summary>
/// <param name="System">The system; null where its events are not known.</param>
/// <param name="Traits">Traits of its TCP.</param>
/// <param name="Events">Events of TCP/IP that it declares; null where they are not known.</param>
/// <param name="EventsShow">What they show.</param>
public sealed record DocumentedEntry(string? System, IReadOnlyList<TraitEntry> Traits, int? Events, IReadOnlyList<string> EventsShow);

/// <summary>A trait.</summary>
/// <param name="Name">What it is about.</param>
/// <param name="Value">What the build does.</param>
/// <param name="IsAssumed">Whether it is assumed, not documented.</param>
public sealed record TraitEntry(string Name, string Value, bool IsAssumed);

/// <summary>What was measured.</summary>
/// <param name="Recordings">Recordings.</param>
/// <param name="Machines">Machines.</param>
/// <param name="FirstWeek">Monday of the first week with recordings.</param>
/// <param name="LastWeek">Monday of the last one.</param>
/// <param name="Shares">Shares, as medians over machines.</param>
/// <param name="Scores">Components of scores.</param>
/// <param name="LossDetection">How senders detect losses.</param>
/// <param name="Agreement">How many of them do as is documented; null where none shows it.</param>
public sealed record MeasuredEntry(
    long Recordings, int Machines, string FirstWeek, string LastWeek, IReadOnlyList<MachineShareEntry> Shares, IReadOnlyList<RateEntry> Scores,
    IReadOnlyList<SendersEntry> LossDetection, RateEntry? Agreement)
{
    /// <summary>Makes the entry.</summary>
    public static MeasuredEntry Of(BuildRow row, MeasuredBuild measured)
    {
        ArgumentNullException.ThrowIfNull(row);
        ArgumentNullException.ThrowIfNull(measured);
        return new(
            measured.Recordings,
            measured.Machines,
            measured.FirstWeek,
            measured.LastWeek,
            [.. BuildShares.All.Zip(measured.Shares, (share, one) => new MachineShareEntry(share.Id, one.Machines, one.Median, one.Low, one.High))],
            [.. measured.Scores.Select(score => Rate(score.Component, score.Rate))],
            [.. measured.Fingerprints.Select(one => new SendersEntry(one.Fingerprint, one.Senders))],
            row.Agreement is { } agreement ? Rate("loss detection", agreement) : null);
    }

    static RateEntry Rate(string name, Proportion rate) => new(name, rate.Hits, rate.Trials, rate.Low, rate.High);
}

/// <summary>A share over machines.</summary>
/// <param name="Name">timeLost, loss, reordering, needless, timeouts, congestionWindow, receiveWindow, recovery.</param>
/// <param name="Machines">Machines of which it is known.</param>
/// <param name="Median">The median, 0 … 1; null without any.</param>
/// <param name="Low">Lower end of its 95 % interval; null with fewer than six machines.</param>
/// <param name="High">Upper end.</param>
public sealed record MachineShareEntry(string Name, int Machines, double? Median, double? Low, double? High);

/// <summary>A rate.</summary>
/// <param name="Name">Of what.</param>
/// <param name="Hits">How many.</param>
/// <param name="Trials">Of how many.</param>
/// <param name="Low">Lower end of its 95 % interval.</param>
/// <param name="High">Upper end.</param>
public sealed record RateEntry(string Name, long Hits, long Trials, double Low, double High);

/// <summary>Senders that detect losses in one way.</summary>
/// <param name="Fingerprint">The way.</param>
/// <param name="Senders">How many.</param>
public sealed record SendersEntry(string Fingerprint, long Senders);

/// <summary>Serialises <see cref="BuildsDocument"/> without reflection.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(BuildsDocument))]
sealed partial class BuildsJsonContext : JsonSerializerContext;
