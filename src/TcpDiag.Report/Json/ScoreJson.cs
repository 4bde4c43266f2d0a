using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Serialization;
using TcpDiag.Scores;
using TcpDiag.Scores.Cards;
using TcpDiag.Scores.Counterfactuals;

namespace TcpDiag.Report.Json;

/// <summary>Writes the JSON document of scores.</summary>
public static class ScoreJson
{
    /// <summary>Writes the document.</summary>
    /// <param name="output">Where to.</param>
    /// <param name="scores">The scores.</param>
    /// <param name="files">The traces, as they were named.</param>
    /// <param name="isComplete">Whether they were read to their ends.</param>
    /// <param name="expected">What a build is expected to do; null where none was named.</param>
    public static void Write(TextWriter output, TraceScores scores, IReadOnlyList<string> files, bool isComplete, BuildExpectation? expected) =>
        output.WriteLine(JsonSerializer.Serialize(ToDocument(scores, files, isComplete, expected), ScoreJsonContext.Default.ScoreDocument));

    static ScoreDocument ToDocument(TraceScores scores, IReadOnlyList<string> files, bool isComplete, BuildExpectation? expected) => new(
        "tcpdiag/score/1",
        files,
        isComplete,
        scores.Analysis.Simulation,
        expected is null ? null : new ExpectedBuildEntry(expected.Build, expected.Line, expected.Traits.Assumed),
        [.. scores.Cards.Select(card => Entry(card, scores, expected))]);

    static ScoredSenderEntry Entry(Scorecard card, TraceScores scores, BuildExpectation? expected) => new(
        card.Connection.Index,
        card.Sender.ToString(),
        card.Receiver.ToString(),
        card.NotScored,
        card.Facts is { } facts ? Entry(facts) : null,
        card.Fingerprint is { } fingerprint ? Entry(fingerprint) : null,
        card.Control is { } control ? new ControlEntry(control.Verdict, control.Reason, control.Stages, Entries(control.Candidates)) : null,
        expected is null || card.NotScored is not null ? [] : [.. expected.Compare(card).Select(Entry)],
        Figure(card, ScoreFamily.LossDetection),
        Figure(card, ScoreFamily.CongestionControl),
        card.Reference is { } reference ? Entry(reference) : null,
        [.. card.Components.Select(component => Entry(component, scores))]);

    static FamilyFigureEntry? Figure(Scorecard card, ScoreFamily family) => FamilyFigure.Of(card.Components, family) is { } figure
        ? new FamilyFigureEntry(figure.Value, figure.Low, figure.High, figure.Exercised, figure.Components)
        : null;

    static ReferenceEntry Entry(Counterfactual one) => new(
        one.BitsPerSecond, one.Low, one.High, one.Seconds, one.RateBitsPerSecond, one.Path.RttNanos, one.Path.Segments, one.Path.Displaced.Count,
        one.Path.Lost.Count);

    static SenderFactsEntry Entry(SenderFacts facts) => new(
        facts.Segments, facts.Retransmissions, facts.Dsacks, facts.HasSack, facts.HasTimestamps, facts.Smss, facts.MinRttNanos, facts.SrttNanos,
        facts.ReorderingSeen, facts.Overtaken, facts.OvertakenResent);

    static FingerprintEntry Entry(Fingerprint fingerprint) => new(
        fingerprint.Verdict,
        fingerprint is { Verdict: Fingerprint.RackFixed, IsFromEvents: false } ? [Fingerprint.RackNoDsack] : [],
        fingerprint.IsFromEvents ? "events" : "packets",
        fingerprint.Reason,
        fingerprint.Rounds,
        Entries(fingerprint.Candidates));

    static FingerprintCandidateEntry[] Entries(IReadOnlyList<FingerprintCandidate> candidates) =>
        [.. candidates.Select(one => new FingerprintCandidateEntry(one.Name, one.Posterior, one.Contradictions, one.FirstPacket > 0 ? one.FirstPacket : null))];

    static ExpectedTraitEntry Entry(ExpectedTrait trait) => new(trait.What, trait.Expected, trait.Observed, trait.VerdictText, trait.IsAssumed);

    static ScoreComponentEntry Entry(ScoreComponent component, TraceScores scores) => new(
        component.Id,
        component.Family switch
        {
            ScoreFamily.LossDetection => "loss-detection",
            ScoreFamily.CongestionControl => "congestion-control",
            _ => "slow-start-exit",
        },
        component.Name,
        component.Clause,
        component.DependsOnPath,
        component.Rate is { } rate ? new ScoreRateEntry(rate.Rate, rate.Hits, rate.Trials, rate.Low, rate.High) : null,
        component.NotExercised,
        component.Evidence.Length > 0 ? component.Evidence : null,
        [.. component.Worst.Select(place => new ScorePlaceEntry(place.Packet, place.Time - scores.Analysis.Start, place.Nanos))]);
}

