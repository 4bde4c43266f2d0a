using System;
using System.Buffers;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using TcpDiag.Wire;

namespace TcpDiag.Redaction.Verification;

/// <summary>
/// Words to search for in text of 8-bit or 16-bit units: long ones anywhere, shorter ones only as whole words. Still shorter ones occur by chance, and
/// numbers are everywhere; neither is searched for.
/// </summary>
sealed class WordPatterns
{
    // Random bytes spell a given word of 5 bytes, in either case, at one offset in 10¹⁰; one of 3 16-bit units at one in 10¹³.
    const int ShortestOfBytes = 5;
    const int ShortestOfUnits = 3;

    // 40 bits, since a pseudonym is made of 32 characters.
    const int ShortestAnywhere = 8;

    readonly HashSet<string>.AlternateLookup<ReadOnlySpan<char>> _between;
    readonly SearchValues<string> _anywhere;

    /// <summary>Prepares the search.</summary>
    /// <param name="words">Words in lower case.</param>
    /// <param name="isWide">Whether units have 16 bits; otherwise they are the bytes of UTF-8.</param>
    public WordPatterns(IEnumerable<string> words, bool isWide)
    {
        string[] patterns = [.. isWide ? words : words.Select(word => Encoding.Latin1.GetString(Encoding.UTF8.GetBytes(word)))];
        int shortest = isWide ? ShortestOfUnits : ShortestOfBytes;
        IEnumerable<string> whole = patterns.Where(word => word.Length >= shortest && word.AsSpan().ContainsAnyExceptInRange('0', '9'));
        var between = new HashSet<string>(whole, StringComparer.OrdinalIgnoreCase);
        _between = between.GetAlternateLookup<ReadOnlySpan<char>>();
        _anywhere = SearchValues.Create([.. patterns.Where(word => word.Length >= ShortestAnywhere)], StringComparison.OrdinalIgnoreCase);
        Searched = between.Count;
    }

    /// <summary>Words that are searched for.</summary>
    public int Searched { get; }

    /// <summary>The position of the first match; negative if there is none.</summary>
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

/// <summary>The forms of addresses, networks, security identifiers and GUIDs in texts.</summary>
static class IdentifierTexts
{
    const int Shortest = 8; // a shorter text occurs by chance

    // Stars are rare.
    const int ShortestWithStar = 6;

    /// <summary>The texts that reveal an original, in lower case, without those so short that they occur by chance.</summary>
    public static IReadOnlyCollection<string> Of(OriginalValues originals) =>
    [
        .. originals.Addresses.Keys.Where(originals.IsLeak).SelectMany(Of).Where(IsLong),
        .. originals.LeakedBy(originals.Networks.FirstSeen.Keys).SelectMany(Of).Where(IsLong),
        .. originals.SecurityIds.FirstSeen.Keys.Where(originals.SecurityIds.IsLeak).SelectMany(text => Of(SecurityId.Parse(text)!)).Where(IsLong),
        .. originals.Guids.FirstSeen.Keys.Where(originals.Guids.IsLeak).Select(guid => guid.ToString()),
    ];

    static bool IsLong(string text) => text.Length >= (text.EndsWith('*') ? ShortestWithStar : Shortest);

    // The domain alone names somebody too.
    static IEnumerable<string> Of(SecurityId id) => id.Names.LastIndexOf('-') is > 0 and int account ? [id.Names, id.Names[..account]] : [id.Names];

    static IEnumerable<string> Of(IpAddress address)
    {
        byte[] bytes = new byte[16];
        bytes = bytes[..address.Write(bytes)];
        string reverse = address.IsIpv4
            ? string.Join('.', bytes.Reverse()) + ".in-addr"
            : string.Join('.', Convert.ToHexStringLower(bytes).Reverse()) + ".ip6";
        return [address.ToString(), Convert.ToHexStringLower(bytes), reverse];
    }

    static IEnumerable<string> Of(AddressPrefix network)
    {
        const int numberBits = 8;
        string text = network.ToString();
        int numbers = network.Bits / numberBits;
        bool isWhole = network.Address.IsIpv4 && numbers * numberBits == network.Bits && numbers > 0;
        return isWhole ? [text, string.Join('.', network.Address.ToString().Split('.').Take(numbers)) + ".*"] : [text];
    }
}

/// <summary>Addresses to search for in their text forms. A match must not be part of a longer address: 10.0.0.12 is not 10.0.0.1.</summary>
sealed class AddressPatterns
{
    static readonly SearchValues<char> Digits = SearchValues.Create("0123456789");
    static readonly SearchValues<char> HexDigits = SearchValues.Create("0123456789abcdefABCDEF");

    readonly HashSet<string>.AlternateLookup<ReadOnlySpan<char>> _texts;
    readonly SearchValues<string> _search;
    readonly int[] _lengths;

