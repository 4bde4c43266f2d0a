using System;
using System.Buffers.Binary;
using System.Globalization;
using System.Linq;

namespace TcpDiag.Redaction;

/// <summary>A security identifier (SID, [MS-DTYP] §2.4.2), from its binary or its text form, e.g. <c>S-1-5-18</c>.</summary>
/// <param name="authority">The identifier authority, 48 bits.</param>
/// <param name="subAuthorities">The subauthorities: the first is the kind of identifier, the others name a domain, a machine or an account.</param>
sealed class SecurityId(ulong authority, uint[] subAuthorities)
{
    const string Start = "S-1-";
    const string Hex = "0x";
    const int HeadBytes = 8;
    const ulong NtAuthority = 5;
    const uint BuiltInDomain = 32;

    // A 32-bit number in decimal, or a 48-bit one in hexadecimal behind 0x.
    const int LongestNumber = 14;

    // A real identifier has at most 15; a hostile text may have any number.
    const int MaxNumbers = 32;

    public ulong Authority => authority;

    public ReadOnlySpan<uint> SubAuthorities => subAuthorities;

    /// <summary>Whether it is the same on every machine and so names nobody: at most one subauthority, or of the built-in domain.</summary>
    public bool IsWellKnown => subAuthorities.Length < 2 || (authority == NtAuthority && subAuthorities[0] == BuiltInDomain);

    /// <summary>The subauthorities that name somebody, in text form.</summary>
    public string Names => string.Join('-', subAuthorities.Skip(1));

    /// <summary>The length of the text form at the start of a text.</summary>
    /// <returns>Characters; 0 if there is none with at least two subauthorities.</returns>
    public static int Measure(ReadOnlySpan<char> rest)
    {
        if (!rest.StartsWith(Start, StringComparison.OrdinalIgnoreCase))
        {
            return 0;
        }

        int numbers = 0;
        int end = Start.Length - 1;
        for (int next = EndOfNumber(rest, end, numbers); next > end && numbers < MaxNumbers; next = EndOfNumber(rest, end, numbers))
        {
            end = next;
            numbers++;
        }

        return numbers > 2 ? end : 0;
    }

    /// <summary>Reads a text form that was measured; null if a number is too large for its field.</summary>
    public static SecurityId? Parse(ReadOnlySpan<char> text)
    {
        string[] numbers = text[Start.Length..].ToString().Split('-');
        bool isHex = numbers[0].StartsWith(Hex, StringComparison.OrdinalIgnoreCase);
        string first = isHex ? numbers[0][Hex.Length..] : numbers[0];
        NumberStyles style = isHex ? NumberStyles.AllowHexSpecifier : NumberStyles.None;
        bool isRight = ulong.TryParse(first, style, CultureInfo.InvariantCulture, out ulong identifierAuthority);
        uint[] behind = new uint[numbers.Length - 1];
        for (int i = 0; i < behind.Length; i++)
        {
            isRight &= uint.TryParse(numbers[i + 1], NumberStyles.None, CultureInfo.InvariantCulture, out behind[i]);
        }

        return isRight ? new(identifierAuthority, behind) : null;
    }

    /// <summary>Reads at least eight bytes, then as many subauthorities as fit.</summary>
    public static SecurityId Read(ReadOnlySpan<byte> bytes)
    {
        ulong identifierAuthority = ((ulong)BinaryPrimitives.ReadUInt16BigEndian(bytes[2..]) << 32) | BinaryPrimitives.ReadUInt32BigEndian(bytes[4..]);
        uint[] behind = new uint[(bytes.Length - HeadBytes) / sizeof(uint)];
        for (int i = 0; i < behind.Length; i++)
        {
            behind[i] = BinaryPrimitives.ReadUInt32LittleEndian(bytes[(HeadBytes + (i * sizeof(uint)))..]);
        }

        return new(identifierAuthority, behind);
    }

    /// <summary>Writes the subauthorities into the binary form and clears what follows them.</summary>
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

    /// <summary>The subauthorities that name somebody, in binary form.</summary>
    public byte[] NameBytes()
    {
        byte[] bytes = new byte[HeadBytes + (subAuthorities.Length * sizeof(uint))];
        Write(bytes);
        return bytes[(HeadBytes + sizeof(uint))..];
    }

    public override string ToString()
    {
        string identifierAuthority = authority > uint.MaxValue ? $"{Hex}{authority:x12}" : authority.ToString(CultureInfo.InvariantCulture);
        return $"{Start}{identifierAuthority}-{string.Join('-', subAuthorities)}";
    }

    // The end of the number after a hyphen; the hyphen itself if there is none.
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

/// <summary>
/// Replaces the numbers of a security identifier that name somebody. Each is derived from all numbers before it, so that accounts of one domain stay in
/// one domain, and has as many decimal digits as the original, so that a text keeps its length and both forms get the same pseudonym.
/// </summary>
sealed class SecurityIdMap(RedactionKey key)
{
    readonly KeyedHash _hash = new(key, "security ids");

    public SecurityId Map(SecurityId id)
    {
        uint[] numbers = [.. id.SubAuthorities];
        byte[] before = new byte[sizeof(ulong) + (numbers.Length * sizeof(uint))];
        BinaryPrimitives.WriteUInt64LittleEndian(before, id.Authority);
        for (int i = 0; i < numbers.Length; i++)
        {
            int end = sizeof(ulong) + ((i + 1) * sizeof(uint));
            BinaryPrimitives.WriteUInt32LittleEndian(before.AsSpan(end - sizeof(uint)), numbers[i]);
            numbers[i] = i == 0 ? numbers[i] : Map(before.AsSpan(0, end), numbers[i]);
        }

        return new SecurityId(id.Authority, numbers);
    }

    // The bias of a 64-bit remainder is negligible.
    uint Map(ReadOnlySpan<byte> before, uint number)
    {
        Span<byte> hash = stackalloc byte[KeyedHash.Bytes];
        _hash.Compute(before, hash);
        ulong first = 0;
        ulong end = 10;
        while (end <= number)
        {
            first = end;
            end *= 10;
        }

        end = Math.Min(end, uint.MaxValue);
        return (uint)(first + (BinaryPrimitives.ReadUInt64LittleEndian(hash) % (end - first)));
    }
}
