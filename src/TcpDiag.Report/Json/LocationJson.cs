using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Serialization;
using TcpDiag.Locate.Packets;
using TcpDiag.Locate.Results;

namespace TcpDiag.Report.Json;

/// <summary>Writes the JSON document of a location.</summary>
public static class LocationJson
{
    /// <summary>Writes the document.</summary>
    /// <param name="output">Where to.</param>
    /// <param name="location">The location.</param>
    /// <param name="isComplete">Whether the captures were read to their ends.</param>
    public static void Write(TextWriter output, Location location, bool isComplete) =>
        output.WriteLine(JsonSerializer.Serialize(ToDocument(location, isComplete), LocationJsonContext.Default.LocationDocument));

    /// <summary>Writes the document as a part of another.</summary>
    internal static void Write(Utf8JsonWriter json, Location location, bool isComplete) =>
        JsonSerializer.Serialize(json, ToDocument(location, isComplete), LocationJsonContext.Default.LocationDocument);

    static LocationDocument ToDocument(Location location, bool isComplete) => new(
        "tcpdiag/locate/1",
        isComplete,
        location.SharedConnections,
        [.. location.Points.Select((point, i) => new LocationPointEntry(
            i, point.Name, point.Packets, point.StartNanos, point.EndNanos, point.Connections, point.Alone, point.RecorderLost, point.Missed))],
        [.. location.Paths.Select(Entry)]);

    static LocatedPathEntry Entry(LocatedPath path) => new(
        path.Points,
        path.IsOrderKnown,
        path.Connections,
        path.Example.Client,
        path.Example.Server,
        path.RecognisedBy.OrderBy(pair => pair.Key).ToDictionary(pair => Camel(pair.Key), pair => pair.Value, System.StringComparer.Ordinal),
        [.. path.Clocks.Select((clock, i) => new LocatedClockEntry(
            path.Points[i],
            path.Points[i + 1],
            clock.IsShared,
            clock.IsKnown ? (long)clock.OffsetNanos : null,
            clock.IsKnown ? clock.SkewPpm : null,
            Greatest(clock) is { } step ? (long)step.Nanos : null,
            Greatest(clock)?.AtNanos,
            [.. clock.Steps.Select(step => new LocatedClockStepEntry((long)step.Nanos, step.AtNanos, step.IsOfNext))],
            clock.IsKnown ? (long)clock.BoundNanos : null,
            clock.Hops == 0 ? null : clock.Hops))],
        [.. path.Changes.Select(change => new LocatedChangeEntry(
            change.From, change.To, Camel(change.Kind), change.Connections, NullIfEmpty(change.Near), NullIfEmpty(change.Far)))],
        [Entry("client", path.FromClient), Entry("server", path.FromServer)],
        [.. path.Advice.Select(advice => new LocatedAdviceEntry(Camel(advice.Kind), advice.From, advice.To))]);

    static LocatedClockStep? Greatest(LocatedClock clock) => clock.Steps.MaxBy(step => System.Math.Abs(step.Nanos));

    static LocatedDirectionEntry Entry(string from, LocatedDirection direction) => new(
        from,
        direction.ActiveNanos,
        [.. direction.Steps.Select(step => new LocatedStepEntry(step.From, step.To, Entry(step, step.Data), Entry(step, step.Acks)))],
        [.. direction.Between.Select(between => new LostBetweenEntry(between.From, between.To, between.Packets))],
        [.. direction.Untold.Select(untold => new UntoldEntry(untold.Behind, Camel(untold.Why), untold.Packets))]);

    static LocatedPacketsEntry Entry(LocatedStep step, LocatedPackets packets) => new(
        packets.Arrived,
        packets.Lost,
        packets.Copied,
        packets.Late,
        packets.Ahead,
        packets.Behind,
        packets.ReorderEvents,
        packets.LateOffset.Count == 0 ? null : packets.LateOffset.Quantile(0.5),
        packets.LateOffset.Count == 0 ? null : packets.LateOffset.Max,
        packets.Resegmented,
        packets.Marked,
        packets.Delays.Count == 0 ? null : Entry(packets.Delays, step.IsTimed ? 0 : packets.Delays.Min, step.IsTimed),
        [.. packets.LostExamples.Select(lost => new LostPacketEntry(lost.Connection, lost.Time, lost.Seq, lost.Length))]);

    static LocatedDelayEntry Entry(DelayHistogram delays, long least, bool isTimed) => new(
        isTimed,
        delays.Min - least,
        delays.Quantile(0.05) - least,
        delays.Quantile(0.5) - least,
        delays.Quantile(0.95) - least,
        delays.Quantile(0.99) - least,
        delays.Max - least);

