using System;
using System.Buffers;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Redaction;

/// <summary>
/// The values that a redaction has replaced, and what it has put in their place: what a verification looks for. Kept in memory only. Bounded, since a hostile trace has no end
/// of names; beyond the bound <see cref="IsComplete"/> is false.
/// </summary>
public sealed class OriginalValues
{
    // Far more than the descriptions of a trace's events have.
    const int MostPublic = 1 << 18;

    /// <summary>The <see cref="Place"/> that is no text.</summary>
    internal const string Packets = "packets and events";

    readonly OriginalSet<string> _words = new();
    readonly OriginalSet<IpAddress> _addresses = new();
    readonly OriginalSet<ulong> _macs = new();
    readonly HashSet<string> _public = new(StringComparer.Ordinal);
    readonly HashSet<Guid> _publicGuids = [];
    string? _publicText;

    /// <summary>Whether nothing had to be left out.</summary>
    public bool IsComplete => _words.IsComplete && _addresses.IsComplete && _macs.IsComplete && Networks.IsComplete && SecurityIds.IsComplete && Guids.IsComplete;

    /// <summary>What is read at present: packets and events, or the name of a file in a bundle.</summary>
    internal string Place { get; set; } = Packets;

    /// <summary>Words that were replaced, in lower case, with the place where each was met first.</summary>
    internal IReadOnlyDictionary<string, string> Words => _words.Places;

    /// <summary>Addresses that were replaced, with the place where each was met first.</summary>
    internal IReadOnlyDictionary<IpAddress, string> Addresses => _addresses.Places;

    /// <summary>MAC addresses that were replaced, as 48-bit numbers, with the place where each was met first.</summary>
    internal IReadOnlyDictionary<ulong, string> Macs => _macs.Places;

    /// <summary>Networks that stood in texts and were replaced.</summary>
    internal OriginalSet<AddressPrefix> Networks { get; } = new();

    /// <summary>Security identifiers that were replaced, in their text form.</summary>
    internal OriginalSet<string> SecurityIds { get; } = new();

    /// <summary>GUIDs that stood in texts and were replaced.</summary>
    internal OriginalSet<Guid> Guids { get; } = new();

    // A name may also be a part of a public word.
    string PublicText => _publicText ??= string.Join(' ', _public);

    /// <summary>How many distinct values of a kind were replaced.</summary>
    /// <param name="kind">The kind.</param>
    /// <returns>The number; null where distinct values are not kept.</returns>
    public long? Distinct(RedactionKind kind) => kind switch
    {
        RedactionKind.Words => Words.Count,
        RedactionKind.Ipv4Addresses => Count(isIpv4: true),
        RedactionKind.Ipv6Addresses => Count(isIpv4: false),
        RedactionKind.MacAddresses => Macs.Count,
        RedactionKind.SecurityIds => SecurityIds.Places.Count,
        _ => null,
    };

    /// <summary>The values themselves, for whoever has the originals anyway.</summary>
    /// <returns>By kind, sorted.</returns>
    public IEnumerable<RecognizedValue> List() => Of(Words, _ => RedactionKind.Words, word => word)
        .Concat(Of(Addresses, KindOf, address => address.ToString()))
        .Concat(Of(Networks.Places, network => KindOf(network.Address), network => network.ToString()))
        .Concat(Of(Macs, _ => RedactionKind.MacAddresses, LinkAddressMap.ToText))
        .Concat(Of(SecurityIds.Places, _ => RedactionKind.SecurityIds, id => id))
        .Concat(Of(Guids.Places, _ => RedactionKind.Guids, guid => guid.ToString()))
        .OrderBy(value => value.Kind).ThenBy(value => value.Value, StringComparer.Ordinal);

    /// <summary>Whether a word was replaced somewhere, whatever its case, or has the digits of an address that was.</summary>
    internal bool Contains(ReadOnlySpan<char> word) => Words.ContainsKey(word.ToString().ToLower(CultureInfo.InvariantCulture)) || Spells(word);

