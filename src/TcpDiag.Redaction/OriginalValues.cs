using System;
using System.Buffers;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Wire;

namespace TcpDiag.Redaction;

/// <summary>
/// The values that a redaction has replaced, with their pseudonyms: what a verification searches for. Kept in memory only, and bounded, since a hostile
/// trace may hold any number of names; beyond the bound <see cref="IsComplete"/> is false.
/// </summary>
public sealed class OriginalValues
{
    // Far more words than the event descriptions of a real trace have.
    const int MaxPublic = 1 << 18;

    /// <summary>The <see cref="Source"/> outside texts.</summary>
    internal const string Packets = "packets and events";

    readonly OriginalSet<string> _words = new();
    readonly OriginalSet<IpAddress> _addresses = new();
    readonly OriginalSet<ulong> _macs = new();
    readonly HashSet<string> _public = new(StringComparer.Ordinal);
    readonly HashSet<Guid> _publicGuids = [];
    string? _publicText;

    /// <summary>Whether all values were recorded.</summary>
    public bool IsComplete =>
        _words.IsComplete && _addresses.IsComplete && _macs.IsComplete && Networks.IsComplete && SecurityIds.IsComplete && Guids.IsComplete;

    /// <summary>What is being read: packets and events, or the name of a file in a bundle.</summary>
    internal string Source { get; set; } = Packets;

    /// <summary>Replaced words, in lower case, each with the source in which it was met first.</summary>
    internal IReadOnlyDictionary<string, string> Words => _words.FirstSeen;

    /// <summary>Replaced addresses, each with the source in which it was met first.</summary>
    internal IReadOnlyDictionary<IpAddress, string> Addresses => _addresses.FirstSeen;

    /// <summary>Replaced MAC addresses as 48-bit numbers, each with the source in which it was met first.</summary>
    internal IReadOnlyDictionary<ulong, string> Macs => _macs.FirstSeen;

    /// <summary>Replaced networks of texts.</summary>
    internal OriginalSet<AddressPrefix> Networks { get; } = new();

    /// <summary>Replaced security identifiers, in text form.</summary>
    internal OriginalSet<string> SecurityIds { get; } = new();

    /// <summary>Replaced GUIDs of texts.</summary>
    internal OriginalSet<Guid> Guids { get; } = new();

    // One text, since a name may also be part of a public word.
    string PublicText => _publicText ??= string.Join(' ', _public);

    /// <summary>The number of distinct values of a kind that were replaced.</summary>
    /// <param name="kind">The kind.</param>
    /// <returns>Null for kinds whose values are not recorded.</returns>
    public long? Distinct(RedactionKind kind) => kind switch
    {
        RedactionKind.Words => Words.Count,
        RedactionKind.Ipv4Addresses => Count(isIpv4: true),
        RedactionKind.Ipv6Addresses => Count(isIpv4: false),
        RedactionKind.MacAddresses => Macs.Count,
        RedactionKind.SecurityIds => SecurityIds.FirstSeen.Count,
        _ => null,
    };

    /// <summary>The values themselves, for a user who has the originals anyway.</summary>
    /// <returns>By kind, sorted.</returns>
    public IEnumerable<RecognizedValue> List() => Of(Words, _ => RedactionKind.Words, word => word)
        .Concat(Of(Addresses, KindOf, address => address.ToString()))
        .Concat(Of(Networks.FirstSeen, network => KindOf(network.Address), network => network.ToString()))
        .Concat(Of(Macs, _ => RedactionKind.MacAddresses, LinkAddressMap.ToText))
        .Concat(Of(SecurityIds.FirstSeen, _ => RedactionKind.SecurityIds, id => id))
        .Concat(Of(Guids.FirstSeen, _ => RedactionKind.Guids, guid => guid.ToString()))
        .OrderBy(value => value.Kind).ThenBy(value => value.Value, StringComparer.Ordinal);

    /// <summary>Whether a word, in any case, was replaced somewhere, or spells out the digits of a replaced address.</summary>
    internal bool Contains(ReadOnlySpan<char> word) => Words.ContainsKey(word.ToString().ToLower(CultureInfo.InvariantCulture)) || Spells(word);

    internal void AddWord(string original, string image) => _words.Add(original, image, Source);

    internal void AddAddress(IpAddress original, IpAddress image) => _addresses.Add(original, image, Source);

    internal void AddMac(ulong original, ulong image) => _macs.Add(original, image, Source);

    internal void Add(AddressPrefix original, AddressPrefix image) => Networks.Add(original, image, Source);

    internal void Add(SecurityId original, SecurityId image) => SecurityIds.Add(original.ToString(), image.ToString(), Source);

    internal void Add(Guid original, Guid image) => Guids.Add(original, image, Source);

    /// <summary>Records the words of a text that stays as it is: they are in the result even if they are also somebody's name.</summary>
    internal void AddPublic(ReadOnlySpan<char> text)
    {
        _publicText = null;
        foreach (TextToken token in new TextTokens(text))
        {
            if (token.Kind == TextTokenKind.Word && _public.Count < MaxPublic)
            {
                _public.Add(text.Slice(token.Start, token.Length).ToString().ToLower(CultureInfo.InvariantCulture));
            }
        }
    }