    static string? NullIfEmpty(string text) => text.Length == 0 ? null : text;

    static string Camel<T>(T value)
        where T : struct, System.Enum => JsonNamingPolicy.CamelCase.ConvertName(value.ToString());
}

/// <summary>The document of <c>tcpdiag locate --json</c>, schema tcpdiag/locate/1 (docs/schemas). Unknown values are null.</summary>
/// <param name="Schema">Name and number of the schema.</param>
/// <param name="Complete">Whether the captures were read to their ends.</param>
/// <param name="SharedConnections">Connections that several points saw.</param>
/// <param name="Points">The points.</param>
/// <param name="Paths">The ways over them.</param>
public sealed record LocationDocument(
    string Schema, bool Complete, int SharedConnections, IReadOnlyList<LocationPointEntry> Points, IReadOnlyList<LocatedPathEntry> Paths);

/// <summary>A point; see <see cref="LocationPoint"/>.</summary>
public sealed record LocationPointEntry(
    int Index, string Name, long Packets, long StartNs, long EndNs, int Connections, int Alone, long RecorderLost, long Missed);

/// <summary>A path; see <see cref="LocatedPath"/>.</summary>
public sealed record LocatedPathEntry(
    IReadOnlyList<int> Points,
    bool OrderKnown,
    int Connections,
    string ExampleClient,
    string ExampleServer,
    IReadOnlyDictionary<string, int> RecognisedBy,
    IReadOnlyList<LocatedClockEntry> Clocks,
    IReadOnlyList<LocatedChangeEntry> Changes,
    IReadOnlyList<LocatedDirectionEntry> Directions,
    IReadOnlyList<LocatedAdviceEntry> Advice);

/// <summary>Two clocks; see <see cref="LocatedClock"/>. StepNs and StepAtNs are those of the greatest step.</summary>
public sealed record LocatedClockEntry(
    int From, int To, bool Shared, long? OffsetNs, double? SkewPpm, long? StepNs, long? StepAtNs, IReadOnlyList<LocatedClockStepEntry> Steps,
    long? BoundNs, int? Hops);

/// <summary>Where a clock was set; see <see cref="LocatedClockStep"/>.</summary>
public sealed record LocatedClockStepEntry(long Ns, long AtNs, bool OfNext);

/// <summary>A change; see <see cref="LocatedChange"/>.</summary>
public sealed record LocatedChangeEntry(int From, int To, string Kind, int Connections, string? Near, string? Far);

/// <summary>A direction; see <see cref="LocatedDirection"/>.</summary>
public sealed record LocatedDirectionEntry(
    string From, long ActiveNs, IReadOnlyList<LocatedStepEntry> Steps, IReadOnlyList<LostBetweenEntry> LostBetween, IReadOnlyList<UntoldEntry> Untold);

/// <summary>A step; see <see cref="LocatedStep"/>.</summary>
public sealed record LocatedStepEntry(int From, int To, LocatedPacketsEntry Data, LocatedPacketsEntry Acks);

/// <summary>Counts; see <see cref="LocatedPackets"/>.</summary>
public sealed record LocatedPacketsEntry(
    long Arrived,
    long Lost,
    long Copied,
    long Late,
    long MovedAhead,
    long MovedBehind,
    long ReorderEvents,
    long? LateTimeMedianNs,
    long? LateTimeMaxNs,
    long Resegmented,
    long Marked,
    LocatedDelayEntry? Delay,
    IReadOnlyList<LostPacketEntry> LostExamples);

/// <summary>Delays, ns; above the least where only that is known.</summary>
public sealed record LocatedDelayEntry(bool Absolute, long MinNs, long P5Ns, long MedianNs, long P95Ns, long P99Ns, long MaxNs);

/// <summary>A lost packet; see <see cref="LostPacket"/>.</summary>
public sealed record LostPacketEntry(int Connection, long TimeNs, uint Seq, int Length);

/// <summary>Packets lost between two points; see <see cref="Locate.Results.LostBetween"/>.</summary>
public sealed record LostBetweenEntry(int From, int To, long Packets);

/// <summary>Packets of which cannot be told what became of them; see <see cref="UntoldBehind"/>.</summary>
public sealed record UntoldEntry(int Behind, string Why, long Packets);

/// <summary>What would tell more; see <see cref="LocatedAdvice"/>.</summary>
public sealed record LocatedAdviceEntry(string Kind, int From, int To);

/// <summary>Source-generated serialization.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(LocationDocument))]
sealed partial class LocationJsonContext : JsonSerializerContext;
