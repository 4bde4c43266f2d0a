using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Scores.Cards;

namespace TcpDiag.Scores.Congestion;

/// <summary>For what a sender reduced its window, by how much, and whether it took back what proved needless.</summary>
static class ReductionScore
{
    const double MinUndone = 0.9; // of what was in flight before: CUBIC leaves 0.7, Reno 0.5
    const double MinLeft = 0.4; // 0.5 of Reno (RFC 5681 §3.1), and what a round grows or an acknowledgment delays
    const double MaxLeft = 0.85; // 0.7 of CUBIC (RFC 9438 §4.6) and two rounds of growth; 0.85 after a mark (RFC 8511 §3)
    const double MaxLost = 0.3; // of the flight: where more is, what was lost decides what is left, and not the sender's factor (RFC 9937 §6.2)
    const int MinSegments = 4; // of the flight: no window is reduced to less than two (RFC 5681 §3.1)

    /// <summary>Gives the components.</summary>
    /// <param name="reductions">All reductions, completed.</param>
    /// <param name="srttNanos">SRTT, ns.</param>
    /// <param name="smss">SMSS, bytes.</param>
    public static IEnumerable<ScoreComponent> Of(IReadOnlyList<Reduction> reductions, long srttNanos, int smss)
    {
        Reduction[] needless = [.. reductions.Where(one => one.IsNeedless)];
        Reduction[] judged = [.. reductions.Where(one => one.IsReal || one.IsNeedless)];
        yield return Component("reduction-cause", "reductions for loss or a mark", "RFC 5681 §3.1") with
        {
            Rate = Rate(judged, one => one.IsReal),
            NotExercised = judged.Length > 0 ? null : "no reduction whose cause is known: a path that loses or reorders packets exercises it",
            Evidence = judged.Length == 0 ? string.Empty
                : FormattableString.Invariant($"{judged.Length - needless.Length} of {judged.Length} recoveries repaired a loss"),
            Worst = Worst(needless, one => (long)(Math.Max(1 - one.Left, 0) * srttNanos)),
        };
        Reduction[] undone = [.. needless.Where(one => one.AfterBytes > 0)];
        yield return Component("reduction-undone", "needless reductions taken back", "RFC 9438 §4.9") with
        {
            Rate = Rate(undone, one => one.Left >= MinUndone),
            NotExercised = undone.Length > 0 ? null
                : "no needless reduction with a whole round trip after it: reordering beyond the reordering window exercises it",
            Evidence = undone.Length == 0 ? string.Empty : FormattableString.Invariant($"in flight in the round after them: {Median(undone):0.00} of before"),
            Worst = Worst([.. undone.Where(one => one.Left < MinUndone)], one => (long)((1 - one.Left) * srttNanos)),
        };
        Reduction[] sized = [.. reductions.Where(one => ShowsFactor(one, smss))];
        yield return Component("reduction-size", "reductions to half … 0.85 of the flight", "RFC 9438 §4.6") with
        {
            Rate = Rate(sized, one => IsRightSize(one, smss)),
            NotExercised = sized.Length > 0 ? null
                : "no loss with a whole round trip after it in which the window was the limit: a longer transfer with single losses exercises it",
            Evidence = sized.Length == 0 ? string.Empty : FormattableString.Invariant($"median {Median(sized):0.00}; CUBIC leaves 0.70, Reno 0.50"),
            Worst = Worst([.. sized.Where(one => !IsRightSize(one, smss))], one => (long)(Math.Abs(one.Left - 0.7) * srttNanos)),
        };
    }

    // Where some of what was sent again had arrived, part of the reduction may have been taken back.
    static bool ShowsFactor(Reduction one, int smss) =>
        one is { IsReal: true, Needless: 0, AfterBytes: > 0, Kind: not RepairKind.Timeout }
        && one.BeforeBytes >= MinSegments * (long)smss
        && (long)one.Necessary * smss <= MaxLost * one.BeforeBytes;

    // A window is whole segments.
    static bool IsRightSize(Reduction one, int smss) =>
        one.AfterBytes + (smss / 2) >= MinLeft * one.BeforeBytes && one.AfterBytes - (smss / 2) <= MaxLeft * one.BeforeBytes;

    static Proportion? Rate(Reduction[] all, Func<Reduction, bool> isHit) => all.Length > 0 ? new Proportion(all.Count(isHit), all.Length) : null;

    static double Median(Reduction[] all) => all.Select(one => one.Left).Order().ElementAt(all.Length / 2);

    static ScorePlace[] Worst(Reduction[] all, Func<Reduction, long> cost) =>
        ScorePlace.Worst([.. all.Select(one => new ScorePlace(one.Packet, one.Time, cost(one)))]);

    static ScoreComponent Component(string id, string name, string clause) =>
        new() { Id = id, Name = name, Clause = clause, Family = ScoreFamily.CongestionControl };
}
