using System;
using System.Collections.Generic;
using System.Globalization;
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

    readonly HashSet<string> _words = new(StringComparer.Ordinal);
    readonly HashSet<string> _wordImages = new(StringComparer.Ordinal);
    readonly HashSet<string> _public = new(StringComparer.Ordinal);
    readonly HashSet<IpAddress> _addresses = [];
    readonly HashSet<IpAddress> _addressImages = [];
    readonly HashSet<ulong> _macs = [];
    readonly HashSet<ulong> _macImages = [];
    string? _publicText;

    /// <summary>Whether nothing had to be left out.</summary>
    public bool IsComplete { get; private set; } = true;

    /// <summary>Words that were replaced, in lower case.</summary>
    internal IReadOnlyCollection<string> Words => _words;

    /// <summary>Addresses that were replaced.</summary>
    internal IReadOnlyCollection<IpAddress> Addresses => _addresses;

    /// <summary>MAC addresses that were replaced, as 48-bit numbers.</summary>
    internal IReadOnlyCollection<ulong> Macs => _macs;

    // A name may also be a part of a public word.
    string PublicText => _publicText ??= string.Join(' ', _public);

    /// <summary>How many distinct values of a kind were replaced.</summary>
    /// <param name="kind">The kind.</param>
    /// <returns>The number; null where distinct values are not kept.</returns>
    public long? Distinct(RedactionKind kind) => kind switch
    {
        RedactionKind.Words => _words.Count,
        RedactionKind.Ipv4Addresses => Count(_addresses, isIpv4: true),
        RedactionKind.Ipv6Addresses => Count(_addresses, isIpv4: false),
        RedactionKind.MacAddresses => _macs.Count,
        _ => null,
    };

    /// <summary>Whether a word was replaced somewhere, whatever its case.</summary>
    internal bool Contains(ReadOnlySpan<char> word) => _words.Contains(word.ToString().ToLower(CultureInfo.InvariantCulture));

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

    /// <summary>Whether a word was replaced, and neither stands for another one nor is <see cref="Publish">public</see>.</summary>
    internal bool IsBetrayed(string word) => IsBetrayedWhereRead(word) && !PublicText.Contains(word, StringComparison.Ordinal);

    /// <summary>Whether a word was replaced, and does not stand for another one: the question for a text, in which descriptions do not stand.</summary>
    internal bool IsBetrayedWhereRead(string word) => _words.Contains(word) && !_wordImages.Contains(word);

    /// <summary>Whether an address was replaced, and does not stand for another one.</summary>
    internal bool IsBetrayed(IpAddress address) => _addresses.Contains(address) && !_addressImages.Contains(address);

    /// <summary>Whether a MAC address was replaced, and does not stand for another one.</summary>
    internal bool IsBetrayed(ulong mac) => _macs.Contains(mac) && !_macImages.Contains(mac);

    static long Count(HashSet<IpAddress> addresses, bool isIpv4)
    {
        long count = 0;
        foreach (IpAddress address in addresses)
        {
            count += address.IsIpv4 == isIpv4 ? 1 : 0;
        }

        return count;
    }

    void Add<T>(HashSet<T> originals, HashSet<T> images, T original, T image)
    {
        if (originals.Count < Most)
        {
            originals.Add(original);
            images.Add(image);
        }
        else if (!originals.Contains(original))
        {
            IsComplete = false;
        }
    }
}
