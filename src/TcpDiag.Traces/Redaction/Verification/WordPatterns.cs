using System;
using System.Buffers;
using System.Collections.Generic;
using System.Linq;
using System.Text;

namespace TcpDiag.Traces.Redaction.Verification;

/// <summary>
/// Words to be searched for in text of 8-bit and of 16-bit units: long ones anywhere, shorter ones between characters that belong to no word. Still shorter ones come about by chance, and numbers are everywhere.
/// </summary>
sealed class WordPatterns
{
    // By chance 5 bytes in a row are a given word in either case once in 10¹⁰ places; 3 units of 16 bits once in 10¹³.
    const int ShortestOfBytes = 5;
    const int ShortestOfUnits = 3;

    // 40 bits where a pseudonym is made of 32 characters.
    const int ShortestAnywhere = 8;

    readonly HashSet<string>.AlternateLookup<ReadOnlySpan<char>> _between;
    readonly SearchValues<string> _anywhere;

    /// <summary>Collects the patterns.</summary>
    /// <param name="words">Words in lower case.</param>
    /// <param name="isWide">Whether units have 16 bits; else the bytes of UTF-8 are the units.</param>
    public WordPatterns(IEnumerable<string> words, bool isWide)
    {
        string[] patterns = [.. isWide ? words : words.Select(word => Encoding.Latin1.GetString(Encoding.UTF8.GetBytes(word)))];
        int shortest = isWide ? ShortestOfUnits : ShortestOfBytes;
        var between = new HashSet<string>(patterns.Where(word => word.Length >= shortest && word.AsSpan().ContainsAnyExceptInRange('0', '9')), StringComparer.OrdinalIgnoreCase);
        _between = between.GetAlternateLookup<ReadOnlySpan<char>>();
        _anywhere = SearchValues.Create([.. patterns.Where(word => word.Length >= ShortestAnywhere)], StringComparison.OrdinalIgnoreCase);
        Searched = between.Count;
    }

    /// <summary>Words that are searched for.</summary>
    public int Searched { get; }

    /// <summary>Finds the first word.</summary>
    /// <param name="text">The text.</param>
    /// <param name="from">Where to begin.</param>
    /// <returns>Where it begins; negative when there is none.</returns>
    public int Find(ReadOnlySpan<char> text, int from)
    {
        int anywhere = text[from..].IndexOfAny(_anywhere);
        int limit = anywhere < 0 ? text.Length : from + anywhere;
        for (int start = NextWord(text, from); start < limit;)
        {
            int end = EndOfWord(text, start);
            if (_between.Contains(text[start..end]))
            {
                return start;
            }

            start = NextWord(text, end);
        }

        return anywhere < 0 ? -1 : limit;
    }

    static int NextWord(ReadOnlySpan<char> text, int from)
    {
        int start = text[from..].IndexOfAnyExcept(TextTokens.Separators);
        return start < 0 ? text.Length : from + start;
    }

    static int EndOfWord(ReadOnlySpan<char> text, int start)
    {
        int length = text[start..].IndexOfAny(TextTokens.Separators);
        return length < 0 ? text.Length : start + length;
    }
}
