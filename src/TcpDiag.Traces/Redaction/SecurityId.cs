using System;
using System.Buffers.Binary;
using System.Globalization;
using System.Linq;

namespace TcpDiag.Traces.Redaction;

/// <summary>A security identifier ([MS-DTYP] §2.4.2), as bytes or as text: S-1, who gave it out, what it is of, then the numbers that name a domain, a machine or an account.</summary>
/// <param name="authority">Who gave it out, 48 bits.</param>
/// <param name="subAuthorities">The numbers behind it; the first one tells what the others are.</param>
sealed class SecurityId(ulong authority, uint[] subAuthorities)
{
    const string Start = "S-1-";
    const string Hex = "0x";
    const int HeadBytes = 8;
    const ulong NtAuthority = 5;
    const uint BuiltInDomain = 32;

    // Of a number with 32 bits in decimal digits, of one with 48 in hexadecimal ones behind 0x.
    const int LongestNumber = 14;

    // A hostile text has no end of numbers; a real one has 15.
    const int MostNumbers = 32;

    /// <summary>Who gave it out, 48 bits.</summary>
    public ulong Authority => authority;

    /// <summary>The numbers behind it; the first one tells what the others are.</summary>
    public ReadOnlySpan<uint> SubAuthorities => subAuthorities;

    /// <summary>Whether it is the same on every machine, and so names nobody: at most one number, or of the built-in domain.</summary>
    public bool IsWellKnown => subAuthorities.Length < 2 || (authority == NtAuthority && subAuthorities[0] == BuiltInDomain);

    /// <summary>The numbers that name somebody, as they stand in the text form.</summary>
    public string Names => string.Join('-', subAuthorities.Skip(1));

    /// <summary>Measures the text form that a text begins with.</summary>
    /// <param name="rest">The text, from the beginning of a word.</param>
    /// <returns>Its characters; 0 when it does not begin with one of at least two numbers behind the authority.</returns>
    public static int Measure(ReadOnlySpan<char> rest)
    {
        if (!rest.StartsWith(Start, StringComparison.OrdinalIgnoreCase))
        {
            return 0;
        }

        int numbers = 0;
        int end = Start.Length - 1;
        for (int next = EndOfNumber(rest, end, numbers); next > end && numbers < MostNumbers; next = EndOfNumber(rest, end, numbers))
        {
            end = next;
            numbers++;
        }

        return numbers > 2 ? end : 0;
    }

    /// <summary>Reads the text form.</summary>
    /// <param name="text">What <see cref="Measure"/> has measured.</param>
    /// <returns>The identifier; null where a number is longer than its field.</returns>
    public static SecurityId? Parse(ReadOnlySpan<char> text)
    {
        string[] numbers = text[Start.Length..].ToString().Split('-');
        bool isHex = numbers[0].StartsWith(Hex, StringComparison.OrdinalIgnoreCase);
        uint[] behind = new uint[numbers.Length - 1];
        bool isRight = ulong.TryParse(isHex ? numbers[0][Hex.Length..] : numbers[0], isHex ? NumberStyles.AllowHexSpecifier : NumberStyles.None, CultureInfo.InvariantCulture, out ulong giver);
        for (int i = 0; i < behind.Length; i++)
        {
            isRight &= uint.TryParse(numbers[i + 1], NumberStyles.None, CultureInfo.InvariantCulture, out behind[i]);
        }

        return isRight ? new(giver, behind) : null;
    }

    /// <summary>Reads the binary form.</summary>
    /// <param name="bytes">At least eight bytes; as many numbers as are behind them.</param>
    /// <returns>The identifier.</returns>
    public static SecurityId Read(ReadOnlySpan<byte> bytes)
    {
        ulong giver = ((ulong)BinaryPrimitives.ReadUInt16BigEndian(bytes[2..]) << 32) | BinaryPrimitives.ReadUInt32BigEndian(bytes[4..]);
        uint[] behind = new uint[(bytes.Length - HeadBytes) / sizeof(uint)];
        for (int i = 0; i < behind.Length; i++)
        {
            behind[i] = BinaryPrimitives.ReadUInt32LittleEndian(bytes[(HeadBytes + (i * sizeof(uint)))..]);
        }

        return new(giver, behind);
    }

    /// <summary>Writes the numbers behind the head of the binary form; what is left over becomes zero.</summary>
    /// <param name="bytes">The bytes that it was read from.</param>
    public void Write(Span<byte> bytes)
    {
        Span<byte> rest = bytes[HeadBytes..];
        foreach (uint number in subAuthorities)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(rest, number);
            rest = rest[sizeof(uint)..];
        }

        rest.Clear();
    }

    /// <summary>The numbers that name somebody as they stand in the binary form.</summary>
    /// <returns>Four bytes for each.</returns>
    public byte[] NameBytes()
    {
        byte[] bytes = new byte[HeadBytes + (subAuthorities.Length * sizeof(uint))];
        Write(bytes);
        return bytes[(HeadBytes + sizeof(uint))..];
    }

    /// <summary>The text form.</summary>
    /// <returns>E.g. <c>S-1-5-18</c>.</returns>
    public override string ToString()
    {
        string giver = authority > uint.MaxValue ? $"{Hex}{authority:x12}" : authority.ToString(CultureInfo.InvariantCulture);
        return $"{Start}{giver}-{string.Join('-', subAuthorities)}";
    }

    // Where the number ends that stands behind a hyphen; the hyphen itself where none does.
    static int EndOfNumber(ReadOnlySpan<char> text, int hyphen, int number)
    {
        if (hyphen == text.Length || text[hyphen] != '-')
        {
            return hyphen;
        }

        ReadOnlySpan<char> near = text[(hyphen + 1)..Math.Min(text.Length, hyphen + 2 + LongestNumber)];
        int length = near.IndexOfAny(TextTokens.Separators);
        length = length < 0 ? near.Length : length;
        ReadOnlySpan<char> word = near[..length];
        bool isHex = number == 0 && word.StartsWith(Hex, StringComparison.OrdinalIgnoreCase);
        bool isNumber = isHex ? length <= LongestNumber : length is > 0 and <= LongestNumber && !word.ContainsAnyExceptInRange('0', '9');
        return isNumber ? hyphen + 1 + length : hyphen;
    }
}
