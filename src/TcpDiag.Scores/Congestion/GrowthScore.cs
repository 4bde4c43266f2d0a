using System;
using System.Collections.Generic;
using TcpDiag.Analysis.Results;
using TcpDiag.Scores.Cards;
using TcpDiag.Tcp.Congestion;

namespace TcpDiag.Scores.Congestion;

/// <summary>
/// Holds the growth between reductions against CUBIC's curve (RFC 9438 §4.2), or Reno's line where that fits better. Of the curve C and α hold, and W_max and K
/// are fitted: what the sender took for W_max a trace shows only within a round trip.
/// </summary>
static class GrowthScore
{
    const int MinRounds = 8; // two are taken by the fit
    const double Tolerance = 0.1; // of the window: implementations differ in the increment per acknowledgment (RFC 9438, erratum 9186), rounds by a segment
    const int MaxStages = 256;
    const int Steps = 48;

    /// <summary>Gives the component.</summary>
    /// <param name="rounds">The rounds of the sender.</param>
    /// <param name="firstStage">The first stage that counts: 0 when slow start ended without a reduction.</param>
    /// <param name="skip">The round with which slow start ended, in stage 0.</param>
    /// <param name="smss">SMSS, bytes.</param>
    public static ScoreComponent Of(IReadOnlyList<WindowRound> rounds, int firstStage, int skip, int smss)
    {
        Episodes rates = default; // a curve that does not fit a stage fits none of its rounds
        long trials = 0;
        long cubic = 0;
        double squares = 0;
        List<ScorePlace> worst = [];
        int stages = 0;
        foreach (List<WindowRound> stage in Stages(rounds, firstStage, skip))
        {
            Fit fit = Best(stage, smss);
            stages++;
            rates.Add(fit.Hits, stage.Count);
            trials += stage.Count;
            cubic += fit.IsCubic ? stage.Count : 0;
            squares += fit.NormalisedError * fit.NormalisedError * stage.Count;
            worst.Add(new(fit.Worst.Packet, fit.Worst.Start, (long)(fit.WorstShare * fit.Worst.Nanos)));
        }

        return new()
        {
            Id = "growth",
            Family = ScoreFamily.CongestionControl,
            Name = "rounds on the curve of CUBIC or Reno",
            Clause = "RFC 9438 §4.2",
            Rate = rates.Rate,
            NotExercised = trials > 0 ? null
                : $"no {MinRounds} round trips in a row without loss in which the window was the limit: a longer transfer exercises it",
            Evidence = trials > 0
                ? FormattableString.Invariant(
                $"{Quantity.Count(stages, "stage")}; {cubic} of {trials} rounds fit CUBIC better; error {Math.Sqrt(squares / trials):0.000} of the window")
                : string.Empty,
            Worst = ScorePlace.Worst(worst),
        };
    }

    static IEnumerable<List<WindowRound>> Stages(IReadOnlyList<WindowRound> rounds, int firstStage, int skip)
    {
        List<WindowRound> stage = [];
        int yielded = 0;
        for (int i = Math.Max(skip, 0); i <= rounds.Count && yielded < MaxStages; i++)
        {
            bool isCounted = i < rounds.Count && rounds[i].Stage >= firstStage && rounds[i] is { IsHeld: true, IsClean: true, PeakBytes: > 0 };
            if (isCounted && (stage.Count == 0 || stage[^1].Stage == rounds[i].Stage))
            {
                stage.Add(rounds[i]);
                continue;
            }

            if (stage.Count >= MinRounds)
            {
                yielded++;
                yield return stage;
            }

            stage = isCounted ? [rounds[i]] : [];
        }
    }

    static Fit Best(List<WindowRound> stage, int smss)
    {
        Fit line = Measure(stage, smss, Line(stage, smss), isCubic: false);
        double last = Seconds(stage, stage.Count - 1);
        Fit best = line;
        for (int step = 0; step <= Steps; step++)
        {
            double k = ((4.0 * step / Steps) - 1) * Math.Max(last, 1); // the plateau from one stage's length before it to three after its beginning
            Fit curve = Measure(stage, smss, Curve(stage, smss, k), isCubic: true);
            best = curve.NormalisedError < best.NormalisedError ? curve : best;
        }

        return best;
    }

    static double Seconds(List<WindowRound> stage, int index) => (stage[index].Start - stage[0].Start) / 1e9;

    // C·(t − K)³ + W_max in segments, W_max such that the mean error is none; never below what Reno would have (§4.3).
    static double[] Curve(List<WindowRound> stage, int smss, double k)
    {
        double[] model = new double[stage.Count];
        double mean = 0;
        for (int i = 0; i < model.Length; i++)
        {
            double t = Seconds(stage, i) - k;
            model[i] = Cubic.C * t * t * t;
            mean += ((stage[i].PeakBytes / (double)smss) - model[i]) / model.Length;
        }

        double first = stage[0].PeakBytes / (double)smss;
        for (int i = 0; i < model.Length; i++)
        {
            model[i] = Math.Max(model[i] + mean, first + (Cubic.Alpha * i));
        }

        return model;
    }

    // A segment each round trip (RFC 5681 §3.1), or half of one where each acknowledgment covers two and counts once.
    static double[] Line(List<WindowRound> stage, int smss)
    {
        double first = stage[0].PeakBytes / (double)smss;
        double slope = Math.Clamp(((stage[^1].PeakBytes / (double)smss) - first) / (stage.Count - 1), 0.5, 1);
        double[] model = new double[stage.Count];
        for (int i = 0; i < model.Length; i++)
        {
            model[i] = first + (slope * i);
        }

        return model;
    }

    static Fit Measure(List<WindowRound> stage, int smss, double[] model, bool isCubic)
    {
        long hits = 0;
        double squares = 0;
        double sum = 0;
        int worst = 0;
        double worstShare = 0;
        for (int i = 0; i < model.Length; i++)
        {
            double window = stage[i].PeakBytes / (double)smss;
            double error = Math.Abs(window - model[i]);
            double share = error / window;
            hits += error <= Math.Max(Tolerance * window, 2) ? 1 : 0;
            squares += error * error;
            sum += window;
            (worst, worstShare) = share > worstShare ? (i, share) : (worst, worstShare);
        }

        return new(isCubic, hits, Math.Sqrt(squares / model.Length) / (sum / model.Length), stage[worst], worstShare);
    }

    readonly record struct Fit(bool IsCubic, long Hits, double NormalisedError, WindowRound Worst, double WorstShare);
}
