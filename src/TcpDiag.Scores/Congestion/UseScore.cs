using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Scores.Cards;

namespace TcpDiag.Scores.Congestion;

/// <summary>How much of what the path delivers at its best a sender used while nothing but its window held it.</summary>
static class UseScore
{
    const double MinShare = 0.9;
    const int MinRounds = 8;

    /// <summary>Gives the component.</summary>
    /// <param name="rounds">The rounds of the sender.</param>
    public static ScoreComponent Of(IReadOnlyList<WindowRound> rounds)
    {
        WindowRound[] held = [.. rounds.Where(round => round is { IsHeld: true, IsClean: true, Nanos: > 0 })];
        double best = Best(held);
        bool isKnown = held.Length >= MinRounds && best > 0;
        double mean = isKnown ? held.Sum(round => round.DeliveredBytes) / (double)held.Sum(round => round.Nanos) : 0;
        return new()
        {
            Id = "utilisation",
            Family = ScoreFamily.CongestionControl,
            Name = "rounds at 90 % of the best rate",
            Clause = "RFC 9438 §5.1",
            Rate = isKnown ? RateOf(held, MinShare * best) : null,
            NotExercised = isKnown ? null : $"fewer than {MinRounds} round trips in which the window was the limit: a longer transfer exercises it",
            Evidence = isKnown ? FormattableString.Invariant($"{mean * 8e3:0.0} of {best * 8e3:0.0} Mbit/s, the most that two rounds in a row held")
                : string.Empty,
            Worst = isKnown
                ? ScorePlace.Worst([.. held.Select(round => new ScorePlace(round.Packet, round.Start, (long)((1 - (round.Rate / best)) * round.Nanos)))
                    .Where(place => place.Nanos > 0)])
                : [],
        };
    }

    // What is in flight in a round is what the one before left, so the rounds between two reductions count as one episode.
    static Proportion? RateOf(WindowRound[] held, double enough)
    {
        Episodes stages = default;
        foreach (IGrouping<int, WindowRound> stage in held.GroupBy(round => round.Stage))
        {
            stages.Add(stage.Count(round => round.Rate >= enough), stage.Count());
        }

        return stages.Rate;
    }

    // Both of two rounds.
    static double Best(WindowRound[] held)
    {
        double best = 0;
        for (int i = 1; i < held.Length; i++)
        {
            best = Math.Max(best, Math.Min(held[i].Rate, held[i - 1].Rate));
        }

        return best;
    }
}
