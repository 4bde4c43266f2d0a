using System;
using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Locate.Clocks;

/// <summary>A step of one of two clocks.</summary>
/// <param name="Time">Of the first packet behind it, ns by the clock that stepped.</param>
/// <param name="IsFar">Whether that is the second clock.</param>
/// <param name="Size">By how much the second is more ahead of the first behind it, ns; roughly.</param>
readonly record struct ClockStep(long Time, bool IsFar, double Size)
{
    /// <summary>Whether a packet was stamped behind it.</summary>
    public bool IsBehind(in ClockSample sample) => IsBehind(sample.Near, sample.Far);

    /// <summary>Whether a packet was stamped behind it, by both clocks.</summary>
    public bool IsBehind(long near, long far) => (IsFar ? far : near) >= Time;
}

/// <summary>
/// Finds where one of two clocks was set, once or several times. Then the difference of both changes at once and by the same amount for packets there and back;
/// a longer way or a queue changes it in opposite directions, or only for one.
/// </summary>
static class ClockStepFinder
{
    const int Bins = 64;
    const int MinSamples = 32;

    // Bins on each side that are looked at.
    static readonly int[] Widths = [8, 4, 2];

    // What is less is not told from the noise of capture, and from a drift that is not quite even.
    const double MinStepNanos = 300_000;
    const double UnevenDrift = 3e-6; // a few ppm: what temperature does to a quartz within minutes
    const double MaxSkew = 500e-6; // RFC 5905

    /// <summary>
    /// Looks for one step more: with a wide window, which queues do not deceive, and with narrow ones, which see steps that follow each other soon.
    /// Whether it is one, the fit tells.
    /// </summary>
    /// <param name="samples">Packets of both directions, in the order of the first clock.</param>
    /// <param name="known">The steps known.</param>
    /// <param name="isWide">Whether the wide window alone is used.</param>
    /// <returns>What may be one.</returns>
    public static IEnumerable<ClockStep> Candidates(IReadOnlyList<ClockSample> samples, IReadOnlyList<ClockStep> known, bool isWide)
    {
        ClockSample[] left = [.. samples.Select(sample => Undo(sample, known))];
        foreach (int width in isWide ? Widths[..1] : Widths)
        {
            if (Find(left, width) is { } step)
            {
                yield return step with { Time = step.Time + MovedAt(step, left, samples) };
            }
        }
    }

    // A clock that was set shows what it would have shown.
    static ClockSample Undo(ClockSample sample, IReadOnlyList<ClockStep> known)
    {
        (long near, long far) = (sample.Near, sample.Far);
        foreach (ClockStep step in known)
        {
            bool isBehind = step.IsBehind(sample);
            far -= isBehind && step.IsFar ? (long)step.Size : 0;
            near += isBehind && !step.IsFar ? (long)step.Size : 0;
        }

        return sample with { Near = near, Far = far };
    }

    // By how much the clock that was set shows another time there than when what is known is undone.
    static long MovedAt(in ClockStep step, ClockSample[] left, IReadOnlyList<ClockSample> samples)
    {
        int first = -1;
        for (int i = 0; i < left.Length; i++)
        {
            first = step.IsBehind(left[i]) && (first < 0 || TimeOf(left[i], step) < TimeOf(left[first], step)) ? i : first;
        }

        return first < 0 ? 0 : TimeOf(samples[first], step) - TimeOf(left[first], step);
    }

    static long TimeOf(in ClockSample sample, in ClockStep step) => step.IsFar ? sample.Far : sample.Near;

    static ClockStep? Find(ClockSample[] samples, int width)
    {
        if (samples.Length < MinSamples)
        {
            return null;
        }

        // The order of the clock that stepped is the order in which things were; that of the other tells too, but for what was under way.
        Bin[] bins = BinsOf(samples);
        double drift = DriftOf(bins);
        if (GreatestJump(bins, drift, width) is not { } jump)
        {
            return null;
        }

        // What was under way at the step spreads over several bins.
        int end = jump.Bin + width + 1;
        (int from, int to) = (bins[Math.Max(0, jump.Bin - width)].First, end < bins.Length ? bins[end].First : samples.Length);
        (double nearCost, long nearTime) = Split(samples, from, to, jump, isFar: false);
        (double farCost, long farTime) = Split(samples, from, to, jump, isFar: true);
        return farCost <= nearCost ? new ClockStep(farTime, true, jump.Size) : new ClockStep(nearTime, false, jump.Size);
    }

    static Bin[] BinsOf(ClockSample[] samples)
    {
        int count = Math.Min(Bins, samples.Length / 8);
        var bins = new Bin[count];
        for (int i = 0; i < count; i++)
        {
            (int first, int end) = ((int)((long)i * samples.Length / count), (int)((long)(i + 1) * samples.Length / count));
            var bin = new Bin(first, samples[(first + end) / 2].Near, double.NaN, double.NaN);
            for (int k = first; k < end; k++)
            {
                double difference = samples[k].Difference - (double)samples[0].Difference;
                bin = samples[k].IsFromClient
                    ? bin with { There = double.IsNaN(bin.There) ? difference : Math.Min(bin.There, difference) }
                    : bin with { Back = double.IsNaN(bin.Back) ? difference : Math.Max(bin.Back, difference) };
            }

            bins[i] = bin;
        }

        return bins;
    }

