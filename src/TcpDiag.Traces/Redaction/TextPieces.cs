using System;
using System.Runtime.InteropServices;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Redaction;

/// <summary>
/// Replaces pieces of a text where they stand, by others of the same length. An address therefore cannot become its pseudonym: it becomes a number that follows from all of it.
/// </summary>
/// <param name="names">The pseudonyms, and the account of them.</param>
/// <param name="words">Those of words.</param>
/// <param name="digits">What digits follow from.</param>
sealed class TextPieces(Pseudonyms names, WordMap words, KeyedHash digits)
{
    /// <summary>Replaces all of a text.</summary>
    /// <param name="text">The text.</param>
    public void ReplaceIn(Span<char> text)
    {
        foreach (TextToken token in new TextTokens(text))
        {
            Replace(token.Kind, text.Slice(token.Start, token.Length));
        }
    }

    /// <summary>Replaces a piece of a text.</summary>
    /// <param name="kind">What it is.</param>
    /// <param name="piece">The piece.</param>
    public void Replace(TextTokenKind kind, Span<char> piece)
    {
        switch (kind)
        {
            case TextTokenKind.Word when !WordMap.IsKept(piece):
                names.Tally.Add(RedactionKind.Words);
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
                names.Tally.Add(RedactionKind.Guids);
                names.ReplaceGuidText(piece);
                break;
            case TextTokenKind.DeviceInstance:
                names.Tally.Add(RedactionKind.Words);
                ReplaceAll(piece);
                break;
            default:
                break;
        }
    }

    /// <summary>Replaces words, numbers and whatever else is made of letters and digits, well known or not.</summary>
    /// <param name="text">The text.</param>
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
        const int letter = 1; // it stays in its case
        if (SecurityId.Parse(piece) is { } id && names.Map(id).ToString() is { } mapped && mapped.Length == piece.Length)
        {
            mapped.AsSpan(letter).CopyTo(piece[letter..]);
            return;
        }

        names.Tally.Add(RedactionKind.SecurityIds);
        Scramble(piece[letter..]);
    }

    // Other digits, which follow from all of the text.
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
