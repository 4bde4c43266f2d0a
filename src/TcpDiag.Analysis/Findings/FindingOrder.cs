using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;

namespace TcpDiag.Analysis.Findings;

/// <summary>
/// The order of findings, what to mend first: sure ones, notes behind others, those that only describe behind those, then most seconds lost, severity, name,
/// connection.
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
        FindingSortKey[] keys = SortedKeysOf(findings);
        FindingFigures[] found = [.. findings];
        for (int i = 0; i < keys.Length; i++)
        {
            findings[i] = found[keys[i].Found];
        }
    }

    /// <summary>Sorts findings.</summary>
    internal static Finding[] Sorted(List<Finding> findings)
    {
        FindingSortKey[] keys = SortedKeysOf([.. findings.Select(FindingFigures.Of)]);
        var sorted = new Finding[keys.Length];
        for (int i = 0; i < sorted.Length; i++)
        {
            sorted[i] = findings[keys[i].Found];
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

    // Merged by hand: there can be as many as connections, and the runtime's sort, which has to be told how to compare, takes three times as long.
    static FindingSortKey[] SortedKeysOf(FindingFigures[] findings)
    {
        FindingSortKey[] keys = KeysOf(findings);
        var merged = new FindingSortKey[keys.Length];
        for (int width = 1; width < keys.Length; width *= 2)
        {
            for (int start = 0; start < keys.Length; start += 2 * width)
            {
                ReadOnlySpan<FindingSortKey> rest = keys.AsSpan(start);
                ReadOnlySpan<FindingSortKey> left = rest[..Math.Min(width, rest.Length)];
                ReadOnlySpan<FindingSortKey> right = rest[left.Length..Math.Min(2 * width, rest.Length)];
                Merge(left, right, merged.AsSpan(start));
            }

            (keys, merged) = (merged, keys);
        }

        return keys;
    }

    static void Merge(ReadOnlySpan<FindingSortKey> left, ReadOnlySpan<FindingSortKey> right, Span<FindingSortKey> merged)
    {
        int ofLeft = 0;
        int ofRight = 0;
        while (ofLeft < left.Length && ofRight < right.Length)
        {
            bool isRightFirst = FindingSortKey.Compare(right[ofRight], left[ofLeft]) < 0;
            merged[ofLeft + ofRight] = isRightFirst ? right[ofRight] : left[ofLeft];
            ofLeft += isRightFirst ? 0 : 1;
            ofRight += isRightFirst ? 1 : 0;
        }

        left[ofLeft..].CopyTo(merged[(ofLeft + ofRight)..]);
        right[ofRight..].CopyTo(merged[(ofLeft + ofRight)..]);
    }

    static FindingSortKey[] KeysOf(FindingFigures[] findings)
    {
        ushort[] ids = FindingIdTable.Order();
        var keys = new FindingSortKey[findings.Length];
        for (int i = 0; i < keys.Length; i++)
        {
            keys[i] = FindingSortKey.Of(findings[i], ids, i);
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
/// <param name="Found">In which order it was found; decides where all else is equal.</param>
readonly record struct FindingSortKey(double SecondsLost, byte Rank, short Kind, int Connection, int Found)
{
    // More ids than there are.
    const int MaxIds = 1 << 10;

    public static FindingSortKey Of(in FindingFigures finding, ushort[] ids, int found) => new(
        finding.SecondsLost ?? 0, RankOf(finding), KindOf(finding, ids), finding.Connection ?? -1, found);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Compare(in FindingSortKey left, in FindingSortKey right)
    {
        int order = left.Rank - right.Rank;
        order = order != 0 ? order : right.SecondsLost.CompareTo(left.SecondsLost);
        order = order != 0 ? order : left.Kind - right.Kind;
        order = order != 0 ? order : left.Connection.CompareTo(right.Connection);
        return order != 0 ? order : left.Found.CompareTo(right.Found);
    }

    // Of notes those that name a cause stand in front of those that only describe.
    public static byte RankOf(in FindingFigures finding) =>
        (byte)((finding.IsSure ? 0 : 3) + (finding.Severity > FindingSeverity.Note ? 0 : finding.IsDescription ? 2 : 1));

    static short KindOf(in FindingFigures finding, ushort[] ids) =>
        (short)(((FindingSeverity.Critical - finding.Severity) * MaxIds) + ids[finding.IdNumber]);
}
