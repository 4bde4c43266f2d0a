using System;
using System.Collections.Generic;

namespace TcpDiag.Analysis.Scoreboards;

/// <summary>
/// Finds which late originals acknowledgments without any news answer, by how late they are: behind the first SACK of data above them, originals of one path come about as late. Of all latenesses
/// that an acknowledgment would mean for one segment or another, the one is taken that explains most acknowledgments, each by a segment of its own.
/// </summary>
static class LatenessMatch
{
    // Originals of one path are equally late when they differ by less than one part of so many.
    const int Alike = 50;

    // So many originals that are equally late are none by chance.
    const int LeastAlike = 2;

    const int MostPairs = 1024; // a bound against traces of made-up acknowledgments

    // Segment of a pair: none that is known, but data that was open may be meant.
    const int Open = -1;

    /// <summary>Marks the segments that were answered, and removes what answered them.</summary>
    /// <param name="resends">Segments sent again.</param>
    /// <param name="repeats">The acknowledgments, in order.</param>
    /// <param name="known">How late others are known to have been, nanoseconds; 0 when that is not known.</param>
    /// <returns>The latest lateness known, nanoseconds.</returns>
    public static long Mark(in RangeList<Resend> resends, List<Repeat> repeats, long known)
    {
        List<Pair> pairs = PairsOf(resends, repeats);
        HashSet<int> answering = [];
        int found = MarkAlike(resends, pairs, known, answering);
        while (Likeliest(pairs) is { Lateness: > 0 } likeliest)
        {
            known = likeliest.Lateness;
            found += MarkAlike(resends, pairs, known, answering);
        }

        for (int i = repeats.Count - 1; found > 0 && i >= 0; i--)
        {
            if (answering.Contains(i))
            {
                repeats.RemoveAt(i);
            }
        }

        return known;
    }

    static List<Pair> PairsOf(in RangeList<Resend> resends, List<Repeat> repeats)
    {
        List<Pair> pairs = [];
        for (int i = 0; i < repeats.Count; i++)
        {
            Repeat repeat = repeats[i];
            for (int j = 0; j < resends.Count && pairs.Count < MostPairs; j++)
            {
                ref readonly Resend resend = ref resends[j];
                long lateness = repeat.Time - resend.HoleTime;
                if (resend.Is(ResendMarks.WasSackHole) && lateness > 0)
                {
                    bool isOpen = repeat.MayBeNew && resend.AckedTime > repeat.Time;
                    bool isPair = isOpen || RepeatJudge.CanBeOriginal(resend, repeat);
                    pairs.AddRange(isPair ? [new Pair(i, isOpen ? Open : j, lateness)] : []);
                }
            }
        }

        return pairs;
    }

    static (long Lateness, int Count) Likeliest(List<Pair> pairs)
    {
        (long Lateness, int Count) best = default;
        foreach (Pair pair in pairs)
        {
            int count = pair.Segment == Open ? 0 : AlikeOf(pairs, pair.Lateness).Count;
            best = count > best.Count ? (pair.Lateness, count) : best;
        }

        return best.Count >= LeastAlike ? best : default;
    }

    static int MarkAlike(in RangeList<Resend> resends, List<Pair> pairs, long lateness, HashSet<int> answering)
    {
        List<Pair> alike = lateness > 0 ? AlikeOf(pairs, lateness) : [];
        foreach (Pair pair in alike)
        {
            _ = RepeatJudge.Mark(resends, pair.Segment);
            _ = answering.Add(pair.Repeat);
            _ = pairs.RemoveAll(other => other.Repeat == pair.Repeat || other.Segment == pair.Segment);
        }

        return alike.Count;
    }

    // Each acknowledgment in turn takes the segment that fits best, if nothing that was open fits as well.
    static List<Pair> AlikeOf(List<Pair> pairs, long lateness)
    {
        List<Pair> alike = [];
        int i = 0;
        while (i < pairs.Count)
        {
            int repeat = pairs[i].Repeat;
            Pair? best = null;
            bool isOpen = false;
            for (; i < pairs.Count && pairs[i].Repeat == repeat; i++)
            {
                Pair pair = pairs[i];
                long difference = Math.Abs(pair.Lateness - lateness);
                if (difference > lateness / Alike)
                {
                    continue;
                }

                isOpen |= pair.Segment == Open;
                bool isBetter = pair.Segment != Open && !alike.Exists(other => other.Segment == pair.Segment)
                    && (best is not { } known || difference < Math.Abs(known.Lateness - lateness));
                best = isBetter ? pair : best;
            }

            if (best is { } match && !isOpen)
            {
                alike.Add(match);
            }
        }

        return alike;
    }

    readonly record struct Pair(int Repeat, int Segment, long Lateness);
}
