using System;
using System.Collections.Generic;

namespace TcpDiag.Locate.Packets;

/// <summary>
/// What changed its place between two points. By RFC 4737 each packet is late that comes behind one sent later; one early packet makes many late. The fewest
/// packets that must have moved, all but a longest increasing subsequence (Fredman 1975), are what something on the way did.
/// </summary>
static class ReorderCounter
{
    /// <summary>Counts.</summary>
    /// <param name="arrivals">What both points saw; sorted here.</param>
    /// <param name="counts">Receives the counts.</param>
    public static void Count(List<Arrival> arrivals, StepCounts counts)
    {
        arrivals.Sort(static (one, two) => one.Sent.CompareTo(two.Sent));
        long[] leastBehind = new long[arrivals.Count + 1];
        leastBehind[^1] = long.MaxValue;
        for (int i = arrivals.Count - 1; i >= 0; i--)
        {
            leastBehind[i] = Math.Min(leastBehind[i + 1], arrivals[i].Seen);
        }

        long most = long.MinValue;
        int start = 0;
        for (int i = 0; i < arrivals.Count; i++)
        {
            most = Math.Max(most, arrivals[i].Seen);
            if (most < leastBehind[i + 1])
            {
                if (i > start)
                {
                    CountStretch(arrivals[start..(i + 1)], counts);
                }

                start = i + 1;
            }
        }
    }

    // A stretch that nothing crosses; in the order of sending.
    static void CountStretch(List<Arrival> stretch, StepCounts counts)
    {
        counts.Events++;
        bool[] stays = LongestIncreasing(stretch);
        long latest = long.MinValue; // arrival of the packet that stays in its place and was sent before
        for (int i = 0; i < stretch.Count; i++)
        {
            if (stays[i])
            {
                latest = stretch[i].Seen;
            }
            else if (stretch[i].Seen < latest)
            {
                counts.Ahead++;
            }
            else
            {
                counts.Behind++;
            }
        }

        CountLate(stretch, counts);
    }

    static void CountLate(List<Arrival> stretch, StepCounts counts)
    {
        Arrival[] seen = [.. stretch];
        Array.Sort(seen, static (one, two) => one.Seen.CompareTo(two.Seen));

        // The earliest arrival among those sent later: the greatest so far form a stair, and the first step above a packet is it.
        var stair = new List<Arrival>();
        foreach (Arrival arrival in seen)
        {
            if (stair.Count == 0 || arrival.Sent > stair[^1].Sent)
            {
                stair.Add(arrival);
                continue;
            }

            int above = stair.FindIndex(step => step.Sent > arrival.Sent);
            counts.Late++;
            counts.LateOffset.Add(arrival.Time - stair[above].Time);
        }
    }

    // Patience sorting: the last of the shortest-ending subsequence of each length, and what comes before each.
    static bool[] LongestIncreasing(List<Arrival> stretch)
    {
        int[] before = new int[stretch.Count];
        var ends = new List<int>();
        for (int i = 0; i < stretch.Count; i++)
        {
            (int low, int high) = (0, ends.Count);
            while (low < high)
            {
                int middle = (low + high) / 2;
                (low, high) = stretch[ends[middle]].Seen < stretch[i].Seen ? (middle + 1, high) : (low, middle);
            }

            before[i] = low > 0 ? ends[low - 1] : -1;
            if (low == ends.Count)
            {
                ends.Add(i);
            }
            else
            {
                ends[low] = i;
            }
        }

        bool[] stays = new bool[stretch.Count];
        for (int i = ends[^1]; i >= 0; i = before[i])
        {
            stays[i] = true;
        }

        return stays;
    }
}

/// <summary>A piece at two points.</summary>
/// <param name="Sent">Its place in the order of the first.</param>
/// <param name="Seen">Its place in that of the second.</param>
/// <param name="Time">When the second saw it, ns by its clock.</param>
readonly record struct Arrival(long Sent, long Seen, long Time);
