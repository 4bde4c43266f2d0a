using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;

namespace TcpDiag.Scores.Bisections;

/// <summary>The items of a search: an ordered list, cut to what lies between the good and the bad one.</summary>
public static class BisectItems
{
    const char Comment = '#';
    const long MaxFileBytes = 4 << 20;

    /// <summary>Reads them.</summary>
    /// <param name="good">The good item.</param>
    /// <param name="bad">The bad item; in front of the good one, the list is turned round.</param>
    /// <param name="order">A file with an item a line, or a list with commas; null where both are whole numbers, and all between them are meant.</param>
    /// <returns>The items, the good one first and the bad one last.</returns>
    /// <exception cref="BisectException">There is no such list, or one of the two is not in it.</exception>
    public static IReadOnlyList<string> Read(string good, string bad, string? order)
    {
        string[] all = [.. order is null ? Numbers(good, bad) : File.Exists(order) ? Lines(order) : List(order)];
        if (all.FirstOrDefault(item => !BisectJournal.IsItem(item)) is { } wrong)
        {
            throw new BisectException($"--order: expected items of 1 to 200 visible characters, found '{wrong}'");
        }

        if (all.CountBy(item => item, StringComparer.Ordinal).FirstOrDefault(item => item.Value > 1) is { Key: { } twice })
        {
            throw new BisectException($"--order: expected each item once, found '{twice}' twice");
        }

        (int first, int last) = (IndexOf(all, good, "--good"), IndexOf(all, bad, "--bad"));
        string[] items = all[Math.Min(first, last)..(Math.Max(first, last) + 1)];
        if (first > last)
        {
            Array.Reverse(items);
        }

        return items.Length is >= 2 and <= BisectJournal.MaxItems
            ? items
            : throw new BisectException(FormattableString.Invariant(
                $"expected 2 to {BisectJournal.MaxItems} items from --good to --bad, found {items.Length}"));
    }

    static IEnumerable<string> Numbers(string good, string bad)
    {
        if (!TryRead(good, out int one) || !TryRead(bad, out int other) || Math.Abs((long)one - other) >= BisectJournal.MaxItems)
        {
            throw new BisectException(
                "--order is missing: a file with an item a line, or a list with commas. Without it --good and --bad are whole numbers, at most 10000 apart");
        }

        return Enumerable.Range(Math.Min(one, other), Math.Abs(one - other) + 1).Select(number => number.ToString(CultureInfo.InvariantCulture));
    }

    static bool TryRead(string text, out int number) => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number);

    static IEnumerable<string> Lines(string file) => new FileInfo(file).Length > MaxFileBytes
        ? throw new BisectException($"{file}: expected a list of items, found more than 4 MiB")
        : File.ReadLines(file).Select(line => line.Trim()).Where(line => line.Length > 0 && line[0] != Comment);

    static string[] List(string order) => order.Contains(',', StringComparison.Ordinal)
        ? order.Split(',', StringSplitOptions.TrimEntries)
        : throw new BisectException($"--order: expected a file with an item a line, or a list with commas; found '{order}'");

    static int IndexOf(string[] items, string item, string option) => Array.IndexOf(items, item) is >= 0 and { } index
        ? index
        : throw new BisectException($"{option}: expected one of the items of --order, found '{item}'");
}