/// <summary>The document of <c>tcpdiag score --json</c>, schema tcpdiag/score/1 (docs/schemas). Unknown values are null.</summary>
/// <param name="Schema">Name and number of the schema.</param>
/// <param name="Files">The traces.</param>
/// <param name="Complete">Whether they were read to their ends.</param>
/// <param name="Simulation">What a simulated trace says of itself; null for one of a network.</param>
/// <param name="Build">The build that was named; null where none was.</param>
/// <param name="Senders">The ends that sent data.</param>
public sealed record ScoreDocument(
    string Schema, IReadOnlyList<string> Files, bool Complete, string? Simulation, ExpectedBuildEntry? Build, IReadOnlyList<ScoredSenderEntry> Senders);

/// <summary>The build that was named.</summary>
/// <param name="Build">Its number.</param>
/// <param name="Line">The line of builds it belongs to.</param>
/// <param name="Assumed">What is only assumed of it.</param>
public sealed record ExpectedBuildEntry(int Build, string Line, IReadOnlyList<string> Assumed);

/// <summary>One sender.</summary>
/// <param name="Connection">Its connection, as analyze numbers it.</param>
/// <param name="Sender">Its address and port.</param>
/// <param name="Receiver">The other end's.</param>
/// <param name="NotScored">Why it was not scored; null when it was.</param>
/// <param name="Facts">What it is known by.</param>
/// <param name="Fingerprint">How it detects losses.</param>
/// <param name="Control">Which congestion control it has.</param>
/// <param name="Expectation">How it stands to the build that was named.</param>
/// <param name="LossDetection">The mean of its rates of loss detection; null where none was exercised.</param>
/// <param name="CongestionControl">The same of the congestion window.</param>
/// <param name="Reference">What a Linux with default settings would have reached; null where that cannot be told, and of all but the four that sent
/// most.</param>
/// <param name="Components">The rates.</param>
public sealed record ScoredSenderEntry(
    int Connection,
    string Sender,
    string Receiver,
    string? NotScored,
    SenderFactsEntry? Facts,
    FingerprintEntry? Fingerprint,
    ControlEntry? Control,
    IReadOnlyList<ExpectedTraitEntry> Expectation,
    FamilyFigureEntry? LossDetection,
    FamilyFigureEntry? CongestionControl,
    ReferenceEntry? Reference,
    IReadOnlyList<ScoreComponentEntry> Components);

/// <summary>The weighted mean of the rates of a family.</summary>
/// <param name="Value">0 … 100.</param>
/// <param name="Low">Lower end of its 95 % interval.</param>
/// <param name="High">Upper end.</param>
/// <param name="Exercised">Components that were exercised.</param>
/// <param name="Components">Components there are.</param>
public sealed record FamilyFigureEntry(double Value, double Low, double High, int Exercised, int Components);

/// <summary>What a Linux with default settings would have reached, simulated over the path that the trace shows.</summary>
/// <param name="GoodputBitsPerSecond">Goodput in the middle of the simulations, bit/s.</param>
/// <param name="LowBitsPerSecond">Lower end of what is to be expected.</param>
/// <param name="HighBitsPerSecond">Upper end.</param>
/// <param name="Seconds">How long the same data would have taken.</param>
/// <param name="PathRateBitsPerSecond">Of the slowest link, IP packets.</param>
/// <param name="RttNs">Round-trip time without a queue, ns.</param>
/// <param name="Packets">Packets whose fate was seen.</param>
/// <param name="Displaced">Of these, late or early.</param>
/// <param name="Lost">Of these, lost by the path itself.</param>
public sealed record ReferenceEntry(
    double GoodputBitsPerSecond, double LowBitsPerSecond, double HighBitsPerSecond, double Seconds, double PathRateBitsPerSecond, long RttNs, int Packets,
    int Displaced, int Lost);

