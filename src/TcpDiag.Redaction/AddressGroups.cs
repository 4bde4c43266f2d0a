using System;
using System.Buffers;
using TcpDiag.Wire;

namespace TcpDiag.Redaction;

/// <summary>
/// Finds addresses in forms that no parser accepts: 10-1-2-3 and 10_1_2_3 in host names, 8.b.d.0 and so on in IPv6 reverse lookups (RFC 3596 §2.5),
/// 0050.5601.0203 for a MAC address, 010.001.002.003 with leading zeros, and seven or more pairs of digits, as in 01:00:50:56:01:02:03, the client
/// identifier of RFC 2132 §9.14.
/// </summary>
static class AddressGroups
{
    const int LongestGroup = 4;

    static readonly SearchValues<char> DecimalDigits = SearchValues.Create("0123456789");
    static readonly SearchValues<char> HexDigits = SearchValues.Create("0123456789abcdefABCDEF");

    /// <summary>The length of the address at the start of a text.</summary>
    /// <returns>Characters; 0 if there is none.</returns>
    public static int Measure(ReadOnlySpan<char> rest)
    {
        int first = DigitsOf(rest, HexDigits);
        if (first is 0 or > LongestGroup || first == rest.Length)
        {
            return 0;
        }

        return (first, rest[first]) switch
        {
            (1, '.') => Run(rest, HexDigits, 1, 1, min: 8),
            (3, '.') => Run(rest, DecimalDigits, 3, 3, min: 4),
            (4, '.') => Run(rest, HexDigits, 4, 4, min: 3),
            (2, ':') => Run(rest, HexDigits, 2, 2, min: 7),
            (2, '-') => Math.Max(Run(rest, HexDigits, 2, 2, min: 7), Run(rest, DecimalDigits, 1, 3, min: 4)),
            (1 or 2 or 3, '-' or '_') => Run(rest, DecimalDigits, 1, 3, min: 4),
            _ => 0,
        };
    }

    /// <summary>The length of an IPv4 address with letters directly before or after it, as in <c>v192.0.2.1</c>.</summary>
    /// <returns>Characters; 0 if there is none.</returns>
    public static int MeasureGlued(ReadOnlySpan<char> rest, int word, out int front)
    {
        const int longest = 15;
        front = rest[..word].LastIndexOfAnyExcept(DecimalDigits) + 1;
        front = front == word ? 0 : front;
        ReadOnlySpan<char> near = rest[front..];
        int end = 0;
        for (int numbers = 1; numbers <= 4; numbers++)
        {
            int digits = Math.Min(DigitsOf(near[end..], DecimalDigits), LongestGroup);
            bool isRight = digits is > 0 and < LongestGroup && (numbers == 4 || (end + digits < near.Length && near[end + digits] == '.'));
            if (!isRight)
            {
                return 0;
            }

            end += digits + (numbers == 4 ? 0 : 1);
        }

        return end <= longest && IpAddress.TryParse(near[..end].ToString(), out _) ? end : 0;
    }

    // Leading digits, up to one more than a group may have.
    static int DigitsOf(ReadOnlySpan<char> text, SearchValues<char> digits)
    {
        ReadOnlySpan<char> near = text[..Math.Min(text.Length, LongestGroup + 1)];
        int end = near.IndexOfAnyExcept(digits);
        return end < 0 ? near.Length : end;
    }

    // Groups of digits with the same separator between them; the last one ends its word.
    static int Run(ReadOnlySpan<char> text, SearchValues<char> digits, int shortest, int longest, int min)
    {
        char separator = text[DigitsOf(text, digits)];
        int count = 0;
        int length = 0;
        for (int start = 0; start < text.Length;)
        {
            int group = DigitsOf(text[start..], digits);
            int end = start + group;
            bool isGroup = group >= shortest && group <= longest && (end == text.Length || TextTokens.Separators.Contains(text[end]));
            if (!isGroup)
            {
                break;
            }

            count++;
            length = end;
            if (end == text.Length || text[end] != separator)
            {
                break;
            }

            start = end + 1;
        }

        return count >= min ? length : 0;
    }
}
