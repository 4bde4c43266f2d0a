using System;
using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Scores.Cards;

/// <summary>Which congestion control a sender has, by what it had in flight.</summary>
public sealed record ControlFingerprint
{
    /// <summary>CUBIC (RFC 9438): 0.7 of the window is left after a loss, and its curve follows.</summary>
    public const string Cubic = "cubic";

    /// <summary>Reno (RFC 5681, 6582): half is left, and a segment more follows each round trip.</summary>
    public const string Reno = "reno";

    /// <summary>BBR: a loss leaves what is in flight as it was, and a model of the path lowers it without any.</summary>
    public const string Bbr = "bbr";

    /// <summary>It cannot be told, or is none of these.</summary>
    public const string Unknown = "unknown";

    // As of the loss detection: the others contradicted so often, itself at most once or in this share, and this posterior.
    const int MinContradictions = 2;
    const double MaxContradicted = 0.1;
    const double MinPosterior = 0.99;

    /// <summary>The answer: one of the constants.</summary>
    public required string Verdict { get; init; }

    /// <summary>Why it is unknown; null when it is told.</summary>
    public string? Reason { get; init; }

    /// <summary>The ones that were weighed, the most likely first.</summary>
    public IReadOnlyList<FingerprintCandidate> Candidates { get; init; } = [];

    /// <summary>Reductions, and times between them, that told any of them apart.</summary>
    public int Stages { get; init; }

    /// <summary>Judges.</summary>
    /// <param name="candidates">The candidates, weighed.</param>
    /// <param name="stages">How much told any of them apart.</param>
    /// <param name="hasModel">Whether something was seen that BBR alone does: it went on through losses, or probed for the smallest RTT.</param>
    /// <returns>The fingerprint.</returns>
    public static ControlFingerprint Of(IReadOnlyList<FingerprintCandidate> candidates, int stages, bool hasModel)
    {
        FingerprintCandidate[] sorted = [.. candidates.OrderByDescending(one => one.Posterior).ThenBy(one => one.Contradictions)];
        FingerprintCandidate best = sorted[0];
        string? reason = null;
        if (stages == 0)
        {
            reason = "neither a loss nor enough growth without one showed how it sets its window";
        }
        else if (best.Contradictions > Math.Max(1, MaxContradicted * stages))
        {
            reason = "what it had in flight follows neither CUBIC nor Reno nor BBR";
        }
        else if (sorted[1].Contradictions < MinContradictions || best.Posterior < MinPosterior)
        {
            string[] left = [.. sorted.Where(one => one.Contradictions < MinContradictions || one.Posterior > 1 - MinPosterior).Select(one => one.Name)];
            reason = $"there were too few losses to tell {string.Join(" from ", left.Select(NameOf).Order(StringComparer.Ordinal))}";
        }
        else if (best.Name is Bbr && !hasModel)
        {
            reason = "what it had in flight follows neither CUBIC nor Reno, and shows too little of BBR";
        }

        return new ControlFingerprint { Verdict = reason is null ? best.Name : Unknown, Reason = reason, Candidates = sorted, Stages = stages };
    }

    // As the RFCs and drafts write them.
    static string NameOf(string candidate) => candidate is Reno ? "Reno" : candidate.ToUpperInvariant();
}
