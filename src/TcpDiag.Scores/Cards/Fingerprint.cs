using System;
using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Scores.Cards;

/// <summary>How a sender detects losses, by what it did.</summary>
public sealed record Fingerprint
{
    /// <summary>By DupThresh segments SACKed above (RFC 6675).</summary>
    public const string DuplicateAcks = "dupack";

    /// <summary>By time, with a reordering window that stays at min_RTT/4.</summary>
    public const string RackFixed = "rack-fixed";

    /// <summary>By time, with a window that would grow but takes no notice of DSACKs: on the wire the same as <see cref="RackFixed"/>.</summary>
    public const string RackNoDsack = "rack-no-dsack";

    /// <summary>By time, with a window that grows with DSACKs (RFC 8985).</summary>
    public const string RackAdaptive = "rack-adaptive";

    /// <summary>By duplicate acknowledgments without SACK (RFC 6582).</summary>
    public const string NoSack = "no-sack";

    /// <summary>It cannot be told.</summary>
    public const string Unknown = "unknown";

    // A verdict needs so much: the others contradicted in so many round trips, itself in at most this share of them, and this posterior.
    const int MinRounds = 2;
    const double MaxContradicted = 0.1;
    const double MinPosterior = 0.99;

    /// <summary>The answer: one of the constants.</summary>
    public required string Verdict { get; init; }

    /// <summary>Why it is unknown; null when it is not.</summary>
    public string? Reason { get; init; }

    /// <summary>The ways that were weighed, the most likely first; empty without SACK.</summary>
    public IReadOnlyList<FingerprintCandidate> Candidates { get; init; } = [];

    /// <summary>Round trips that told any of them apart.</summary>
    public int Rounds { get; init; }

    /// <summary>The answer for a connection without SACK.</summary>
    public static Fingerprint WithoutSack { get; } = new() { Verdict = NoSack };

    /// <summary>Judges.</summary>
    /// <param name="candidates">The ways.</param>
    /// <param name="rounds">Round trips that told any of them apart.</param>
    /// <param name="fastRepairs">Repairs by loss detection.</param>
    /// <returns>The fingerprint.</returns>
    public static Fingerprint Of(IReadOnlyList<FingerprintCandidate> candidates, int rounds, long fastRepairs)
    {
        FingerprintCandidate[] sorted = [.. candidates.OrderByDescending(one => one.Posterior)];
        FingerprintCandidate best = sorted[0];
        string? reason = null;
        if (rounds == 0)
        {
            reason = fastRepairs == 0
                ? "nothing was overtaken that a loss detection could have repaired"
                : "all that was repaired looks the same for every loss detection";
        }
        else if (best.Contradictions > MaxContradicted * rounds)
        {
            reason = "it behaves like none of these";
        }
        else if (sorted[1].Contradictions < MinRounds || best.Posterior < MinPosterior)
        {
            string[] left = [.. sorted.Where(one => one.Contradictions < MinRounds).Select(one => one.Name)];
            reason = $"the trace does not tell {string.Join(" from ", left.Order(StringComparer.Ordinal))}";
        }

        return new Fingerprint { Verdict = reason is null ? best.Name : Unknown, Reason = reason, Candidates = sorted, Rounds = rounds };
    }
}

/// <summary>A way of detecting losses, and what speaks against it.</summary>
/// <param name="Name">A constant of <see cref="Fingerprint"/>.</param>
/// <param name="Contradictions">Round trips in which a sender of that kind would have done otherwise.</param>
/// <param name="FirstPacket">The first packet that shows it; 0 without.</param>
/// <param name="Posterior">How likely it is among the ways weighed, 0 … 1.</param>
public sealed record FingerprintCandidate(string Name, int Contradictions, long FirstPacket, double Posterior)
{
    // In how many of the round trips that tell senders apart a sender of its own kind is taken for another: delays of hosts, lost acknowledgments.
    const double ErrorRate = 0.05;

    /// <summary>Weighs candidates that were equally likely at first: each round trip speaks against those it contradicts.</summary>
    /// <param name="against">Name, contradictions and first packet of each.</param>
    /// <param name="rounds">Round trips that told any of them apart.</param>
    /// <returns>The candidates.</returns>
    public static FingerprintCandidate[] Weigh(IReadOnlyList<(string Name, int Contradictions, long FirstPacket)> against, int rounds)
    {
        double[] logs = [.. against.Select(one =>
            (one.Contradictions * Math.Log(ErrorRate)) + ((rounds - one.Contradictions) * Math.Log(1 - ErrorRate)))];
        double max = logs.Max();
        double sum = logs.Sum(log => Math.Exp(log - max));
        return [.. against.Select((one, i) => new FingerprintCandidate(one.Name, one.Contradictions, one.FirstPacket, Math.Exp(logs[i] - max) / sum))];
    }
}
