using System;
using System.Buffers;
using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Traces.Redaction.Verification;

/// <summary>Addresses to be searched for in text, as people write them. A longer one that begins or ends like one of them is another: 10.0.0.12 is not 10.0.0.1.</summary>
sealed class AddressPatterns
{
    static readonly SearchValues<char> Digits = SearchValues.Create("0123456789");
    static readonly SearchValues<char> HexDigits = SearchValues.Create("0123456789abcdefABCDEF");

    readonly HashSet<string>.AlternateLookup<ReadOnlySpan<char>> _texts;
    readonly SearchValues<string> _search;
    readonly int[] _lengths;

    /// <summary>Collects the patterns.</summary>
    /// <param name="texts">Addresses in lower case.</param>
    public AddressPatterns(IReadOnlyCollection<string> texts)
    {
        _texts = texts.ToHashSet(StringComparer.OrdinalIgnoreCase).GetAlternateLookup<ReadOnlySpan<char>>();
        _search = SearchValues.Create([.. texts], StringComparison.OrdinalIgnoreCase);
        _lengths = [.. texts.Select(text => text.Length).Distinct()];
        Searched = _texts.Set.Count;
    }

    /// <summary>Addresses that are searched for.</summary>
    public int Searched { get; }

    /// <summary>Finds the first address.</summary>
    /// <param name="text">The text.</param>
    /// <param name="from">Where to begin.</param>
    /// <returns>Where it begins; negative when there is none.</returns>
    public int Find(ReadOnlySpan<char> text, int from)
    {
        for (int at = from; at < text.Length; at++)
        {
            int next = text[at..].IndexOfAny(_search);
            if (next < 0)
            {
                return -1;
            }

            at += next;
            if (IsWhole(text, at))
            {
                return at;
            }
        }

        return -1;
    }

    bool IsWhole(ReadOnlySpan<char> text, int at)
    {
        foreach (int length in _lengths)
        {
            if (at + length <= text.Length && _texts.Contains(text.Slice(at, length)))
            {
                SearchValues<char> digits = text.Slice(at, length).Contains('.') ? Digits : HexDigits;
                bool beginsInside = at > 0 && digits.Contains(text[at - 1]);
                bool endsInside = at + length < text.Length && digits.Contains(text[at + length]);
                if (!beginsInside && !endsInside)
                {
                    return true;
                }
            }
        }

        return false;
    }
}
