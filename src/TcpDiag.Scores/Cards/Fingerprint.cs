using System;
using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Scores.Cards;

/// <summary>How a sender detects losses, by what it did.</summary>
public sealed record Fingerprint
{
    /// <summary>By DupThresh segments SACKed above (RFC 6675).</summary>
    public const string DuplicateAcks = "dupack";

    /// <summary>By time; whether its reordering window grows with DSACKs was not shown.</summary>
    public const string Rack = "rack";

    /// <summary>By time, with a reordering window that stays at min_RTT/4.</summary>
    public const string RackFixed = "rack-fixed";

    /// <summary>
    /// By time, with a window that would grow but takes no notice of DSACKs; told by events only, on the wire the same as <see cref="RackFixed"/>.
    /// </summary>
    public const string RackNoDsack = "rack-no-dsack";

    /// <summary>By time, with a window that grows with DSACKs (RFC 8985).</summary>
    public const string RackAdaptive = "rack-adaptive";

    /// <summary>By duplicate acknowledgments without SACK (RFC 6582).</summary>
    public const string NoSack = "no-sack";

    /// <summary>It cannot be told.</summary>
    public const string Unknown = "unknown";

    // A verdict needs so much: the others contradicted in so many round trips, itself in at most one or this share of them, and this posterior.
    const int MinRounds = 2;
    const double MaxContradicted = 0.1;
    const double MinPosterior = 0.99;

    // One DSACK may answer a tail loss probe, which a stack need not count (RFC 8985 §7.4).
    const int MinDsacksOfEvents = 2;

    /// <summary>The answer: one of the constants.</summary>
    public required string Verdict { get; init; }

    /// <summary>Why it is unknown, or no more than <see cref="Rack"/>; null when it is told.</summary>
    public string? Reason { get; init; }

    /// <summary>The ways that were weighed, the most likely first; empty without SACK.</summary>
    public IReadOnlyList<FingerprintCandidate> Candidates { get; init; } = [];

    /// <summary>Round trips that told any of them apart.</summary>
    public int Rounds { get; init; }

    /// <summary>Whether the sender's own events have decided, not packets alone.</summary>
    public bool IsFromEvents { get; init; }

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
        FingerprintCandidate byCount = sorted.First(one => !IsByTime(one));
        double byTime = sorted.Where(IsByTime).Sum(one => one.Posterior);
        string? reason = null;
        string verdict = best.Name;
        if (rounds == 0)
        {
            reason = fastRepairs == 0
                ? "nothing was overtaken that a loss detection could have repaired"
                : "all that was repaired looks the same for every loss detection";
        }
        else if (best.Contradictions > Math.Max(1, MaxContradicted * rounds))
        {
            reason = "it behaves like none of these";
        }
        else if (sorted[1].Contradictions < MinRounds || best.Posterior < MinPosterior)
        {
            string[] left = [.. sorted.Where(one => one.Contradictions < MinRounds || one.Posterior > 1 - MinPosterior).Select(one => one.Name)];
            bool isByTime = byCount.Contradictions >= MinRounds && byTime >= MinPosterior;
            verdict = isByTime ? Rack : Unknown;
            reason = $"the trace does not tell {string.Join(" from ", left.Order(StringComparer.Ordinal))}";
        }

        return new Fingerprint { Verdict = reason is null || verdict is Rack ? verdict : Unknown, Reason = reason, Candidates = sorted, Rounds = rounds };
    }

    /// <summary>
    /// Takes back what rests on a window where none counted. Whoever is late for another reason, a timer or three duplicates that did not come, fits the widest
    /// window best.
    /// </summary>
    /// <param name="reorderingSeen">Whether reordering had been seen.</param>
    /// <param name="sooner">Round trips in which a repair came sooner than duplicate acknowledgments allow: that shows detection by time without a
    /// window.</param>
    /// <returns>The fingerprint.</returns>
    public Fingerprint WithoutWindow(bool reorderingSeen, int sooner) => reorderingSeen || Verdict is not (Rack or RackFixed or RackAdaptive) ? this
        : sooner >= MinRounds ? this with { Verdict = Rack, Reason = "no reordering was seen, so that no window counted" }
        : this with { Verdict = Unknown, Reason = "no reordering was seen, so that no window counted, and it repairs later than that explains" };

    /// <summary>
    /// Takes in what the sender's own events say of its reordering window (Windows 22000 and later: 1577 has its multiplier, 1548 counts DSACKs). Packets that
    /// contradict them keep their verdict.
    /// </summary>
    /// <param name="dsacks">DSACKs that came back.</param>
    /// <param name="dsacksCounted">Of these, those the stack counted; null when its events do not say.</param>
    /// <param name="maxMultiplier">The largest RACK.reo_wnd_mult it had; null when its events do not say.</param>
    /// <returns>The fingerprint.</returns>
    public Fingerprint WithEvents(int dsacks, long? dsacksCounted, int? maxMultiplier)
    {
        if (Verdict is NoSack || maxMultiplier is not { } multiplier)
        {
            return this;
        }

        bool isWide = multiplier > 1;
        string verdict = isWide ? RackAdaptive
            : dsacksCounted == 0 && dsacks >= MinDsacksOfEvents ? RackNoDsack
            : dsacksCounted >= MinDsacksOfEvents ? RackFixed
            : Rack;
        bool isContradicted = Verdict is DuplicateAcks || (Verdict is RackFixed && isWide) || (Verdict is RackAdaptive && !isWide);
        return isContradicted || (verdict is Rack && Verdict is not Unknown)
            ? this
            : this with { Verdict = verdict, IsFromEvents = true, Reason = verdict is Rack ? "no DSACK came that could have widened its window" : null };
    }

    static bool IsByTime(FingerprintCandidate one) => one.Name is RackFixed or RackAdaptive;
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
