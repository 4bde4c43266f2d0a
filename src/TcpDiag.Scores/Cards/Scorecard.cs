using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Scores.Counterfactuals;
using TcpDiag.Wire;

namespace TcpDiag.Scores.Cards;

/// <summary>How one sender of a trace behaved: a list of rates, in the families they belong to.</summary>
public sealed record Scorecard
{
    /// <summary>Its connection.</summary>
    public required Connection Connection { get; init; }

    /// <summary>Whether the client is the sender.</summary>
    public required bool IsFromClient { get; init; }

    /// <summary>Why it was not scored; null when it was.</summary>
    public string? NotScored { get; init; }

    /// <summary>The components, those that the path gave no chance to among them; empty when it was not scored.</summary>
    public IReadOnlyList<ScoreComponent> Components { get; init; } = [];

    /// <summary>How it detects losses; null when it was not scored.</summary>
    public Fingerprint? Fingerprint { get; init; }

    /// <summary>Which congestion control it has; null when it was not scored.</summary>
    public ControlFingerprint? Control { get; init; }

    /// <summary>What the sender is known by; null when nothing was replayed.</summary>
    public SenderFacts? Facts { get; init; }

    /// <summary>What the path did; null when it was not scored, and without SACK.</summary>
    public PathEstimate? Path { get; init; }

    /// <summary>
    /// What a reference sender would have reached on this path; null where that cannot be told, and of all but the largest senders of a trace.
    /// </summary>
    public Counterfactual? Reference { get; init; }

    /// <summary>The sender.</summary>
    public Endpoint Sender => IsFromClient ? Connection.Client : Connection.Server;

    /// <summary>The other end.</summary>
    public Endpoint Receiver => IsFromClient ? Connection.Server : Connection.Client;
}

/// <summary>What a sender is known by.</summary>
/// <param name="Segments">Data segments it sent, offloaded ones cut.</param>
/// <param name="Retransmissions">Of these, sent before.</param>
/// <param name="Dsacks">DSACKs that came back (RFC 2883 §4).</param>
/// <param name="HasSack">Whether SACK was agreed on.</param>
/// <param name="HasTimestamps">Whether timestamps were.</param>
/// <param name="Smss">Payload of a full segment, bytes.</param>
/// <param name="MinRttNanos">min_RTT at the end, ns; 0 when it was never measured.</param>
/// <param name="SrttNanos">SRTT at the end, ns.</param>
/// <param name="ReorderingSeen">RACK.reordering_seen.</param>
/// <param name="Overtaken">Packets that others overtook by no more than SRTT, one of each flight.</param>
/// <param name="OvertakenResent">Of these, sent again by loss detection, needlessly.</param>
public sealed record SenderFacts(
    long Segments, long Retransmissions, int Dsacks, bool HasSack, bool HasTimestamps, int Smss, long MinRttNanos, long SrttNanos, bool ReorderingSeen,
    long Overtaken, long OvertakenResent);

/// <summary>What a component belongs to.</summary>
public enum ScoreFamily
{
    /// <summary>How losses are told from reordering, and repaired (RFC 8985).</summary>
    LossDetection,

    /// <summary>How the congestion window follows losses and acknowledgments.</summary>
    CongestionControl,

    /// <summary>How and when slow start is left; kept apart from both.</summary>
    SlowStartExit,
}

/// <summary>One rate: how often a sender did what it should where it could have done otherwise.</summary>
public sealed record ScoreComponent
{
    /// <summary>Its name in JSON, e.g. <c>late-within-window</c>.</summary>
    public required string Id { get; init; }

    /// <summary>
    /// Whether it is the path's as much as the sender's, by what it counts: what there was to reduce for, and what there was to use. Of one sender it differs
    /// from path to path, so that it is to be compared over one path only.
    /// </summary>
    public bool DependsOnPath => IsOfPath(Id);

    /// <summary>The same by its name.</summary>
    public static bool IsOfPath(string id) => id is "reduction-cause" or "utilisation" or "slow-start-not-early" or "slow-start-not-late";

    /// <summary>What it belongs to.</summary>
    public required ScoreFamily Family { get; init; }

    /// <summary>What is counted, in words; at most 38 characters.</summary>
    public required string Name { get; init; }

    /// <summary>The clause it rests on, e.g. <c>RFC 8985 §6.2</c>.</summary>
    public required string Clause { get; init; }

    /// <summary>The rate; null when the path gave no chance.</summary>
    public Proportion? Rate { get; init; }

    /// <summary>Why there is no rate, and what would exercise it; null when there is one.</summary>
    public string? NotExercised { get; init; }

    /// <summary>What the rate was read from, in one sentence; empty without a rate.</summary>
    public string Evidence { get; init; } = string.Empty;

    /// <summary>The worst places, the worst first; at most three.</summary>
    public IReadOnlyList<ScorePlace> Worst { get; init; } = [];
}

/// <summary>A place in the trace where a sender did what it should not.</summary>
/// <param name="Packet">Number of the packet, from 1.</param>
/// <param name="Time">When.</param>
/// <param name="Nanos">By how much, ns; the larger the worse.</param>
public readonly record struct ScorePlace(long Packet, TraceTime Time, long Nanos)
{
    const int MaxWorst = 3;

    /// <summary>Gives the three places that cost most, these first.</summary>
    internal static ScorePlace[] Worst(IReadOnlyCollection<ScorePlace> places) =>
        places.Count == 0 ? [] : [.. places.OrderByDescending(place => place.Nanos).Take(MaxWorst)];
}
