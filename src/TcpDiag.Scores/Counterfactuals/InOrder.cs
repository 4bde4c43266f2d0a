using System;
using System.Collections.Generic;

namespace TcpDiag.Scores.Counterfactuals;

/// <summary>
/// Which segments kept their order: the longest subsequence whose arrivals do not go back (patience sorting; Fredman 1975). Those that are left out are the
/// ones that a path delayed or hastened, since it takes the fewest of them to explain what is seen.
/// </summary>
static class InOrder
{
    /// <summary>Finds it.</summary>
    /// <param name="arrivals">When each arrived, in the order of sending.</param>
    /// <returns>The positions that kept their order, ascending.</returns>
    public static int[] Of(ReadOnlySpan<long> arrivals)
    {
        List<int> tails = []; // of the subsequences of each length the one that ends earliest
        int[] before = new int[arrivals.Length];
        for (int i = 0; i < arrivals.Length; i++)
        {
            int length = Behind(tails, arrivals, arrivals[i]);
            before[i] = length == 0 ? -1 : tails[length - 1];
            if (length == tails.Count)
            {
                tails.Add(i);
            }
            else
            {
                tails[length] = i;
            }
        }

        int[] kept = new int[tails.Count];
        for (int at = kept.Length - 1, i = at < 0 ? -1 : tails[at]; at >= 0; at--, i = before[i])
        {
            kept[at] = i;
        }

        return kept;
    }

    // How many subsequences end no later than a value.
    static int Behind(List<int> tails, ReadOnlySpan<long> arrivals, long value)
    {
        int low = 0;
        int high = tails.Count;
        while (low < high)
        {
            int middle = (low + high) / 2;
            (low, high) = arrivals[tails[middle]] <= value ? (middle + 1, high) : (low, middle);
        }

        return low;
    }
}
