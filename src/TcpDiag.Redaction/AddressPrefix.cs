using System;
using System.Buffers;
using System.Globalization;
using System.Linq;
using TcpDiag.Wire;

namespace TcpDiag.Redaction;

/// <summary>A network: the leading bits of an address, all others zero.</summary>
readonly record struct AddressPrefix(IpAddress Address, int Bits)
{
    const int AllBits = 128;
    const int Ipv4Offset = 96;

    /// <summary>Whether it is a single address.</summary>
    public bool IsWhole => Bits == WidthOf(Address);

    /// <summary>Bits of an address of this family: 32 or 128.</summary>
    public static int WidthOf(IpAddress address) => address.IsIpv4 ? AllBits - Ipv4Offset : AllBits;

    public static AddressPrefix Of(IpAddress address, int bits)
    {
        IpAddress none = address.IsIpv4 ? IpAddress.FromIpv4(0) : default;
        return new(Joined(address, none, bits), bits);
    }

    /// <summary>Combines the leading bits of one address with the remaining bits of another of the same family.</summary>
    public static IpAddress Joined(IpAddress front, IpAddress back, int bits)
    {
        int of128 = bits + AllBits - WidthOf(front);
        ulong high = Mask(of128);
        ulong low = Mask(of128 - 64);
        return new((back.High & ~high) | (front.High & high), (back.Low & ~low) | (front.Low & low));
    }

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Address}/{Bits}");

    static ulong Mask(int bits) => bits switch
    {
        <= 0 => 0,
        >= 64 => ulong.MaxValue,
        _ => ~(ulong.MaxValue >> bits),
    };
}

/// <summary>
/// A network, or an address, written as its leading numbers: with a star (10.9.*, fd12:3456:*), reversed for a lookup (8.9.10.in-addr.arpa, RFC 1035
/// §3.5; nibbles and ip6.arpa, RFC 3596 §2.5), with a trailing dot (10.9.), and in lists of networks also bare (10.9.8).
/// </summary>
static class PrefixText
{
    const string Ipv4Reverse = "in-addr.arpa";
    const string Ipv6Reverse = "ip6.arpa";

    // The nibbles of an IPv6 address. A hostile text may have any number.
    const int MaxNumbers = 32;

    static readonly SearchValues<char> HeadCharacters = SearchValues.Create("0123456789abcdefABCDEF.:");
    static readonly Form Ipv4 = new('.', 8, 3, NumberStyles.None);
    static readonly Form Ipv6 = new(':', 16, 4, NumberStyles.AllowHexSpecifier);
    static readonly Form Nibbles = new('.', 4, 1, NumberStyles.AllowHexSpecifier);

    /// <summary>Measures the network that a text begins with.</summary>
    /// <param name="rest">The text, starting at a word.</param>
    /// <param name="isList">Whether the text is a list of networks, where two or three numbers are a network; elsewhere they may be a version.</param>
    /// <returns>Its length in characters; 0 if the text does not begin with one.</returns>
    public static int Measure(ReadOnlySpan<char> rest, bool isList)
    {
        if (rest.IsEmpty || !char.IsAsciiHexDigit(rest[0]))
        {
            return 0;
        }

        int length = MeasureReverse(rest, Ipv4, Ipv4Reverse, max: 4);
        length = length > 0 ? length : MeasureReverse(rest, Nibbles, Ipv6Reverse, MaxNumbers);
        length = length > 0 ? length : MeasureStars(rest);
        length = length > 0 ? length : MeasureBare(rest, isList);
        bool isWhole = length == rest.Length || TextTokens.Separators.Contains(rest[length]);
        return length > 0 && isWhole && TryRead(rest[..length], out _) ? length : 0;
    }

    /// <summary>The prefix length that follows an address (<c>/24</c>); -1 if none does.</summary>
    public static int BitsBehind(ReadOnlySpan<char> behind)
    {
        int digits = behind.StartsWith('/') ? DigitsOf(behind[1..], 3, NumberStyles.None) : 0;
        return digits > 0 && int.TryParse(behind.Slice(1, digits), NumberStyles.None, CultureInfo.InvariantCulture, out int bits) ? bits : -1;
    }

    /// <summary>The length of the numbers in front of the star or of the reverse-lookup zone.</summary>
    public static int HeadOf(ReadOnlySpan<char> text)
    {
        int head = text.IndexOfAnyExcept(HeadCharacters);
        return head < 0 ? text.Length : head;
    }

