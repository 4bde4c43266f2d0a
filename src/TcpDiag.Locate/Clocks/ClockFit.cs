using System;
using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Locate.Clocks;

/// <summary>
/// Finds how two clocks stand to each other from packets of both directions. What goes from the first to the second point shows the offset plus its delay,
/// what comes back the offset less its delay: the true line runs between both. Its slope is the one to which most of the fastest packets of all times keep;
/// its height the middle, as if the fastest packets needed the same each way.
/// </summary>
static class ClockFit
{
    // RFC 5905 takes 500 ppm for the most a clock drifts.
    const double MaxSkew = 500e-6;

    // What most captures resolve.
    const double ResolutionNanos = 1_000;

    /// <summary>Fits.</summary>
    /// <param name="samples">Packets of both directions, in the order of the first clock.</param>
    /// <returns>The relation; not known where one direction is missing.</returns>
    public static ClockRelation Fit(IReadOnlyList<ClockSample> samples)
    {
        if (samples.Count == 0)
        {
            return new ClockRelation();
        }

        ClockStep? step = ClockStepFinder.Find(samples);
        var parts = new FitParts(samples, step);
        double skew = parts.Slope();
        (double offset, double width) = parts.Offset(skew, isAfter: false);
        double offsetAfter = step is null ? offset : parts.OffsetAfter(skew, offset, width);
        double bound = Math.Max(parts.BoundOf(skew, offset, isAfter: false),
            step is null ? double.NegativeInfinity : parts.BoundOf(skew, offsetAfter, isAfter: true));
        bool isKnown = double.IsFinite(bound);
        return new ClockRelation
        {
            IsKnown = isKnown,
            Origin = parts.Origin,
            Offset = parts.Base + offset,
            Skew = skew,
            Step = step is null ? 0 : offsetAfter - offset,
            StepTime = step?.Time ?? long.MaxValue,
            IsStepFar = step?.IsFar ?? true,
            Bound = isKnown ? Math.Max(ResolutionNanos, bound) : 0,
        };
    }

    /// <summary>
    /// Which packets overtook none: one that came ahead of others took a shorter way, and says little of what the fastest of the usual way need.
    /// </summary>
    static bool[] Orderly(IReadOnlyList<ClockSample> samples)
    {
        bool[] isOrderly = new bool[samples.Count];
        long latest = long.MinValue; // arrival of what was sent before
        for (int i = 0; i < samples.Count; i++)
        {
            if (samples[i].IsFromClient)
            {
                isOrderly[i] = samples[i].Far >= latest;
                latest = Math.Max(latest, samples[i].Far);
            }
        }

        long earliest = long.MaxValue; // sending of what arrives behind
        for (int i = samples.Count - 1; i >= 0; i--)
        {
            if (!samples[i].IsFromClient)
            {
                isOrderly[i] = samples[i].Far <= earliest;
                earliest = Math.Min(earliest, samples[i].Far);
            }
        }

        return isOrderly;
    }

    /// <summary>The samples before and after a step as points: seconds and nanoseconds from an origin.</summary>
    sealed class FitParts
    {
        const int Bins = 200;

        // What a time stamp of a capture is worth: below that, distances from the line do not count more.
        const double NoiseNanos = 10_000;

        readonly (Envelope There, Envelope Back)[] _parts = [(new(), new()), (new(), new())];
        readonly (Envelope There, Envelope Back)[] _all = [(new(), new()), (new(), new())];
        readonly List<(double X, double Y, bool IsThere, bool IsAfter)> _fastest = [];

