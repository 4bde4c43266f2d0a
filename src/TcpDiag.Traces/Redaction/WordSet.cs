using System;
using System.Collections.Frozen;
using System.Collections.Generic;

namespace TcpDiag.Traces.Redaction;

/// <summary>Words that are looked up in any case, as pieces of a text.</summary>
sealed class WordSet
{
    readonly FrozenSet<string>.AlternateLookup<ReadOnlySpan<char>> _lookup;

    /// <summary>Collects the words.</summary>
    /// <param name="words">The words; one may come twice.</param>
    public WordSet(IEnumerable<string> words) => _lookup = words.ToFrozenSet(StringComparer.OrdinalIgnoreCase).GetAlternateLookup<ReadOnlySpan<char>>();

    /// <summary>Whether a word is among them.</summary>
    /// <param name="word">The word.</param>
    /// <returns>True when it is.</returns>
    public bool Contains(ReadOnlySpan<char> word) => _lookup.Contains(word);
}
