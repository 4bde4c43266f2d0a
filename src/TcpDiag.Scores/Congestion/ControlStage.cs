using System;
using System.Collections.Generic;
using TcpDiag.Tcp.Congestion;

namespace TcpDiag.Scores.Congestion;

/// <summary>
/// The rounds from one reduction to the next, or from the end of slow start where that came without one, beside how CUBIC and Reno would have grown in them:
/// both are told where it began, and CUBIC what was in flight before the reduction.
/// </summary>
/// <param name="before">In flight before the reduction, segments; 0 where slow start ended without one.</param>
/// <param name="rounds">Its rounds, without a gap: clean ones, in which the window held the sender.</param>
/// <param name="smss">SMSS, bytes.</param>
sealed class ControlStage(double before, IReadOnlyList<WindowRound> rounds, int smss)
{
    const int MinRounds = 8;
    const int MaxRounds = 64;
    const double MinGrowth = 4; // segments: rounds are cut to a segment
    const double LinuxGrowth = 1.05; // each round trip before the first loss, while CUBIC's curve is flatter (tcp_cubic.c, bictcp_update)

    // cwnd is a little less than what was in flight when a loss showed: limited transmit adds two segments and more (RFC 3042).
    static readonly double[] Scales = [1, 0.95];

    /// <summary>Whether it is long enough, and grows enough, to tell how.</summary>
    public bool HasGrowth => rounds.Count >= MinRounds && Growth >= MinGrowth;

    /// <summary>By how much more is in flight in the end, as a share.</summary>
    public double GrowthShare => Growth / Window(0);

    double Growth => Window(Math.Min(rounds.Count, MaxRounds) - 1) - Window(0);

    /// <summary>By how much CUBIC (RFC 9438 §4.2, §4.3) would have grown otherwise: the root mean square, as a share of the growth.</summary>
    public double CubicError()
    {
        double start = Window(0);
        if (before <= 0)
        {
            return Math.Min(
                Error(i => Math.Max(start + (Cubic.C * Cube(Seconds(i))), start + (Cubic.Alpha * i))), Error(i => start * Math.Pow(LinuxGrowth, i)));
        }

        double least = double.MaxValue;
        foreach (double scale in Scales)
        {
            foreach (double plateau in (double[])[before * scale, before * scale * (1 + Cubic.Beta) / 2]) // §4.7: fast convergence
            {
                double k = Math.Cbrt(Math.Max(plateau - start, 0) / Cubic.C);
                double top = Math.Max(plateau, start);
                least = Math.Min(least, Error(i => Math.Max((Cubic.C * Cube(Seconds(i) - k)) + top, start + (Cubic.Alpha * i))));
            }
        }

        return least;
    }

    /// <summary>The same of Reno (RFC 5681 §3.1): a segment each round trip, or half of one where each acknowledgment covers two.</summary>
    public double RenoError() => Math.Min(Error(i => Window(0) + i), Error(i => Window(0) + (i / 2.0)));

    static double Cube(double value) => value * value * value;

    double Window(int index) => rounds[index].PeakBytes / (double)smss;

    double Seconds(int index) => (rounds[index].Start - rounds[0].Start) / 1e9;

    double Error(Func<int, double> model)
    {
        int count = Math.Min(rounds.Count, MaxRounds);
        double squares = 0;
        for (int i = 0; i < count; i++)
        {
            double error = Math.Max(Math.Abs(model(i) - Window(i)) - 1, 0); // a segment more or less says nothing
            squares += error * error;
        }

        return Math.Sqrt(squares / count) / Math.Max(Growth, 1);
    }
}