        public FitParts(IReadOnlyList<ClockSample> samples, ClockStep? step)
        {
            Origin = samples[samples.Count / 2].Near;
            Base = samples[samples.Count / 2].Difference;
            double rough = step?.Size ?? 0;
            var bins = new Dictionary<(int Bin, bool IsThere, bool IsAfter), (double X, double Y)>();
            double span = Math.Max(1, samples[^1].Near - (double)samples[0].Near);
            bool[] isOrderly = Orderly(samples);
            for (int i = 0; i < samples.Count; i++)
            {
                ClockSample sample = samples[i];
                bool isAfter = step is { } known && known.IsBehind(sample);
                double x = sample.Near - Origin;
                double y = sample.Difference - Base - (isAfter ? rough : 0);
                Add(_all[isAfter ? 1 : 0], sample, x, y);
                if (!isOrderly[i])
                {
                    continue;
                }

                Add(_parts[isAfter ? 1 : 0], sample, x, y);
                var key = ((int)Math.Min(Bins - 1, (sample.Near - samples[0].Near) / span * Bins), sample.IsFromClient, isAfter);
                if (!bins.TryGetValue(key, out (double X, double Y) best) || (sample.IsFromClient ? y < best.Y : y > best.Y))
                {
                    bins[key] = (x, y);
                }
            }

            _fastest.AddRange(bins.Select(bin => (bin.Value.X, bin.Value.Y, bin.Key.IsThere, bin.Key.IsAfter)));
            Rough = rough;
        }

        public long Origin { get; }

        public double Base { get; }

        double Rough { get; }

        // Of the slopes of all edges that leave room for a line, the one from which the fastest packets of all times are nearest.
        public double Slope()
        {
            double best = 0;
            double least = double.PositiveInfinity;
            foreach (double slope in _parts.SelectMany(part => part.There.Slopes().Concat(part.Back.Slopes().Select(slope => -slope))).Append(0))
            {
                double distance = Math.Abs(slope) <= MaxSkew ? Distance(slope) : double.PositiveInfinity;
                if (distance < least)
                {
                    (best, least) = (slope, distance);
                }
            }

            return best;
        }

        double Distance(double slope)
        {
            Span<double> heights = [Low(0, slope), High(0, slope), Low(1, slope), High(1, slope)];
            if (heights[0] > heights[1] || heights[2] > heights[3])
            {
                return double.PositiveInfinity;
            }

            double sum = 0;
            foreach ((double x, double y, bool isThere, bool isAfter) in _fastest)
            {
                double height = heights[(isAfter ? 2 : 0) + (isThere ? 1 : 0)];
                sum += Math.Log(1 + (Math.Abs(y - (slope * x) - height) / NoiseNanos));
            }

            return sum;
        }

        /// <summary>The middle between both directions, and how far they are apart.</summary>
        public (double Offset, double Width) Offset(double slope, bool isAfter)
        {
            int part = isAfter ? 1 : 0;
            (double low, double high) = (Low(part, slope), High(part, slope));
            return (double.IsFinite(low), double.IsFinite(high)) switch
            {
                (true, true) => ((low + high) / 2, high - low),
                (true, false) => (low, double.PositiveInfinity),
                (false, true) => (high, double.PositiveInfinity),
                _ => (0, double.PositiveInfinity),
            };
        }

        /// <summary>
        /// The offset behind a step: the fastest packets of each direction need as long as before, unless a queue stood in the way all the time. So of what
        /// both directions say and the middle the one in between is taken.
        /// </summary>
        public double OffsetAfter(double slope, double before, double width)
        {
            (double after, double widthAfter) = Offset(slope, isAfter: true);
            if (!double.IsFinite(width) || !double.IsFinite(widthAfter))
            {
                return after + Rough;
            }

            double byHigh = before + High(1, slope) - High(0, slope);
            double byLow = before + Low(1, slope) - Low(0, slope);
            return Math.Max(Math.Min(byHigh, byLow), Math.Min(Math.Max(byHigh, byLow), after)) + Rough;
        }

        /// <summary>How far an offset may be wrong at most: no packet arrives before it was sent.</summary>
        public double BoundOf(double slope, double offset, bool isAfter)
        {
            (Envelope there, Envelope back) = _all[isAfter ? 1 : 0];
            double height = offset - (isAfter ? Rough : 0);
            return Math.Max(Math.Abs(there.Support(slope) - height), Math.Abs(height + back.Support(-slope)));
        }

        static void Add((Envelope There, Envelope Back) edges, in ClockSample sample, double x, double y) =>
            (sample.IsFromClient ? edges.There : edges.Back).Add(x, sample.IsFromClient ? y : -y);

        double High(int part, double slope) => _parts[part].There.Support(slope);

        double Low(int part, double slope) => -_parts[part].Back.Support(-slope);
    }
}
