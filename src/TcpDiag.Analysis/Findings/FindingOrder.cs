using System;
using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Analysis.Findings;

/// <summary>
/// The order of findings, what to mend first: sure ones, notes behind others, those that only describe behind those, then most seconds lost, severity, name,
/// connection.
/// </summary>
public static class FindingOrder
{
    static readonly Comparer<FindingSortKey> ByKey = Comparer<FindingSortKey>.Create(FindingSortKey.Compare);

    /// <summary>Compares figures as they are sorted; equal ones stay in the order in which they were found.</summary>
    public static IComparer<FindingFigures> Comparer { get; } = Comparer<FindingFigures>.Create(Compare);

    /// <summary>Sorts figures of findings.</summary>
    /// <param name="findings">The figures, in the order in which the findings were found: it decides where all else is equal. Changed in place.</param>
    public static void Sort(FindingFigures[] findings)
    {
        ArgumentNullException.ThrowIfNull(findings);
        Array.Sort(KeysOf(findings), findings, ByKey);
    }

    /// <summary>Sorts findings.</summary>
    internal static Finding[] Sorted(List<Finding> findings)
    {
        Finding[] sorted = [.. findings];
        Array.Sort(KeysOf(Array.ConvertAll(sorted, FindingFigures.Of)), sorted, ByKey);
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

    static FindingSortKey[] KeysOf(FindingFigures[] findings)
    {
        var ids = new FindingIdOrder(findings);
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
    public static FindingSortKey Of(in FindingFigures finding, FindingIdOrder ids, int found) => new(
        finding.SecondsLost ?? 0, RankOf(finding), KindOf(finding, ids), finding.Connection ?? -1, found);

    public static int Compare(FindingSortKey left, FindingSortKey right)
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

    static short KindOf(in FindingFigures finding, FindingIdOrder ids) =>
        (short)(((FindingSeverity.Critical - finding.Severity) * FindingIdOrder.MaxIds) + ids.Of(finding.Id));
}

/// <summary>The order of the ids of some findings, as numbers.</summary>
sealed class FindingIdOrder(IEnumerable<FindingFigures> findings)
{
    /// <summary>More ids than there are.</summary>
    public const int MaxIds = 1 << 10;

    readonly Dictionary<string, int> _numbers = findings.Select(finding => finding.Id).Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal)
        .Select((id, number) => KeyValuePair.Create(id, number)).ToDictionary(StringComparer.Ordinal);

    /// <summary>The number of an id of one of them.</summary>
    public int Of(string id) => _numbers[id];
}
