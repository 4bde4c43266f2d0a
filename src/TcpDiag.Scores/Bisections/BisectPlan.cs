using System;
using TcpDiag.Scores.Statistics;

namespace TcpDiag.Scores.Bisections;

/// <summary>How many runs a search takes.</summary>
/// <param name="Steps">Steps at most, unless some are skipped.</param>
/// <param name="PairsOfAStep">Pairs of a step where the noise is small beside the change; a step can need more.</param>
/// <param name="MaxPairs">Pairs after which it is left undecided.</param>
public sealed record BisectPlan(int Steps, int PairsOfAStep, int MaxPairs)
{
    // A change that is worth a search.
    const double LikelyChange = 0.15;

    const int RunsOfAPair = 2;

    /// <summary>Runs where the noise is small.</summary>
    public int LikelyRuns => Steps * PairsOfAStep * RunsOfAPair;

    /// <summary>Runs at most.</summary>
    public int MaxRuns => Steps * MaxPairs * RunsOfAPair;

    /// <summary>Plans what is left of a search.</summary>
    /// <param name="journal">Its journal.</param>
    /// <param name="search">Where it stands.</param>
    /// <returns>The plan.</returns>
    public static BisectPlan Of(BisectJournal journal, Bisection search) =>
        new(search.StepsLeft, search.StepsLeft == 0 ? 0 : PairsWithoutNoise(search.StepError), journal.MaxPairs);

    // Pairs that are all alike, until the middle between no change and a likely one is beyond the interval.
    static int PairsWithoutNoise(double error)
    {
        SequentialPairs pairs = new(error, 0);
        double middle = Math.Log(1 + LikelyChange) / 2;
        while (pairs.LogInterval.High >= middle)
        {
            pairs.Add(0);
        }

        return pairs.Count;
    }
}
