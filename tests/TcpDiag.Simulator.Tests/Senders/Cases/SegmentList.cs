using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace TcpDiag.Simulator.Tests.Senders.Cases;

/// <summary>Segments as a case writes them: <c>1-10 1r 11p</c>; ranges of one kind are drawn together.</summary>
static class SegmentList
{
    /// <summary>What a case wrote, in the one form that is compared.</summary>
    public static string Normalize(IEnumerable<string> words) => Format(words.Where(word => word is not "nothing").SelectMany(Expand));

    /// <summary>Draws ranges together; <c>nothing</c> for none.</summary>
    public static string Format(IEnumerable<string> segments)
    {
        List<string> ranges = [];
        (int From, int To, string Kind)? range = null;
        foreach (string segment in segments)
        {
            bool isWhole = TrySplit(segment, out int number, out string kind);
            if (isWhole && range is { } open && open.To + 1 == number && string.Equals(open.Kind, kind, StringComparison.Ordinal))
            {
                range = open with { To = number };
                continue;
            }

            Close(ranges, range);
            range = isWhole ? (number, number, kind) : null;
            if (!isWhole)
            {
                ranges.Add(segment);
            }
        }

        Close(ranges, range);
        return ranges.Count == 0 ? "nothing" : string.Join(' ', ranges);
    }

    /// <summary>The numbers of a range: <c>3-5</c> or <c>3</c>.</summary>
    public static (int From, int To) Range(string word)
    {
        string[] ends = word.Split('-');
        return (int.Parse(ends[0], CultureInfo.InvariantCulture), int.Parse(ends[^1], CultureInfo.InvariantCulture));
    }

    static IEnumerable<string> Expand(string word)
    {
        if (!TrySplit(word, out _, out string kind) || !word.Contains('-', StringComparison.Ordinal))
        {
            return [word];
        }

        (int from, int to) = Range(word[..^kind.Length]);
        return Enumerable.Range(from, to - from + 1).Select(number => Name(number, kind));
    }

    // A whole segment is a number and a letter for its kind; part of one has its bytes behind a colon.
    static bool TrySplit(string segment, out int number, out string kind)
    {
        kind = char.IsLetter(segment[^1]) ? segment[^1..] : string.Empty;
        string digits = segment[..^kind.Length].Split('-')[0];
        return int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out number);
    }

    static void Close(List<string> ranges, (int From, int To, string Kind)? range)
    {
        if (range is { } closed)
        {
            string last = Name(closed.To, closed.Kind);
            ranges.Add(closed.From == closed.To ? last : Name(closed.From, string.Empty) + "-" + last);
        }
    }

    static string Name(int number, string kind) => number.ToString(CultureInfo.InvariantCulture) + kind;
}
