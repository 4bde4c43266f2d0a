using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;

namespace TcpDiag.Analysis.Findings;

/// <summary>
/// The order of findings, what to mend first: sure ones, those in front that broke a transfer off, notes behind others, those that only describe behind those,
/// then most seconds lost, severity, name, connection.
/// </summary>
public static class FindingOrder
{
    /// <summary>Compares figures as they are sorted; equal ones stay in the order in which they were found.</summary>
    public static IComparer<FindingFigures> Comparer { get; } = Comparer<FindingFigures>.Create(Compare);

    /// <summary>Sorts figures of findings.</summary>
    /// <param name="findings">The figures, in the order in which the findings were found: it decides where all else is equal. Changed in place.</param>
    public static void Sort(FindingFigures[] findings)
    {
        ArgumentNullException.ThrowIfNull(findings);
        int[] order = OrderOf(findings);
        FindingFigures[] found = [.. findings];
        for (int i = 0; i < order.Length; i++)
        {
            findings[i] = found[order[i]];
        }
    }

    /// <summary>Sorts findings.</summary>
    internal static Finding[] Sorted(List<Finding> findings)
    {
        int[] order = OrderOf([.. findings.Select(FindingFigures.Of)]);
        var sorted = new Finding[order.Length];
        for (int i = 0; i < sorted.Length; i++)
        {
            sorted[i] = findings[order[i]];
        }

        return sorted;
    }

    static int Compare(FindingFigures left, FindingFigures right)
    {
        int order = FindingSortKey.RankOf(left) - FindingSortKey.RankOf(right);
        order = order != 0 ? order : (right.SecondsLost ?? 0).CompareTo(left.SecondsLost ?? 0);
        order = order != 0 ? order : right.Severity.CompareTo(left.Severity);
        order = order != 0 ? order : string.CompareOrdinal(left.Id, right.Id);
        return order != 0 ? order : (left.Connection ?? -1).CompareTo(right.Connection ?? -1);
    }

    // Merged by hand: there can be as many as connections, and the runtime's sort compares by calls, which take half as long again.
    static int[] OrderOf(FindingFigures[] findings)
    {
        FindingSortKey[] keys = KeysOf(findings);
        int[] order = [.. Enumerable.Range(0, keys.Length)];
        int[] merged = new int[keys.Length];
        for (int width = 1; width < order.Length; width *= 2)
        {
            for (int start = 0; start < order.Length; start += 2 * width)
            {
                ReadOnlySpan<int> rest = order.AsSpan(start);
                ReadOnlySpan<int> left = rest[..Math.Min(width, rest.Length)];
                ReadOnlySpan<int> right = rest[left.Length..Math.Min(2 * width, rest.Length)];
                Merge(keys, left, right, merged.AsSpan(start, left.Length + right.Length));
            }

            (order, merged) = (merged, order);
        }

        return order;
    }

    // Of equal ones the left stays in front: it was found first.
    static void Merge(FindingSortKey[] keys, ReadOnlySpan<int> left, ReadOnlySpan<int> right, Span<int> merged)
    {
        int ofLeft = 0;
        int ofRight = 0;
        for (int i = 0; i < merged.Length; i++)
        {
            bool isRight = ofLeft == left.Length || (ofRight < right.Length && FindingSortKey.Compare(keys[right[ofRight]], keys[left[ofLeft]]) < 0);
            merged[i] = isRight ? right[ofRight++] : left[ofLeft++];
        }
    }

    static FindingSortKey[] KeysOf(FindingFigures[] findings)
    {
        ushort[] ids = FindingIdTable.Order();
        var keys = new FindingSortKey[findings.Length];
        for (int i = 0; i < keys.Length; i++)
        {
            keys[i] = FindingSortKey.Of(findings[i], ids);
        }

        return keys;
    }
}

/// <summary>
/// The sort key of a finding. Keys that lie next to each other in memory, and say all there is to compare, compare many times faster than findings would.
/// </summary>
/// <param name="SecondsLost">Seconds lost; 0 when unknown.</param>
/// <param name="Rank">Whether it is sure, whether a note: what decides before the seconds.</param>
/// <param name="Kind">Severity and id: what decides behind the seconds.</param>
/// <param name="Connection">Index of its connection; −1 for the whole trace.</param>
readonly record struct FindingSortKey(double SecondsLost, byte Rank, short Kind, int Connection)
{
    // More ids than there are.
    const int MaxIds = 1 << 10;

    public static FindingSortKey Of(in FindingFigures finding, ushort[] ids) => new(
        finding.SecondsLost ?? 0, RankOf(finding), KindOf(finding, ids), finding.Connection ?? -1);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Compare(in FindingSortKey left, in FindingSortKey right)
    {
        int order = left.Rank - right.Rank;
        order = order != 0 ? order : right.SecondsLost.CompareTo(left.SecondsLost);
        order = order != 0 ? order : left.Kind - right.Kind;
        return order != 0 ? order : left.Connection.CompareTo(right.Connection);
    }

    // Of notes those that name a cause stand in front of those that only describe.
    public static byte RankOf(in FindingFigures finding) =>
        (byte)((finding.IsSure ? 0 : 4) + (finding.IsBreakOff ? 0 : finding.Severity > FindingSeverity.Note ? 1 : finding.IsDescription ? 3 : 2));

    static short KindOf(in FindingFigures finding, ushort[] ids) =>
        (short)(((FindingSeverity.Critical - finding.Severity) * MaxIds) + ids[finding.IdNumber]);
}
