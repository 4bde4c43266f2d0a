using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Scores.Cards;
using TcpDiag.Tcp.Congestion;

namespace TcpDiag.Scores.Congestion;

/// <summary>
/// How the first slow start ended (RFC 9406): too early, far below what the path held later without a queue, or too late, by losses that a growing delay had
/// announced. Kept apart from loss detection: one early packet ends the slow start of a sender whose RACK is perfect.
/// </summary>
static class SlowStartScore
{
    const double MaxExitShare = 0.4; // of what the path holds: acknowledgments that fill half a round trip let HyStart leave at half
    const int QueueDivisor = 8; // a round whose smallest sample lies less than an eighth above the smallest of all had no queue (RFC 9406 §4.3)

    /// <summary>The round in which slow start was left.</summary>
    /// <param name="rounds">The rounds of the sender.</param>
    /// <param name="slowStart">How the analysis saw it end; null where it saw no round trip of it.</param>
    /// <returns>Its index; null where a reduction ended slow start, or it goes on.</returns>
    public static int? ExitOf(IReadOnlyList<WindowRound> rounds, SlowStartSummary? slowStart)
    {
        if (slowStart is not { ExitBytes: not null, Exit: { } exit })
        {
            return null;
        }

        int index = 0;
        while (index + 1 < rounds.Count && rounds[index + 1].Start <= exit.Time)
        {
            index++;
        }

        return index < rounds.Count ? index : null;
    }

    /// <summary>Gives the components.</summary>
    /// <param name="rounds">The rounds of the sender.</param>
    /// <param name="slowStart">How the analysis saw slow start end; null where it saw no round trip of it.</param>
    /// <param name="reductions">Its reductions, completed.</param>
    /// <param name="trigger">Why a HyStart that was given the same acknowledgments would have left.</param>
    /// <param name="triggerBytes">In flight then; 0 when it would not have.</param>
    public static IEnumerable<ScoreComponent> Of(
        IReadOnlyList<WindowRound> rounds, SlowStartSummary? slowStart, IReadOnlyList<Reduction> reductions, HyStartTrigger trigger, long triggerBytes)
    {
        int? exit = ExitOf(rounds, slowStart);
        yield return Early(rounds, exit, slowStart);
        yield return Late(exit, reductions.Count > 0 ? reductions[0] : null, trigger, triggerBytes);
    }

    static ScoreComponent Early(IReadOnlyList<WindowRound> rounds, int? exit, SlowStartSummary? slowStart)
    {
        ScoreComponent component = Component("slow-start-not-early", "slow start not left too early", "RFC 9406 §4.2");
        if (exit is not { } index || slowStart?.ExitBytes is not { } bytes)
        {
            return component with { NotExercised = "slow start did not end without loss: a longer transfer, or a path with a queue, exercises it" };
        }

        WindowRound left = rounds[index];
        long held = MaxWithoutQueue(rounds);
        bool isEarly = bytes < MaxExitShare * held;
        return component with
        {
            Rate = new Proportion(isEarly ? 0 : 1, 1),
            Evidence = FormattableString.Invariant(
                $"left with {bytes / 1000} kB in flight ({CauseText(slowStart.Cause)}); the path held {held / 1000} kB later without a queue"),
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
                ? FormattableString.Invariant(
                $"HyStart would have left with {triggerBytes / 1000} kB in flight ({Name(trigger)}); losses came at {first!.BeforeBytes / 1000} kB")
                : "it ended without loss",
            Worst = endedByLoss ? [new(first!.Packet, first.Time, 0)] : [],
        };
    }

    // While the window held the sender: at the end, what is in flight drains, and the FIN meets an empty path.
    static long MaxWithoutQueue(IReadOnlyList<WindowRound> rounds)
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

    static string CauseText(SlowStartCause cause) => cause switch
    {
        SlowStartCause.AckTrain => "a train of acknowledgments",
        SlowStartCause.Delay => "a growing delay",
        SlowStartCause.EarlyPacket => "an early packet, which makes all later ones seem delayed",
        _ => "for no reason that HyStart has",
    };

    static string Name(HyStartTrigger trigger) => trigger switch
    {
        HyStartTrigger.AckTrain => "a train of acknowledgments",
        _ => "a growing delay, or an early packet",
    };

    static ScoreComponent Component(string id, string name, string clause) =>
        new() { Id = id, Name = name, Clause = clause, Family = ScoreFamily.SlowStartExit };
}