    internal void AddWord(string original, string image) => _words.Add(original, image, Place);

    internal void AddAddress(IpAddress original, IpAddress image) => _addresses.Add(original, image, Place);

    internal void AddMac(ulong original, ulong image) => _macs.Add(original, image, Place);

    /// <summary>Notes a network that was replaced.</summary>
    internal void Add(AddressPrefix original, AddressPrefix image) => Networks.Add(original, image, Place);

    /// <summary>Notes a security identifier that was replaced.</summary>
    internal void Add(SecurityId original, SecurityId image) => SecurityIds.Add(original.ToString(), image.ToString(), Place);

    /// <summary>Notes a GUID of a text that was replaced.</summary>
    internal void Add(Guid original, Guid image) => Guids.Add(original, image, Place);

    /// <summary>Notes the words of a text that stays as it is, because it describes events and not what happened: they are in the result, whoever bears such a name.</summary>
    internal void Publish(ReadOnlySpan<char> text)
    {
        _publicText = null;
        foreach (TextToken token in new TextTokens(text))
        {
            if (token.Kind == TextTokenKind.Word && _public.Count < MostPublic)
            {
                _public.Add(text.Slice(token.Start, token.Length).ToString().ToLower(CultureInfo.InvariantCulture));
            }
        }
    }

    /// <summary>Notes a GUID that stays as bytes, because it tells which events these are; as text it may have been replaced.</summary>
    internal void PublishId(Guid guid)
    {
        if (_publicGuids.Count < MostPublic)
        {
            _publicGuids.Add(guid);
        }
    }

    /// <summary>Takes back what was published: it was read to learn from, and is not in any result.</summary>
    internal void Unpublish()
    {
        _public.Clear();
        _publicGuids.Clear();
        _publicText = null;
    }

    /// <summary>Whether a word was replaced, and neither stands for another one nor is well known or <see cref="Publish">public</see>.</summary>
    internal bool IsBetrayed(string word) => IsBetrayedWhereRead(word) && !KnownWords.Contains(word) && !PublicText.Contains(word, StringComparison.Ordinal);

    /// <summary>Whether a word was replaced, and does not stand for another one: the question for a text, in which descriptions do not stand.</summary>
    internal bool IsBetrayedWhereRead(string word) => _words.IsBetrayed(word);

    /// <summary>Whether an address was replaced, and does not stand for another one.</summary>
    internal bool IsBetrayed(IpAddress address) => _addresses.IsBetrayed(address);

    /// <summary>Whether a MAC address was replaced, and does not stand for another one.</summary>
    internal bool IsBetrayed(ulong mac) => _macs.IsBetrayed(mac);

    /// <summary>Whether a GUID was replaced, does not stand for another one, and its bytes say nothing else.</summary>
    internal bool IsBetrayedAsBytes(Guid guid) => Guids.IsBetrayed(guid) && !_publicGuids.Contains(guid);

    /// <summary>Of networks met in a text those that are the network of an original, and of none that stands for another one.</summary>
    internal IEnumerable<AddressPrefix> BetrayedBy(IEnumerable<AddressPrefix> networks) => networks.GroupBy(network => (network.Address.IsIpv4, network.Bits)).SelectMany(group =>
    {
        HashSet<AddressPrefix> originals = Cut(Addresses.Keys, Networks.Places.Keys, group.Key.IsIpv4, group.Key.Bits);
        originals.ExceptWith(Cut(_addresses.Images, Networks.Images, group.Key.IsIpv4, group.Key.Bits));
        return group.Where(originals.Contains);
    });

    /// <summary>The kind of an address.</summary>
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

    static IEnumerable<RecognizedValue> Of<T>(IReadOnlyDictionary<T, string> places, Func<T, RedactionKind> kind, Func<T, string> text) =>
        places.Select(value => new RecognizedValue(kind(value.Key), text(value.Key), value.Value));

    // Networks of that length.
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