    /// <summary>Records a GUID that stays in binary form because it identifies a provider or an event; in texts it may have been replaced.</summary>
    internal void AddPublicId(Guid guid)
    {
        if (_publicGuids.Count < MaxPublic)
        {
            _publicGuids.Add(guid);
        }
    }

    /// <summary>Forgets the public words: they were read to learn from and are in no result.</summary>
    internal void ClearPublic()
    {
        _public.Clear();
        _publicGuids.Clear();
        _publicText = null;
    }

    /// <summary>Whether a word was replaced and is neither a pseudonym, nor well known, nor <see cref="AddPublic">public</see>.</summary>
    internal bool IsLeak(string word) => IsLeakInText(word) && !KnownWords.Contains(word) && !PublicText.Contains(word, StringComparison.Ordinal);

    /// <summary>Whether a word was replaced and is not a pseudonym; for texts, where event descriptions do not occur.</summary>
    internal bool IsLeakInText(string word) => _words.IsLeak(word);

    internal bool IsLeak(IpAddress address) => _addresses.IsLeak(address);

    internal bool IsLeak(ulong mac) => _macs.IsLeak(mac);

    /// <summary>Whether a GUID was replaced and is neither a pseudonym nor <see cref="AddPublicId">public</see>.</summary>
    internal bool IsLeakAsBytes(Guid guid) => Guids.IsLeak(guid) && !_publicGuids.Contains(guid);

    /// <summary>Of networks met in a text, those of originals that are not also networks of pseudonyms.</summary>
    internal IEnumerable<AddressPrefix> LeakedBy(IEnumerable<AddressPrefix> networks) =>
        networks.GroupBy(network => (network.Address.IsIpv4, network.Bits)).SelectMany(group =>
        {
            HashSet<AddressPrefix> originals = Cut(Addresses.Keys, Networks.FirstSeen.Keys, group.Key.IsIpv4, group.Key.Bits);
            originals.ExceptWith(Cut(_addresses.Images, Networks.Images, group.Key.IsIpv4, group.Key.Bits));
            return group.Where(originals.Contains);
        });

    internal static RedactionKind KindOf(IpAddress address) => address.IsIpv4 ? RedactionKind.Ipv4Addresses : RedactionKind.Ipv6Addresses;

    bool Spells(ReadOnlySpan<char> word)
    {
        const int longest = 16;
        Span<byte> bytes = stackalloc byte[longest];
        if (word.Length > 2 * longest || Convert.FromHexString(word, bytes, out _, out int length) != OperationStatus.Done)
        {
            return false;
        }

        return length switch
        {
            4 or longest => Addresses.ContainsKey(IpAddress.Read(bytes[..length])),
            LinkAddressMap.Bytes => Macs.ContainsKey(LinkAddressMap.Read(bytes)),
            _ => false,
        };
    }

    static IEnumerable<RecognizedValue> Of<T>(IReadOnlyDictionary<T, string> firstSeen, Func<T, RedactionKind> kind, Func<T, string> text) =>
        firstSeen.Select(value => new RecognizedValue(kind(value.Key), text(value.Key), value.Value));

    // Networks of this length.
    static HashSet<AddressPrefix> Cut(IEnumerable<IpAddress> addresses, IEnumerable<AddressPrefix> networks, bool isIpv4, int bits) =>
        [.. addresses.Concat(networks.Where(network => network.Bits >= bits).Select(network => network.Address))
            .Where(address => address.IsIpv4 == isIpv4).Select(address => AddressPrefix.Of(address, bits))];

    long Count(bool isIpv4)
    {
        long count = 0;
        foreach (IpAddress address in Addresses.Keys)
        {
            count += address.IsIpv4 == isIpv4 ? 1 : 0;
        }

        return count;
    }
}

/// <summary>Replaced values of one kind and their pseudonyms, bounded.</summary>
sealed class OriginalSet<T>
    where T : notnull
{
    // Far more than one machine meets in a trace: some 20 MB of names.
    const int MaxValues = 1 << 18;

    readonly Dictionary<T, string> _firstSeen = [];
    readonly HashSet<T> _images = [];

    /// <summary>The values, each with the source in which it was met first.</summary>
    public IReadOnlyDictionary<T, string> FirstSeen => _firstSeen;

    /// <summary>Their pseudonyms.</summary>
    public IReadOnlyCollection<T> Images => _images;

    public bool IsComplete { get; private set; } = true;

    /// <summary>Whether a value was replaced and is not itself a pseudonym of another.</summary>
    public bool IsLeak(T value) => _firstSeen.ContainsKey(value) && !_images.Contains(value);

    public void Add(T original, T image, string source)
    {
        if (_firstSeen.Count < MaxValues)
        {
            _firstSeen.TryAdd(original, source);
            _images.Add(image);
        }
        else if (!_firstSeen.ContainsKey(original))
        {
            IsComplete = false;
        }
    }
}

/// <summary>An original value that a redaction has recognised.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Value">The value; words in lower case.</param>
/// <param name="Source">Where it was met first: packets and events, or the name of a file in a bundle.</param>
public sealed record RecognizedValue(RedactionKind Kind, string Value, string Source);
