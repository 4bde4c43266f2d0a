using TcpDiag.Wire;

namespace TcpDiag.Analysis.Scoreboards;

/// <summary>What lists of ranges that do not overlap have in common.</summary>
static class Ranges
{
    /// <summary>Takes a part out of a range.</summary>
    /// <typeparam name="T">The range.</typeparam>
    /// <param name="list">Its list.</param>
    /// <param name="index">Its position.</param>
    /// <param name="from">First number of the part, inside the range.</param>
    /// <param name="to">Behind the last number of the part, inside the range.</param>
    /// <param name="overflow">Counts an upper rest for which the list has no room.</param>
    /// <returns>Ranges left of it, 0 … 2: so many positions further on is the range that followed.</returns>
    public static int Cut<T>(ref RangeList<T> list, int index, SequenceNumber from, SequenceNumber to, ref long overflow)
        where T : struct, ISequenceRange
    {
        ref T range = ref list[index];
        T rest = range;
        bool keepsLow = from > range.Start;
        bool keepsHigh = to < range.End;
        if (!keepsLow && !keepsHigh)
        {
            list.Remove(index, 1);
            return 0;
        }

        range.Start = keepsLow ? range.Start : to;
        range.End = keepsLow ? from : range.End;
        if (!keepsLow || !keepsHigh)
        {
            return 1;
        }

        if (list.IsFull)
        {
            overflow++;
            return 1;
        }

        rest.Start = to;
        list.Insert(index + 1, rest);
        return 2;
    }
}
