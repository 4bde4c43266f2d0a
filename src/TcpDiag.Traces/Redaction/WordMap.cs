using System;
using System.Collections.Generic;
using System.Globalization;
using System.Runtime.InteropServices;

namespace TcpDiag.Traces.Redaction;

/// <summary>
/// Replaces words by others of the same length, made of letters and digits as the word is, that follow from a key: the same word becomes the same pseudonym in every place, file
/// and run with that key, whatever its case. Lengths stay so that texts can be replaced where they stand.
/// </summary>
/// <param name="key">Where the secret comes from.</param>
/// <param name="originals">Learns what was replaced.</param>
sealed class WordMap(RedactionKey key, OriginalValues originals)
{
    // Numbers in names, versions and counts; longer ones may be somebody's telephone number or serial number.
    const int LongestKeptNumber = 5;

    // Words remembered, and the longest one of which that is worth it.
    const int MostRemembered = 1 << 16;
    const int LongestRemembered = 256;

    readonly KeyedHash _hash = new(key, "words");
    readonly Dictionary<string, string> _known = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>Whether a word of a text stays: one of <see cref="KnownWords"/>, or a short number.</summary>
    /// <param name="word">The word.</param>
    /// <returns>True when it stays.</returns>
    public static bool IsKept(ReadOnlySpan<char> word) =>
        (word.Length <= LongestKeptNumber && !word.ContainsAnyExceptInRange('0', '9')) || KnownWords.Contains(word);

    /// <summary>Maps a word.</summary>
    /// <param name="word">The word.</param>
    /// <param name="target">Receives as many characters, all ASCII letters and digits.</param>
    public void Map(ReadOnlySpan<char> word, Span<char> target)
    {
        Dictionary<string, string>.AlternateLookup<ReadOnlySpan<char>> lookup = _known.GetAlternateLookup<ReadOnlySpan<char>>();
        if (lookup.TryGetValue(word, out string? known))
        {
            known.CopyTo(target);
            return;
        }

        string lower = word.ToString().ToLower(CultureInfo.InvariantCulture);
        Make(lower, target);
        string image = target[..word.Length].ToString();
        originals.AddWord(lower, image);
        if (_known.Count == MostRemembered)
        {
            _known.Clear();
        }

        if (word.Length <= LongestRemembered)
        {
            _known.Add(lower, image);
        }
    }

    void Make(string word, Span<char> target)
    {
        Span<byte> hash = stackalloc byte[KeyedHash.Bytes];
        bool isNumber = !word.AsSpan().ContainsAnyExceptInRange('0', '9');
        _hash.Compute(MemoryMarshal.AsBytes(word.AsSpan()), hash);
        for (int i = 0; i < word.Length; i++)
        {
            if (i > 0 && i % hash.Length == 0)
            {
                _hash.Compute(hash, hash);
            }

            target[i] = Letter(hash[i % hash.Length], isNumber, isFirst: i == 0);
        }
    }

    // A slight bias of digits over letters gives nothing away.
    static char Letter(byte value, bool isNumber, bool isFirst) => (isNumber, isFirst) switch
    {
        (true, _) => (char)('0' + (value % 10)),
        (_, true) => (char)('a' + (value % 26)),
        _ => "abcdefghijklmnopqrstuvwxyz234567"[value % 32],
    };
}
