using System;
using System.Collections.Generic;

namespace TcpDiag.Analysis.Sender;

/// <summary>
/// Finds which late originals acknowledgments without any news answer, by how late they are: behind the first SACK of data above them, originals of one path
/// come about as late. Of all extentes that an acknowledgment would mean for one segment or another, the one is taken that explains most acknowledgments and
/// originals known to be late, each acknowledgment by a segment of its own: one sent again that was not needed, or one whose original the receiver threw
/// away.
/// </summary>
static class LateOriginals
{
    // Bounds against made-up traces; of many originals, some lie near to anything by chance.
    const int MaxPairs = 1024;
    const int MaxProven = 64;

    /// <summary>Marks the segments that were answered, and removes what answered them.</summary>
    /// <param name="list">Segments sent again.</param>
    /// <param name="acks">The acknowledgments, in order.</param>
    /// <param name="known">How late others are known to have been, nanoseconds; 0 when that is not known.</param>
    /// <returns>The latest extent known, nanoseconds.</returns>
    public static long Mark(in RetransmissionList list, List<AckWithoutNews> acks, long known)
    {
        List<long> proven = ProvenOf(list, known);
        List<Pair> pairs = PairsOf(list, acks);
        HashSet<int> answering = [];
        while (Likeliest(pairs, proven) is { } likeliest)
        {
            known = likeliest;
            MarkMatches(list, acks, pairs, known, answering);
        }

        for (int i = acks.Count - 1; answering.Count > 0 && i >= 0; i--)
        {
            if (answering.Contains(i))
            {
                acks.RemoveAt(i);
            }
        }

        return known;
    }

    // Of originals that came before what was sent again, once: before what was sent a third time the second may have come.
    static List<long> ProvenOf(in RetransmissionList list, long known)
    {
        List<long> proven = known > 0 ? [known] : [];
        for (int i = list.Count - 1; i >= 0 && proven.Count < MaxProven; i--)
        {
            ref readonly Retransmission item = ref list[i];
            if (item.Is(RetransmissionMarks.WasSackHole) && !item.Is(RetransmissionMarks.IsRepeated) && DuplicateEvidence.IsDuplicate(item))
            {
                proven.Add(item.AckedTime - item.HoleTime);
            }
        }

        return proven;
    }

    static List<Pair> PairsOf(in RetransmissionList list, List<AckWithoutNews> acks)
    {
        List<Pair> pairs = [];
        for (int i = 0; i < acks.Count; i++)
        {
            AckWithoutNews ack = acks[i];
            for (int j = 0; j < list.Count && pairs.Count < MaxPairs; j++)
            {
                ref readonly Retransmission item = ref list[j];
                if (item.Is(RetransmissionMarks.WasSackHole) && ExtentOf(list, j, ack) is > 0 and { } extent)
                {
                    bool isOpen = DuplicateEvidence.IsOpen(item, ack);
                    bool isPair = isOpen || DuplicateEvidence.CanBeOriginal(item, ack);
                    pairs.AddRange(isPair ? [new Pair(i, j, extent, isOpen)] : []);
                }
            }
        }

        return pairs;
    }

    // How late what came before a segment is, if the acknowledgment answers that: the original behind the first SACK above it, or the resending before this
    // one behind its round trip.
    static long ExtentOf(in RetransmissionList list, int index, in AckWithoutNews ack)
    {
        int before = index - 1;
        bool isRepeated = list[index].Is(RetransmissionMarks.IsRepeated) && before >= 0 && list[before].Start == list[index].Start;
        return isRepeated ? ack.At.Time - list[before].Time - (ack.At.MinRttNanos * 8 / 7) : ack.At.Time - list[index].HoleTime;
    }

    // That of most originals; of as many, the least, or of those that differ little the one that most are closest to.
    static long? Likeliest(List<Pair> pairs, List<long> proven)
    {
        long? likeliest = null;
        (int Count, long Spread) best = (Thresholds.MinEquallyLate, 0);
        foreach (Pair pair in pairs)
        {
            List<Pair> matches = MatchesOf(pairs, pair.Extent);
            int count = matches.Count + CountMatches(proven, pair.Extent);
            if (count < best.Count)
            {
                continue;
            }

            long spread = SpreadOf(matches, pair.Extent);
            bool isBetter = count > best.Count || likeliest is not { } known
                || (IsMatch(pair.Extent, known) ? spread < best.Spread : pair.Extent < known);
            likeliest = isBetter ? pair.Extent : likeliest;
            best = isBetter ? (count, spread) : best;
        }

        return likeliest;
    }

    static int CountMatches(List<long> proven, long extent)
    {
        int count = 0;
        foreach (long other in proven)
        {
            count += IsMatch(other, extent) ? 1 : 0;
        }

        return count;
    }

    static long SpreadOf(List<Pair> matches, long extent)
    {
        long spread = 0;
        foreach (Pair pair in matches)
        {
            spread += Math.Abs(pair.Extent - extent);
        }

        return spread;
    }

    static bool IsMatch(long extent, long other) => Math.Abs(extent - other) <= other / Thresholds.EquallyLateParts;

    static void MarkMatches(in RetransmissionList list, List<AckWithoutNews> acks, List<Pair> pairs, long extent, HashSet<int> answering)
    {
        foreach (Pair pair in MatchesOf(pairs, extent))
        {
            _ = pair.IsOpen || DuplicateEvidence.Mark(list, pair.Segment, acks[pair.Repeat]);
            _ = answering.Add(pair.Repeat);
            _ = pairs.RemoveAll(other => other.Repeat == pair.Repeat || other.Segment == pair.Segment);
        }
    }

    // Each acknowledgment in turn takes the segment that fits best; one that was open rather than another.
    static List<Pair> MatchesOf(List<Pair> pairs, long extent)
    {
        List<Pair> matches = [];
        int i = 0;
        while (i < pairs.Count)
        {
            int repeat = pairs[i].Repeat;
            Pair? best = null;
            for (; i < pairs.Count && pairs[i].Repeat == repeat; i++)
            {
                Pair pair = pairs[i];
                bool isFree = IsMatch(pair.Extent, extent) && !matches.Exists(other => other.Segment == pair.Segment);
                best = isFree && (best is not { } known || IsBetter(pair, known, extent)) ? pair : best;
            }

            matches.AddRange(best is { } match ? [match] : []);
        }

        return matches;
    }

    static bool IsBetter(in Pair pair, in Pair known, long extent) =>
        pair.IsOpen != known.IsOpen ? pair.IsOpen : Math.Abs(pair.Extent - extent) <= Math.Abs(known.Extent - extent);

    readonly record struct Pair(int Repeat, int Segment, long Extent, bool IsOpen);
}
