using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Scores.Cards;
using TcpDiag.Tcp.Congestion;

namespace TcpDiag.Scores.Congestion;

/// <summary>
/// How the first slow start ended (RFC 9406): too early, far below what the path held later without a queue, or too late, by losses that a growing delay had
/// announced. Kept apart from loss detection: one early packet ends the slow start of a sender whose RACK is perfect.
/// </summary>
static class SlowStartScore
{
    const double MinGrowth = 1.35; // of a round in slow start: 1.5 with one segment for each second one's acknowledgment; conservative slow start has 1.25
    const int SlowRounds = 2;
    const double MaxCutShare = 0.9; // of the flight, after a reduction: CUBIC leaves 0.7, Reno 0.5 (RFC 9438 §4.6, RFC 5681 §3.1)
    const double MaxExitShare = 0.4; // of what the path holds: acknowledgments that fill half a round trip let HyStart leave at half
    const int QueueDivisor = 8; // a round whose smallest sample lies less than an eighth above the smallest of all had no queue (RFC 9406 §4.3)

    /// <summary>Looks for the end of slow start.</summary>
    /// <param name="rounds">The rounds of the sender.</param>
    /// <param name="reductions">Its reductions; slow start goes on behind one that was taken back.</param>
    /// <returns>The index of the first round that no longer grew; null where a reduction ended it, or it goes on.</returns>
    public static int? ExitOf(IReadOnlyList<WindowRound> rounds, IReadOnlyList<Reduction> reductions)
    {
        int stages = Enumerable.Range(0, reductions.Count).TakeWhile(i => !IsCut(rounds, reductions[i], i)).Count();
        int slow = 0;
        for (int i = 1; i < rounds.Count && rounds[i].Stage <= stages; i++)
        {
            bool isJudged = rounds[i] is { IsHeld: true, IsClean: true } && rounds[i - 1] is { IsHeld: true, IsClean: true };
            slow = isJudged && rounds[i].PeakBytes < MinGrowth * rounds[i - 1].PeakBytes ? slow + 1 : 0;
            if (slow == SlowRounds)
            {
                return i - 1;
            }
        }

        return null;
    }

    /// <summary>Gives the components.</summary>
    /// <param name="rounds">The rounds of the sender.</param>
    /// <param name="reductions">Its reductions, completed.</param>
    /// <param name="trigger">Why a HyStart that was given the same acknowledgments would have left.</param>
    /// <param name="triggerBytes">In flight then; 0 when it would not have.</param>
    public static IEnumerable<ScoreComponent> Of(
        IReadOnlyList<WindowRound> rounds, IReadOnlyList<Reduction> reductions, HyStartTrigger trigger, long triggerBytes)
    {
        int? exit = ExitOf(rounds, reductions);
        yield return Early(rounds, exit, trigger);
        yield return Late(exit, reductions.Count > 0 ? reductions[0] : null, trigger, triggerBytes);
    }

    static ScoreComponent Early(IReadOnlyList<WindowRound> rounds, int? exit, HyStartTrigger trigger)
    {
        ScoreComponent component = Component("slow-start-not-early", "slow start not left too early", "RFC 9406 §4.2");
        if (exit is not { } index)
        {
            return component with { NotExercised = "slow start did not end without loss: a longer transfer, or a path with a queue, exercises it" };
        }

        WindowRound left = rounds[index];
        long held = MostWithoutQueue(rounds);
        bool isEarly = left.PeakBytes < MaxExitShare * held;
        return component with
        {
            Rate = new Proportion(isEarly ? 0 : 1, 1),
            Evidence = FormattableString.Invariant(
                $"left with {left.PeakBytes / 1000} kB in flight ({Name(trigger)}); the path held {held / 1000} kB later without a queue"),
            Worst = isEarly ? [new(left.Packet, left.Start, TimeTo(rounds, index))] : [],
        };
    }

    static ScoreComponent Late(int? exit, Reduction? first, HyStartTrigger trigger, long triggerBytes)
    {
        ScoreComponent component = Component("slow-start-not-late", "slow start not left by losses", "RFC 9406 §4.2");
        bool endedByLoss = exit is null && first is { IsReal: true, Kind: RepairKind.Fast or RepairKind.Timeout };
        if ((exit is null && !endedByLoss) || (endedByLoss && (triggerBytes == 0 || 2 * triggerBytes > first!.BeforeBytes)))
        {
            return component with { NotExercised = "no delay announced that the path was full: a path with a queue of a round trip and more exercises it" };
        }

        return component with
        {
            Rate = new Proportion(endedByLoss ? 0 : 1, 1),
            Evidence = endedByLoss
                ? FormattableString.Invariant($"HyStart would have left with {triggerBytes / 1000} kB in flight ({Name(trigger)}); losses came at {first!.BeforeBytes / 1000} kB")
                : "it ended without loss",
            Worst = endedByLoss ? [new(first!.Packet, first.Time, 0)] : [],
        };
    }

    // Whether the next round that the window held has less in flight than there was before the reduction; one without such a round may be.
    static bool IsCut(IReadOnlyList<WindowRound> rounds, Reduction reduction, int index)
    {
        WindowRound? after = rounds.Where(round => round.Stage > index && round is { IsHeld: true, IsClean: true }).Select(round => (WindowRound?)round).FirstOrDefault();
        return after is not { } next || next.PeakBytes < MaxCutShare * reduction.BeforeBytes;
    }

    // While the window held the sender: at the end, what is in flight drains, and the FIN meets an empty path.
    static long MostWithoutQueue(IReadOnlyList<WindowRound> rounds)
    {
        long min = rounds.Where(round => round.MinRttNanos > 0).Select(round => round.MinRttNanos).DefaultIfEmpty().Min();
        return rounds.Where(round => round is { IsHeld: true, IsClean: true, MinRttNanos: > 0 } && round.MinRttNanos <= min + (min / QueueDivisor))
            .Select(round => round.PeakBytes).DefaultIfEmpty().Max();
    }

    // From the exit until twice as much was in flight.
    static long TimeTo(IReadOnlyList<WindowRound> rounds, int index)
    {
        int i = index;
        while (i < rounds.Count - 1 && rounds[i].PeakBytes < 2 * rounds[index].PeakBytes)
        {
            i++;
        }

        return rounds[i].Start - rounds[index].Start;
    }

    static string Name(HyStartTrigger trigger) => trigger switch
    {
        HyStartTrigger.AckTrain => "a train of acknowledgments",
        HyStartTrigger.Delay => "a growing delay, or an early packet",
        _ => "for no reason that HyStart has",
    };

    static ScoreComponent Component(string id, string name, string clause) =>
        new() { Id = id, Name = name, Clause = clause, Family = ScoreFamily.SlowStartExit };
}