    /// <summary>Reads a network; false if a number is too large, or there are too many.</summary>
    public static bool TryRead(ReadOnlySpan<char> text, out AddressPrefix prefix)
    {
        (Form form, bool isReverse) = FormOf(text);
        string[] numbers = text[..HeadOf(text)].ToString().Split(form.Separator, StringSplitOptions.RemoveEmptyEntries);
        UInt128 value = 0;
        bool isRight = true;
        foreach (string number in isReverse ? numbers.Reverse() : numbers)
        {
            isRight &= uint.TryParse(number, form.Style, CultureInfo.InvariantCulture, out uint part) && part >> form.Bits == 0;
            value = (value << form.Bits) | part;
        }

        int bits = numbers.Length * form.Bits;
        int width = form == Ipv4 ? 32 : 128;
        isRight &= bits > 0 && bits <= width;
        value <<= isRight ? width - bits : 0;
        prefix = new(form == Ipv4 ? IpAddress.FromIpv4((uint)value) : new IpAddress((ulong)(value >> 64), (ulong)value), bits);
        return isRight;
    }

    /// <summary>Writes another network in the form of a text.</summary>
    public static string Write(ReadOnlySpan<char> text, IpAddress address)
    {
        (Form form, bool isReverse) = FormOf(text);
        ReadOnlySpan<char> head = text[..HeadOf(text)];
        ReadOnlySpan<char> numbers = head.TrimEnd(form.Separator);
        UInt128 value = form == Ipv4 ? (UInt128)(uint)address.Low << 96 : new UInt128(address.High, address.Low);
        string[] parts = new string[numbers.Count(form.Separator) + 1];
        for (int i = 0; i < parts.Length; i++)
        {
            uint part = (uint)(value >> (128 - form.Bits));
            parts[isReverse ? parts.Length - 1 - i : i] = part.ToString(form.Style == NumberStyles.None ? "d" : "x", CultureInfo.InvariantCulture);
            value <<= form.Bits;
        }

        return string.Concat(string.Join(form.Separator, parts).AsSpan(), text[numbers.Length..]);
    }

    static (Form Form, bool IsReverse) FormOf(ReadOnlySpan<char> text) => text switch
    {
        _ when text.EndsWith(Ipv4Reverse, StringComparison.OrdinalIgnoreCase) => (Ipv4, true),
        _ when text.EndsWith(Ipv6Reverse, StringComparison.OrdinalIgnoreCase) => (Nibbles, true),
        _ => (text.Contains(':') ? Ipv6 : Ipv4, false),
    };

    static int MeasureReverse(ReadOnlySpan<char> rest, Form form, string names, int max)
    {
        int head = Numbers(rest, form, out int count);
        return count <= max && head > 0 && rest[head..].StartsWith(names, StringComparison.OrdinalIgnoreCase) ? head + names.Length : 0;
    }

    // A port behind a colon may be a star too, so two numbers or two colons are required.
    static int MeasureStars(ReadOnlySpan<char> rest)
    {
        int end = Numbers(rest, Ipv6, out int count);
        bool isOpen = count > 0 && end < rest.Length && rest[end] == ':';
        end += isOpen ? 1 : 0;
        if ((count < 2 && !isOpen) || !StartsWithStar(rest, end))
        {
            end = Numbers(rest, Ipv4, out _);
        }

        if (end == 0 || !StartsWithStar(rest, end))
        {
            return 0;
        }

        for (end++; rest[end..].StartsWith(".*", StringComparison.Ordinal); end += 2)
        {
            // One star for each number that is left open.
        }

        return end;
    }

    static bool StartsWithStar(ReadOnlySpan<char> text, int at) => at < text.Length && text[at] == '*';

    static int MeasureBare(ReadOnlySpan<char> rest, bool isList)
    {
        int end = Numbers(rest, Ipv4, out int count);
        int last = DigitsOf(rest[end..], Ipv4.LongestNumber, Ipv4.Style);
        bool isNetwork = count + (last > 0 ? 1 : 0) is 2 or 3 && (isList || last == 0);
        end += last;
        return isNetwork && (end == rest.Length || rest[end] != '.') ? end : 0;
    }

    // Numbers, each followed by the separator.
    static int Numbers(ReadOnlySpan<char> text, Form form, out int count)
    {
        int end = 0;
        for (count = 0; count <= MaxNumbers; count++)
        {
            int next = end + DigitsOf(text[end..], form.LongestNumber, form.Style);
            if (next == end || next == text.Length || text[next] != form.Separator)
            {
                break;
            }

            end = next + 1;
        }

        return end;
    }

    // 0 if there are too many.
    static int DigitsOf(ReadOnlySpan<char> text, int max, NumberStyles style)
    {
        int count = 0;
        while (count < text.Length && count <= max && (style == NumberStyles.None ? char.IsAsciiDigit(text[count]) : char.IsAsciiHexDigit(text[count])))
        {
            count++;
        }

        return count <= max ? count : 0;
    }

    sealed record Form(char Separator, int Bits, int LongestNumber, NumberStyles Style);
}
