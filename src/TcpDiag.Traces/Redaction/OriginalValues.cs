using System;
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
    // Distinct values of one kind: far more than one machine meets in a trace, some 20 MB of names.
    const int Most = 1 << 18;

    /// <summary>The <see cref="Place"/> that is no text.</summary>
    internal const string Packets = "packets and events";

    readonly Dictionary<string, string> _words = new(StringComparer.Ordinal);
    readonly HashSet<string> _wordImages = new(StringComparer.Ordinal);
    readonly HashSet<string> _public = new(StringComparer.Ordinal);
    readonly Dictionary<IpAddress, string> _addresses = [];
    readonly HashSet<IpAddress> _addressImages = [];
    readonly Dictionary<ulong, string> _macs = [];
    readonly HashSet<ulong> _macImages = [];
    string? _publicText;

    /// <summary>Whether nothing had to be left out.</summary>
    public bool IsComplete { get; private set; } = true;

    /// <summary>What is read at present: packets and events, or the name of a file in a bundle.</summary>
    internal string Place { get; set; } = Packets;

    /// <summary>Words that were replaced, in lower case, with the place where each was met first.</summary>
    internal IReadOnlyDictionary<string, string> Words => _words;

    /// <summary>Addresses that were replaced, with the place where each was met first.</summary>
    internal IReadOnlyDictionary<IpAddress, string> Addresses => _addresses;

    /// <summary>MAC addresses that were replaced, as 48-bit numbers, with the place where each was met first.</summary>
    internal IReadOnlyDictionary<ulong, string> Macs => _macs;

    // A name may also be a part of a public word.
    string PublicText => _publicText ??= string.Join(' ', _public);

    /// <summary>How many distinct values of a kind were replaced.</summary>
    /// <param name="kind">The kind.</param>
    /// <returns>The number; null where distinct values are not kept.</returns>
    public long? Distinct(RedactionKind kind) => kind switch
    {
        RedactionKind.Words => _words.Count,
        RedactionKind.Ipv4Addresses => Count(isIpv4: true),
        RedactionKind.Ipv6Addresses => Count(isIpv4: false),
        RedactionKind.MacAddresses => _macs.Count,
        _ => null,
    };

    /// <summary>The values themselves, for whoever has the originals anyway.</summary>
    /// <returns>By kind, sorted.</returns>
    public IEnumerable<RecognizedValue> List() => _words.Select(word => new RecognizedValue(RedactionKind.Words, word.Key, word.Value))
        .Concat(_addresses.Select(address => new RecognizedValue(address.Key.IsIpv4 ? RedactionKind.Ipv4Addresses : RedactionKind.Ipv6Addresses, address.Key.ToString(), address.Value)))
        .Concat(_macs.Select(mac => new RecognizedValue(RedactionKind.MacAddresses, LinkAddressMap.ToText(mac.Key), mac.Value)))
        .OrderBy(value => value.Kind).ThenBy(value => value.Value, StringComparer.Ordinal);

    /// <summary>Whether a word was replaced somewhere, whatever its case.</summary>
    internal bool Contains(ReadOnlySpan<char> word) => _words.ContainsKey(word.ToString().ToLower(CultureInfo.InvariantCulture));

    internal void AddWord(string original, string image) => Add(_words, _wordImages, original, image);

    internal void AddAddress(IpAddress original, IpAddress image) => Add(_addresses, _addressImages, original, image);

    internal void AddMac(ulong original, ulong image) => Add(_macs, _macImages, original, image);

    /// <summary>Notes the words of a text that stays as it is, because it describes events and not what happened: they are in the result, whoever bears such a name.</summary>
    internal void Publish(ReadOnlySpan<char> text)
    {
        _publicText = null;
        foreach (TextToken token in new TextTokens(text))
        {
            if (token.Kind == TextTokenKind.Word && _public.Count < Most)
            {
                _public.Add(text.Slice(token.Start, token.Length).ToString().ToLower(CultureInfo.InvariantCulture));
            }
        }
    }

    /// <summary>Takes back what was published: it was read to learn from, and is not in any result.</summary>
    internal void Unpublish()
    {
        _public.Clear();
        _publicText = null;
    }

    /// <summary>Whether a word was replaced, and neither stands for another one nor is well known or <see cref="Publish">public</see>.</summary>
    internal bool IsBetrayed(string word) => IsBetrayedWhereRead(word) && !KnownWords.Contains(word) && !PublicText.Contains(word, StringComparison.Ordinal);

    /// <summary>Whether a word was replaced, and does not stand for another one: the question for a text, in which descriptions do not stand.</summary>
    internal bool IsBetrayedWhereRead(string word) => _words.ContainsKey(word) && !_wordImages.Contains(word);

    /// <summary>Whether an address was replaced, and does not stand for another one.</summary>
    internal bool IsBetrayed(IpAddress address) => _addresses.ContainsKey(address) && !_addressImages.Contains(address);

    /// <summary>Whether a MAC address was replaced, and does not stand for another one.</summary>
    internal bool IsBetrayed(ulong mac) => _macs.ContainsKey(mac) && !_macImages.Contains(mac);

    long Count(bool isIpv4)
    {
        long count = 0;
        foreach (IpAddress address in _addresses.Keys)
        {
            count += address.IsIpv4 == isIpv4 ? 1 : 0;
        }

        return count;
    }

    void Add<T>(Dictionary<T, string> originals, HashSet<T> images, T original, T image)
        where T : notnull
    {
        if (originals.Count < Most)
        {
            originals.TryAdd(original, Place);
            images.Add(image);
        }
        else if (!originals.ContainsKey(original))
        {
            IsComplete = false;
        }
    }
}