/// <summary>What a sender is known by.</summary>
/// <param name="Segments">Data segments, offloaded ones cut.</param>
/// <param name="Retransmissions">Of these, sent before.</param>
/// <param name="Dsacks">DSACKs that came back.</param>
/// <param name="Sack">Whether SACK was agreed on.</param>
/// <param name="Timestamps">Whether timestamps were.</param>
/// <param name="Smss">Payload of a full segment, bytes.</param>
/// <param name="MinRttNs">min_RTT at the end, ns.</param>
/// <param name="SrttNs">SRTT at the end, ns.</param>
/// <param name="ReorderingSeen">RACK.reordering_seen of the reference.</param>
/// <param name="Overtaken">Packets that others overtook by no more than SRTT, one of each flight.</param>
/// <param name="OvertakenResent">Of these, sent again needlessly by loss detection.</param>
public sealed record SenderFactsEntry(
    long Segments, long Retransmissions, int Dsacks, bool Sack, bool Timestamps, int Smss, long MinRttNs, long SrttNs, bool ReorderingSeen, long Overtaken,
    long OvertakenResent);

/// <summary>How a sender detects losses.</summary>
/// <param name="Verdict">dupack, rack, rack-fixed, rack-adaptive, rack-no-dsack, no-sack or unknown.</param>
/// <param name="Same">What looks the same on the wire.</param>
/// <param name="Evidence">packets, or events: the sender's own decided.</param>
/// <param name="Reason">Why it is unknown or no more than rack; null when it is told.</param>
/// <param name="Rounds">Round trips that told any of the candidates apart.</param>
/// <param name="Candidates">The candidates, the most likely first.</param>
public sealed record FingerprintEntry(
    string Verdict, IReadOnlyList<string> Same, string Evidence, string? Reason, int Rounds, IReadOnlyList<FingerprintCandidateEntry> Candidates);

/// <summary>Which congestion control a sender has.</summary>
/// <param name="Verdict">cubic, reno, bbr or unknown.</param>
/// <param name="Reason">Why it is unknown; null when it is told.</param>
/// <param name="Stages">Reductions, and times between them, that told any of the candidates apart.</param>
/// <param name="Candidates">The candidates, the most likely first.</param>
public sealed record ControlEntry(string Verdict, string? Reason, int Stages, IReadOnlyList<FingerprintCandidateEntry> Candidates);

/// <summary>A way of detecting losses, or a congestion control.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Posterior">How likely it is among them.</param>
/// <param name="Contradictions">Round trips in which it would have done otherwise.</param>
/// <param name="FirstPacket">The first packet that shows it; null without.</param>
public sealed record FingerprintCandidateEntry(string Name, double Posterior, int Contradictions, long? FirstPacket);

/// <summary>A trait of the named build beside what the sender did.</summary>
/// <param name="What">The trait.</param>
/// <param name="Expected">What is expected.</param>
/// <param name="Observed">What was observed.</param>
/// <param name="Verdict">agrees, contradicts or cannot be told.</param>
/// <param name="Assumed">Whether the expectation is assumed, not documented.</param>
public sealed record ExpectedTraitEntry(string What, string Expected, string Observed, string Verdict, bool Assumed);

/// <summary>One component.</summary>
/// <param name="Id">Its name.</param>
/// <param name="Family">What it belongs to.</param>
/// <param name="Name">What is counted.</param>
/// <param name="Clause">The clause it rests on.</param>
/// <param name="DependsOnPath">Whether it is the path's as much as the sender's: to be compared over one path only.</param>
/// <param name="Rate">The rate; null when not exercised.</param>
/// <param name="NotExercised">Why, and what would exercise it; null when exercised.</param>
/// <param name="Evidence">What it was read from.</param>
/// <param name="Worst">The worst places.</param>
public sealed record ScoreComponentEntry(
    string Id,
    string Family,
    string Name,
    string Clause,
    bool DependsOnPath,
    ScoreRateEntry? Rate,
    string? NotExercised,
    string? Evidence,
    IReadOnlyList<ScorePlaceEntry> Worst);

/// <summary>A rate.</summary>
/// <param name="Value">0 … 1.</param>
/// <param name="Hits">How often.</param>
/// <param name="Trials">Of how often.</param>
/// <param name="Low">Lower end of the 95 % interval.</param>
/// <param name="High">Upper end.</param>
public sealed record ScoreRateEntry(double Value, long Hits, long Trials, double Low, double High);

/// <summary>A place.</summary>
/// <param name="Packet">Number of the packet, from 1.</param>
/// <param name="TimeNs">When, ns from the beginning of the trace.</param>
/// <param name="Ns">By how much, ns.</param>
public sealed record ScorePlaceEntry(long Packet, long TimeNs, long Ns);

/// <summary>Source-generated serialization.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(ScoreDocument))]
sealed partial class ScoreJsonContext : JsonSerializerContext;
