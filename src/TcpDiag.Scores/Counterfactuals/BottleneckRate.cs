using System;
using System.Collections.Generic;

namespace TcpDiag.Scores.Counterfactuals;

/// <summary>
/// The rate of a path's slowest link, from how far apart the segments of a train arrive (packet dispersion): nothing hastens them behind that link, and a
/// sender that is clocked by acknowledgments keeps their distance. So it shows also where the path was never filled.
/// </summary>
static class BottleneckRate
{
    const int TrainSegments = 6;
    const double Quantile = 0.95; // most trains of a small window have gaps; few are hastened, by acknowledgments that a busy host held up
    const int MinTrains = 20;

    /// <summary>Finds it.</summary>
    /// <param name="segments">What became of each segment.</param>
    /// <param name="kept">Those that kept their order, ascending.</param>
    /// <returns>Segments per ns; 0 without enough trains.</returns>
    public static double Of(IReadOnlyList<SegmentFate> segments, ReadOnlySpan<int> kept)
    {
        List<double> rates = [];
        for (int from = 0; from < kept.Length;)
        {
            from = LastOfAnswer(segments, kept, from);
            int to = from + TrainSegments;
            if (to >= kept.Length)
            {
                break;
            }

            to = LastOfAnswer(segments, kept, to);
            bool isWhole = kept[to] - kept[from] == to - from;
            long nanos = segments[kept[to]].Delivered - segments[kept[from]].Delivered;
            if (isWhole && nanos > 0)
            {
                rates.Add((double)(to - from) / nanos);
            }

            from++;
        }

        rates.Sort();
        return rates.Count >= MinTrains ? rates[(int)(Quantile * (rates.Count - 1))] : 0;
    }

    // An acknowledgment tells of several.
    static int LastOfAnswer(IReadOnlyList<SegmentFate> segments, ReadOnlySpan<int> kept, int at)
    {
        while (at + 1 < kept.Length && segments[kept[at + 1]].Delivered == segments[kept[at]].Delivered)
        {
            at++;
        }

        return at;
    }
}