    public AddressPatterns(IReadOnlyCollection<string> texts)
    {
        _texts = texts.ToHashSet(StringComparer.OrdinalIgnoreCase).GetAlternateLookup<ReadOnlySpan<char>>();
        _search = SearchValues.Create([.. texts], StringComparison.OrdinalIgnoreCase);
        _lengths = [.. texts.Select(text => text.Length).Distinct()];
        Searched = _texts.Set.Count;
    }

    /// <summary>Addresses that are searched for.</summary>
    public int Searched { get; }

    /// <summary>The position of the first match; negative if there is none.</summary>
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

/// <summary>
/// Addresses, security identifiers and GUIDs in binary form, forwards and backwards, to search for at every offset. Only those are searched for that
/// hardly occur by chance: enough distinct bytes, and so long, or the file so short, that one file in a thousand has a random match.
/// </summary>
sealed class BinaryPatterns
{
    const int PrefixBytes = 4;
    const double MaxChance = 0.001;
    const double Ipv4Values = 4_294_967_296.0;

    readonly bool[] _starts = new bool[1 << 16];
    readonly Dictionary<uint, List<(byte[] Bytes, RedactionKind Kind)>> _byPrefix = [];

    public BinaryPatterns(OriginalValues originals, long fileBytes)
    {
        Span<byte> bytes = stackalloc byte[16];
        bool isIpv4Rare = 2.0 * fileBytes * originals.Addresses.Count / Ipv4Values < MaxChance;
        foreach (IpAddress address in originals.Addresses.Keys)
        {
            Span<byte> value = bytes[..address.Write(bytes)];
            bool isWanted = address.IsIpv4 ? isIpv4Rare && IsUnusual(value, 4) && !value.Contains((byte)0) : IsUnusual(value, 5);
            Add(value, address.IsIpv4 ? RedactionKind.Ipv4Addresses : RedactionKind.Ipv6Addresses, isWanted && originals.IsLeak(address));
        }

        foreach (ulong mac in originals.Macs.Keys)
        {
            Span<byte> value = bytes[..LinkAddressMap.Bytes];
            LinkAddressMap.Write(value, mac);
            Add(value, RedactionKind.MacAddresses, IsUnusual(value, 4) && originals.IsLeak(mac));
        }

        foreach (Guid guid in originals.Guids.FirstSeen.Keys)
        {
            guid.TryWriteBytes(bytes);
            Add(bytes, RedactionKind.Guids, IsUnusual(bytes, 5) && originals.IsLeakAsBytes(guid));
        }

        foreach (string text in originals.SecurityIds.FirstSeen.Keys)
        {
            byte[] numbers = SecurityId.Parse(text)!.NameBytes();
            Add(numbers, RedactionKind.SecurityIds, IsUnusual(numbers, 5) && originals.SecurityIds.IsLeak(text));
        }
    }

    /// <summary>Values that are searched for.</summary>
    public long Searched { get; private set; }

    public long LeftOut { get; private set; }

    /// <summary>Whether a pattern begins at the start of a span.</summary>
    public bool TryMatch(ReadOnlySpan<byte> bytes, out RedactionKind kind)
    {
        kind = default;
        if (!_starts[BinaryPrimitives.ReadUInt16LittleEndian(bytes)]
            || !_byPrefix.TryGetValue(BinaryPrimitives.ReadUInt32LittleEndian(bytes), out List<(byte[] Bytes, RedactionKind Kind)>? candidates))
        {
            return false;
        }

        foreach ((byte[] pattern, RedactionKind found) in candidates)
        {
            if (bytes.StartsWith(pattern))
            {
                kind = found;
                return true;
            }
        }

        return false;
    }

    static bool IsUnusual(ReadOnlySpan<byte> value, int minDistinct)
    {
        int distinct = 0;
        for (int i = 0; i < value.Length; i++)
        {
            distinct += value[i] is not (0 or byte.MaxValue) && !value[..i].Contains(value[i]) ? 1 : 0;
        }

        return distinct >= minDistinct;
    }

    void Add(ReadOnlySpan<byte> value, RedactionKind kind, bool isWanted)
    {
        if (!isWanted)
        {
            LeftOut++;
            return;
        }

        Searched++;
        byte[] forwards = value.ToArray();
        byte[] backwards = value.ToArray();
        backwards.AsSpan().Reverse();
        Add(forwards, kind);
        Add(backwards, kind);
    }

    void Add(byte[] pattern, RedactionKind kind)
    {
        uint prefix = BinaryPrimitives.ReadUInt32LittleEndian(pattern.AsSpan(0, PrefixBytes));
        _starts[(ushort)prefix] = true;
        if (!_byPrefix.TryGetValue(prefix, out List<(byte[] Bytes, RedactionKind Kind)>? patterns))
        {
            _byPrefix[prefix] = patterns = [];
        }

        patterns.Add((pattern, kind));
    }
}
