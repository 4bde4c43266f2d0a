using System;
using System.Collections.Generic;

namespace TcpDiag.Analysis.Scoreboards;

/// <summary>
/// Finds which late originals acknowledgments without any news answer, by how late they are: behind the first SACK of data above them, originals of one path come about as late. Of all latenesses
/// that an acknowledgment would mean for one segment or another, the one is taken that explains most acknowledgments and originals known to be late, each acknowledgment by a segment of its own:
/// one sent again that was not needed, or one whose original the receiver threw away.
/// </summary>
static class LatenessMatch
{
    // Originals of one path are equally late when they differ by less than one part of so many.
    const int Alike = 50;

    // So many originals that are equally late are none by chance.
    const int LeastAlike = 2;

    // Bounds against made-up traces; of many originals, some lie near to anything by chance.
    const int MostPairs = 1024;
    const int MostProven = 64;

    /// <summary>Marks the segments that were answered, and removes what answered them.</summary>
    /// <param name="resends">Segments sent again.</param>
    /// <param name="repeats">The acknowledgments, in order.</param>
    /// <param name="known">How late others are known to have been, nanoseconds; 0 when that is not known.</param>
    /// <returns>The latest lateness known, nanoseconds.</returns>
    public static long Mark(in RangeList<Resend> resends, List<Repeat> repeats, long known)
    {
        List<long> proven = ProvenOf(resends, known);
        List<Pair> pairs = PairsOf(resends, repeats);
        HashSet<int> answering = [];
        while (Likeliest(pairs, proven) is { } likeliest)
        {
            known = likeliest;
            MarkAlike(resends, repeats, pairs, known, answering);
        }

        for (int i = repeats.Count - 1; answering.Count > 0 && i >= 0; i--)
        {
            if (answering.Contains(i))
            {
                repeats.RemoveAt(i);
            }
        }

        return known;
    }

    // Of originals that came before what was sent again, once: before what was sent a third time the second may have come.
    static List<long> ProvenOf(in RangeList<Resend> resends, long known)
    {
        List<long> proven = known > 0 ? [known] : [];
        for (int i = resends.Count - 1; i >= 0 && proven.Count < MostProven; i--)
        {
            ref readonly Resend resend = ref resends[i];
            if (resend.Is(ResendMarks.WasSackHole) && !resend.Is(ResendMarks.IsRepeated) && RepeatJudge.IsDuplicate(resend))
            {
                proven.Add(resend.AckedTime - resend.HoleTime);
            }
        }

        return proven;
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
                long lateness = LatenessOf(resends, j, repeat);
                if (resend.Is(ResendMarks.WasSackHole) && lateness > 0)
                {
                    bool isOpen = RepeatJudge.IsOpen(resend, repeat);
                    bool isPair = isOpen || RepeatJudge.CanBeOriginal(resend, repeat);
                    pairs.AddRange(isPair ? [new Pair(i, j, lateness, isOpen)] : []);
                }
            }
        }

        return pairs;
    }

    // How late what came before a segment is, if the acknowledgment answers that: the original behind the first SACK above it, or the resending before this one behind its round trip.
    static long LatenessOf(in RangeList<Resend> resends, int index, in Repeat repeat)
    {
        int before = index - 1;
        bool isRepeated = resends[index].Is(ResendMarks.IsRepeated) && before >= 0 && resends[before].Start == resends[index].Start;
        return isRepeated ? repeat.Time - resends[before].Time - (repeat.LeastRtt * 8 / 7) : repeat.Time - resends[index].HoleTime;
    }

    // That of most originals; of as many, the least, or of those that differ little the one that most are closest to.
    static long? Likeliest(List<Pair> pairs, List<long> proven)
    {
        long? likeliest = null;
        (int Count, long Spread) best = (LeastAlike, 0);
        foreach (Pair pair in pairs)
        {
            List<Pair> alike = AlikeOf(pairs, pair.Lateness);
            int count = alike.Count + CountAlike(proven, pair.Lateness);
            if (count < best.Count)
            {
                continue;
            }

            long spread = SpreadOf(alike, pair.Lateness);
            bool isBetter = count > best.Count || likeliest is not { } known
                || (IsAlike(pair.Lateness, known) ? spread < best.Spread : pair.Lateness < known);
            likeliest = isBetter ? pair.Lateness : likeliest;
            best = isBetter ? (count, spread) : best;
        }

        return likeliest;
    }

    static int CountAlike(List<long> proven, long lateness)
    {
        int count = 0;
        foreach (long other in proven)
        {
            count += IsAlike(other, lateness) ? 1 : 0;
        }

        return count;
    }

    static long SpreadOf(List<Pair> alike, long lateness)
    {
        long spread = 0;
        foreach (Pair pair in alike)
        {
            spread += Math.Abs(pair.Lateness - lateness);
        }

        return spread;
    }

    static bool IsAlike(long lateness, long other) => Math.Abs(lateness - other) <= other / Alike;

    static void MarkAlike(in RangeList<Resend> resends, List<Repeat> repeats, List<Pair> pairs, long lateness, HashSet<int> answering)
    {
        foreach (Pair pair in AlikeOf(pairs, lateness))
        {
            _ = pair.IsOpen || RepeatJudge.Mark(resends, pair.Segment, repeats[pair.Repeat]);
            _ = answering.Add(pair.Repeat);
            _ = pairs.RemoveAll(other => other.Repeat == pair.Repeat || other.Segment == pair.Segment);
        }
    }

    // Each acknowledgment in turn takes the segment that fits best; one that was open rather than another.
    static List<Pair> AlikeOf(List<Pair> pairs, long lateness)
    {
        List<Pair> alike = [];
        int i = 0;
        while (i < pairs.Count)
        {
            int repeat = pairs[i].Repeat;
            Pair? best = null;
            for (; i < pairs.Count && pairs[i].Repeat == repeat; i++)
            {
                Pair pair = pairs[i];
                bool isFree = IsAlike(pair.Lateness, lateness) && !alike.Exists(other => other.Segment == pair.Segment);
                best = isFree && (best is not { } known || IsBetter(pair, known, lateness)) ? pair : best;
            }

            alike.AddRange(best is { } match ? [match] : []);
        }

        return alike;
    }

    static bool IsBetter(in Pair pair, in Pair known, long lateness) =>
        pair.IsOpen != known.IsOpen ? pair.IsOpen : Math.Abs(pair.Lateness - lateness) <= Math.Abs(known.Lateness - lateness);

    readonly record struct Pair(int Repeat, int Segment, long Lateness, bool IsOpen);
}
