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

    const int MaxSteps = 8;

    // Of the sum of logarithms that the cost is: as if each of 20 of the fastest packets came ten times nearer.
    const double WorthOfStep = 46;

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

        (IReadOnlyList<ClockStep> found, FitParts parts) = FindSteps(samples);
        double skew = parts.Slope();
        (double offset, double width) = parts.Offset(skew, part: 0);
        double bound = parts.BoundOf(skew, offset, part: 0);
        double before = offset;
        var steps = new List<ClockStep>();
        for (int i = 0; i < found.Count; i++)
        {
            double after = parts.OffsetAfter(skew, offset, width, part: i + 1);
            bound = Math.Max(bound, parts.BoundOf(skew, after, part: i + 1));
            steps.Add(found[i] with { Size = after - before });
            before = after;
        }

        bool isKnown = double.IsFinite(bound);
        return new ClockRelation
        {
            IsKnown = isKnown,
            Origin = parts.Origin,
            Offset = parts.Base + offset,
            Skew = skew,
            Steps = steps,
            Bound = isKnown ? Math.Max(ResolutionNanos, bound) : 0,
        };
    }

    // The first step with a wide window, where there is one, then others as long as each makes the fit so much better that it is no chance. Where that leads
    // to packets that arrive before they were sent, the first one was two: then narrow windows from the beginning.
    static (IReadOnlyList<ClockStep> Steps, FitParts Parts) FindSteps(IReadOnlyList<ClockSample> samples)
    {
        Chain start = Chain.Of(samples, []);
        Chain[] wide = [.. ClockStepFinder.Candidates(samples, [], isWide: true).Select(step => Chain.Of(samples, [step]))];
        Chain best = GoOn(samples, wide.Length > 0 ? wide[0] : start);
        if (best.IsImpossible)
        {
            Chain other = GoOn(samples, start);
            best = other.Cost < best.Cost ? other : best;
        }

        return (best.Steps, best.Parts);
    }

    static Chain GoOn(IReadOnlyList<ClockSample> samples, Chain chain)
    {
        while (chain.Steps.Count < MaxSteps)
        {
            IReadOnlyList<ClockStep> known = chain.Parts.Refined(chain.Steps);
            Chain? better = ClockStepFinder.Candidates(samples, known, isWide: false)
                .Select(candidate => Chain.Of(samples, [.. known, candidate]))
                .MinBy(with => with.Cost);
            if (better is null || better.Cost > chain.Cost - WorthOfStep)
            {
                break;
            }

            chain = better;
        }

        return chain;
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

    /// <summary>Steps, what they make of the samples, and how badly that fits.</summary>
    sealed record Chain(IReadOnlyList<ClockStep> Steps, FitParts Parts, double Cost)
    {
        /// <summary>Whether no line keeps the directions apart.</summary>
        public bool IsImpossible => Cost >= FitParts.Impossible;

        public static Chain Of(IReadOnlyList<ClockSample> samples, IReadOnlyList<ClockStep> steps)
        {
            // In the order in which they were: the more packets lie behind one, the earlier it was.
            ClockStep[] ordered = [.. steps.OrderByDescending(step => samples.Count(sample => step.IsBehind(sample)))];
            var parts = new FitParts(samples, ordered);
            return new Chain(ordered, parts, parts.Cost());
        }
    }

    /// <summary>The samples before, between and behind steps as points: nanoseconds from an origin.</summary>
    sealed class FitParts
    {
        const int Bins = 200;

        // What a time stamp of a capture is worth: below that, distances from the line do not count more.
        const double NoiseNanos = 10_000;

        /// <summary>The cost of what cannot be; none that can be is as high.</summary>
        public const double Impossible = 1e9;

        readonly (Envelope There, Envelope Back)[] _parts;
        readonly (Envelope There, Envelope Back)[] _all;
        readonly List<(double X, double Y, bool IsThere, int Part)> _fastest = [];
        readonly double[] _rough; // by how much the second clock is more ahead in each part than before

        public FitParts(IReadOnlyList<ClockSample> samples, IReadOnlyList<ClockStep> steps)
        {
            Origin = samples[samples.Count / 2].Near;
            _rough = new double[steps.Count + 1];
            for (int i = 0; i < steps.Count; i++)
            {
                _rough[i + 1] = _rough[i] + steps[i].Size;
            }

            _parts = [.. _rough.Select(_ => (new Envelope(), new Envelope()))];
            _all = [.. _rough.Select(_ => (new Envelope(), new Envelope()))];
            Base = samples[samples.Count / 2].Difference;
            var bins = new Dictionary<(int Bin, bool IsThere, int Part), (double X, double Y)>();
            double span = Math.Max(1, samples[^1].Near - (double)samples[0].Near);
            bool[] isOrderly = Orderly(samples);
            for (int i = 0; i < samples.Count; i++)
            {
                ClockSample sample = samples[i];
                int part = steps.Count(step => step.IsBehind(sample));
                double x = sample.Near - Origin;
                double y = sample.Difference - Base - _rough[part];
                Add(_all[part], sample, x, y);
                if (!isOrderly[i])
                {
                    continue;
                }

                Add(_parts[part], sample, x, y);
                var key = ((int)Math.Min(Bins - 1, (sample.Near - samples[0].Near) / span * Bins), sample.IsFromClient, part);
                if (!bins.TryGetValue(key, out (double X, double Y) best) || (sample.IsFromClient ? y < best.Y : y > best.Y))
                {
                    bins[key] = (x, y);
                }
            }

            _fastest.AddRange(bins.Select(bin => (bin.Value.X, bin.Value.Y, bin.Key.IsThere, bin.Key.Part)));
        }

        public long Origin { get; }

        public double Base { get; }

        /// <summary>How badly a line fits; where none does, more than ever otherwise, by how far the directions contradict each other.</summary>
        public double Cost()
        {
            double slope = Slope();
            double distance = Distance(slope);
            return double.IsFinite(distance) ? distance : Impossible
                + _parts.Select((_, part) => Math.Max(0, Low(part, slope) - High(part, slope)) / NoiseNanos).Sum();
        }

        /// <summary>The steps by what the fit says of their sizes.</summary>
        public IReadOnlyList<ClockStep> Refined(IReadOnlyList<ClockStep> steps)
        {
            double slope = Slope();
            (double offset, double width) = Offset(slope, part: 0);
            double[] offsets = [offset, .. steps.Select((_, i) => OffsetAfter(slope, offset, width, i + 1))];
            return [.. steps.Select((step, i) => step with { Size = offsets[i + 1] - offsets[i] })];
        }

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
            (double Low, double High)[] heights = [.. _parts.Select((_, part) => (Low(part, slope), High(part, slope)))];
            if (Array.Exists(heights, height => height.Low > height.High))
            {
                return double.PositiveInfinity;
            }

            double sum = 0;
            foreach ((double x, double y, bool isThere, int part) in _fastest)
            {
                double height = isThere ? heights[part].High : heights[part].Low;
                sum += Math.Log(1 + (Math.Abs(y - (slope * x) - height) / NoiseNanos));
            }

            return sum;
        }

        /// <summary>The middle between both directions, and how far they are apart.</summary>
        public (double Offset, double Width) Offset(double slope, int part)
        {
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
        /// The offset behind steps: the fastest packets of each direction need as long as before, unless a queue stood in the way all the time. So of what
        /// both directions say and the middle the one in between is taken.
        /// </summary>
        public double OffsetAfter(double slope, double before, double width, int part)
        {
            (double after, double widthAfter) = Offset(slope, part);
            if (!double.IsFinite(width) || !double.IsFinite(widthAfter))
            {
                return after + _rough[part];
            }

            double byHigh = before + High(part, slope) - High(0, slope);
            double byLow = before + Low(part, slope) - Low(0, slope);
            return Math.Max(Math.Min(byHigh, byLow), Math.Min(Math.Max(byHigh, byLow), after)) + _rough[part];
        }

        /// <summary>
        /// How far an offset may be wrong at most: no packet arrives before it was sent. Where the directions contradict each other, a clock was set and it did
        /// not show when: then each time has an offset of its own, and the fastest packets there and back of that time are on either side of it.
        /// </summary>
        public double BoundOf(double slope, double offset, int part)
        {
            (Envelope there, Envelope back) = _all[part];
            double height = offset - _rough[part];
            if (there.IsEmpty && back.IsEmpty)
            {
                return 0;
            }

            double bound = Math.Max(Math.Abs(there.Support(slope) - height), Math.Abs(height + back.Support(-slope)));
            return there.Support(slope) >= -back.Support(-slope)
                ? bound
                : _fastest.Where(point => point.Part == part).Aggregate(bound, (most, point) => Math.Max(most, Math.Abs(point.Y - (slope * point.X) - height)));
        }

        static void Add((Envelope There, Envelope Back) edges, in ClockSample sample, double x, double y) =>
            (sample.IsFromClient ? edges.There : edges.Back).Add(x, sample.IsFromClient ? y : -y);

        double High(int part, double slope) => _parts[part].There.Support(slope);

        double Low(int part, double slope) => -_parts[part].Back.Support(-slope);
    }
}