    // The middle of what neighbours differ by: one step among them does not move it.
    static double DriftOf(Bin[] bins)
    {
        var drifts = new List<double>();
        for (int i = 1; i < bins.Length; i++)
        {
            double span = bins[i].Time - bins[i - 1].Time;
            double change = (bins[i].There + bins[i].Back - bins[i - 1].There - bins[i - 1].Back) / 2;
            if (span > 0 && !double.IsNaN(change) && Math.Abs(change / span) <= MaxSkew)
            {
                drifts.Add(change / span);
            }
        }

        drifts.Sort();
        return drifts.Count == 0 ? 0 : drifts[drifts.Count / 2];
    }

    static Jump? GreatestJump(Bin[] bins, double drift, int width)
    {
        Jump? greatest = null;
        for (int i = 1; i < bins.Length; i++)
        {
            (double there, double thereBefore, double thereAfter) = Change(bins, i, width, drift, static bin => bin.There, isMin: true);
            (double back, double backBefore, double backAfter) = Change(bins, i, width, drift, static bin => bin.Back, isMin: false);
            if (double.IsNaN(there) || double.IsNaN(back))
            {
                continue;
            }

            double size = Math.Abs(there) < Math.Abs(back) ? there : back;
            double least = MinStepNanos + (UnevenDrift * (bins[Math.Min(i + width, bins.Length - 1)].Time - (double)bins[Math.Max(i - width, 0)].Time
                - Math.Abs(size)));
            bool isStep = Math.Sign(there) == Math.Sign(back) && Math.Abs(size) >= least && Math.Abs(there - back) <= Math.Max(least, Math.Abs(size) / 4);
            if (isStep && (greatest is not { } best || Math.Abs(size) > Math.Abs(best.Size)))
            {
                greatest = new Jump(i, size, drift, thereBefore, thereAfter, backBefore, backAfter, bins[i].Time);
            }
        }

        return greatest;
    }

    // The fastest packets of the next bins on each side that have any, without the two that touch: a step in the middle of one shows on both sides.
    static (double Change, double Before, double After) Change(
        Bin[] bins, int at, int width, double drift, Func<Bin, double> value, bool isMin)
    {
        double before = Extreme(bins[..at].Reverse());
        double after = Extreme(bins[Math.Min(at + 1, bins.Length - 1)..]);
        return (after - before, before, after);

        double Extreme(IEnumerable<Bin> side)
        {
            double[] known = [.. side.Where(bin => !double.IsNaN(value(bin))).Take(width).Select(bin => value(bin) - (drift * (bin.Time - bins[at].Time)))];
            return known.Length == 0 ? double.NaN : isMin ? known.Min() : known.Max();
        }
    }

    // The place in the order of one clock from which on the differences are nearer to those behind the step.
    static (double Cost, long Time) Split(ClockSample[] samples, int from, int to, in Jump jump, bool isFar)
    {
        var part = new List<ClockSample>();
        for (int i = from; i < to; i++)
        {
            part.Add(samples[i]);
        }

        part.Sort((one, two) => isFar ? one.Far.CompareTo(two.Far) : one.Near.CompareTo(two.Near));
        double[] gains = new double[part.Count]; // of counting a sample as before rather than behind
        double all = 0;
        for (int i = 0; i < part.Count; i++)
        {
            double detrended = part[i].Difference - (double)samples[0].Difference - (jump.Drift * (part[i].Near - jump.Time));
            (double before, double after) = part[i].IsFromClient ? (jump.ThereBefore, jump.ThereAfter) : (jump.BackBefore, jump.BackAfter);
            gains[i] = Math.Abs(detrended - before) - Math.Abs(detrended - after);
            all += Math.Abs(detrended - after);
        }

        (double least, int at, double cost) = (all, 0, all);
        for (int i = 0; i < part.Count; i++)
        {
            cost += gains[i];
            if (cost < least)
            {
                (least, at) = (cost, i + 1);
            }
        }

        // In the middle, so that packets that are no samples fall on the right side: a step forward leaves a gap.
        (ClockSample last, ClockSample first) = (part[Math.Clamp(at - 1, 0, part.Count - 1)], part[Math.Min(at, part.Count - 1)]);
        return (least, isFar ? last.Far + ((first.Far - last.Far + 1) / 2) : last.Near + ((first.Near - last.Near + 1) / 2));
    }

    readonly record struct Bin(int First, long Time, double There, double Back);

    readonly record struct Jump(
        int Bin, double Size, double Drift, double ThereBefore, double ThereAfter, double BackBefore, double BackAfter, long Time);
}
