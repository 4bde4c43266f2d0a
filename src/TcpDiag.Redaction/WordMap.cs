using System;
using System.Collections.Generic;
using System.Globalization;
using System.Runtime.InteropServices;
using TcpDiag.Wire;

namespace TcpDiag.Redaction;

/// <summary>
/// Replaces words with pseudonyms of the same length, derived from a key: a word, in whatever case, gets the same pseudonym in every file and run under
/// that key. Numbers become numbers. Lengths stay so that texts can be replaced in place.
/// </summary>
sealed class WordMap(RedactionKey key, OriginalValues originals)
{
    // Numbers in names, versions and counts; a longer one may be a telephone or serial number.
    const int LongestKeptNumber = 5;

    // Bounds of the cache: words, and the length of the longest.
    const int MaxRemembered = 1 << 16;
    const int LongestRemembered = 256;

    readonly KeyedHash _hash = new(key, "words");
    readonly Dictionary<string, string> _known = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>Whether a word stays in every text: one of <see cref="KnownWords"/>, or a short number.</summary>
    public static bool IsKept(ReadOnlySpan<char> word) =>
        (word.Length <= LongestKeptNumber && !word.ContainsAnyExceptInRange('0', '9')) || KnownWords.Contains(word);

    /// <summary>Writes the pseudonym of a word, ASCII letters and digits, into a target of at least its length; both may be the same memory.</summary>
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
        if (_known.Count == MaxRemembered)
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

    // The slight bias of the remainders gives nothing away.
    static char Letter(byte value, bool isNumber, bool isFirst) => (isNumber, isFirst) switch
    {
        (true, _) => (char)('0' + (value % 10)),
        (_, true) => (char)('a' + (value % 26)),
        _ => "abcdefghijklmnopqrstuvwxyz234567"[value % 32],
    };
}

/// <summary>
/// Replaces the tokens of a text in place, keeping their length. An address therefore cannot become its pseudonym: its digits become others derived from
/// the whole of it.
/// </summary>
sealed class InPlaceText(Pseudonyms names, WordMap words, KeyedHash digits)
{
    public void ReplaceIn(Span<char> text)
    {
        foreach (TextToken token in new TextTokens(text))
        {
            Replace(token.Kind, text.Slice(token.Start, token.Length));
        }
    }

    public void Replace(TextTokenKind kind, Span<char> piece)
    {
        switch (kind)
        {
            case TextTokenKind.Word when !WordMap.IsKept(piece):
                names.Counts.Add(RedactionKind.Words);
                words.Map(piece, piece);
                break;
            case TextTokenKind.Mac:
                ReplaceMacText(piece);
                break;
            case TextTokenKind.Address:
                ReplaceAddressText(piece);
                break;
            case TextTokenKind.Network:
                ReplaceNetworkText(piece);
                break;
            case TextTokenKind.SecurityId:
                ReplaceSidText(piece);
                break;
            case TextTokenKind.Guid:
                names.Counts.Add(RedactionKind.Guids);
                names.ReplaceGuidText(piece);
                break;
            case TextTokenKind.DeviceInstance:
                names.Counts.Add(RedactionKind.Words);
                ReplaceAll(piece);
                break;
            default:
                break;
        }
    }

    /// <summary>Replaces everything but separators, well-known words and short numbers included.</summary>
    public void ReplaceAll(Span<char> text)
    {
        foreach (TextToken token in new TextTokens(text))
        {
            if (token.Kind != TextTokenKind.Separator)
            {
                words.Map(text.Slice(token.Start, token.Length), text.Slice(token.Start, token.Length));
            }
        }
    }

    void ReplaceMacText(Span<char> piece)
    {
        Span<byte> mac = stackalloc byte[LinkAddressMap.Bytes];
        for (int i = 0; i < mac.Length; i++)
        {
            mac[i] = Convert.FromHexString(piece.Slice(3 * i, 2))[0];
        }

        names.ReplaceMac(mac);
        for (int i = 0; i < mac.Length; i++)
        {
            Convert.TryToHexStringLower(mac.Slice(i, 1), piece.Slice(3 * i, 2), out _);
        }
    }

    void ReplaceAddressText(Span<char> piece)
    {
        if (IpAddress.TryParse(piece.ToString(), out IpAddress address))
        {
            names.Map(address);
            if (AddressClass.Of(address).IsKept)
            {
                return;
            }
        }

        Scramble(piece);
    }

    void ReplaceNetworkText(Span<char> piece)
    {
        if (!PrefixText.TryRead(piece, out AddressPrefix network) || names.Map(network) != network.Address)
        {
            Scramble(piece[..PrefixText.HeadOf(piece)]);
        }
    }

    void ReplaceSidText(Span<char> piece)
    {
        const int letter = 1; // the S keeps its case
        if (SecurityId.Parse(piece) is { } id && names.Map(id).ToString() is { } mapped && mapped.Length == piece.Length)
        {
            mapped.AsSpan(letter).CopyTo(piece[letter..]);
            return;
        }

        names.Counts.Add(RedactionKind.SecurityIds);
        Scramble(piece[letter..]);
    }

    // Digits derived from the whole text.
    void Scramble(Span<char> piece)
    {
        Span<byte> hash = stackalloc byte[KeyedHash.Bytes];
        digits.Compute(MemoryMarshal.AsBytes<char>(piece), hash);
        for (int i = 0; i < piece.Length; i++)
        {
            piece[i] = char.IsAsciiHexDigit(piece[i]) ? (char)('0' + (hash[i % hash.Length] % 10)) : piece[i];
        }
    }
}
