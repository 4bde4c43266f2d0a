using System;
using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Text;
using TcpDiag.Wire;

namespace TcpDiag.Redaction;

/// <summary>
/// Replaces everything that names somebody with pseudonyms, the same one for the same value under the same key, and records what was replaced. One
/// instance serves all files of a run; not thread-safe.
/// </summary>
public sealed class Pseudonyms : IDisposable
{
    // The low half of ::ffff:224.0.0.0, without the last 28 bits.
    const ulong MulticastLow = 0xFFFF_E000_0000;
    const int GuidBytes = 16;

    readonly AddressMap _addresses;
    readonly LinkAddressMap _macs;
    readonly PortMap? _ports;
    readonly WordMap _words;
    readonly KeyedHash _guids;
    readonly SecurityIdMap _sids;
    readonly KeptWords _kept;
    readonly InPlaceText _pieces;

    /// <summary>Prepares the pseudonyms.</summary>
    /// <param name="key">The key that they are derived from.</param>
    /// <param name="mapPorts">Whether ports get pseudonyms as well.</param>
    public Pseudonyms(RedactionKey key, bool mapPorts = false)
        : this(key, mapPorts, keepsNames: true)
    {
    }

    Pseudonyms(RedactionKey key, bool mapPorts, bool keepsNames)
    {
        ArgumentNullException.ThrowIfNull(key);
        _addresses = new AddressMap(key);
        _macs = new LinkAddressMap(key, _addresses);
        _ports = mapPorts ? new PortMap(key) : null;
        _words = new WordMap(key, Originals);
        _guids = new KeyedHash(key, "guids");
        _sids = new SecurityIdMap(key);
        _kept = new KeptWords(Originals, keepsNames);
        _pieces = new InPlaceText(this, _words, _guids);
    }

    /// <summary>What was replaced and removed so far.</summary>
    public RedactionCounts Counts { get; } = new();

    /// <summary>The values that were replaced so far.</summary>
    public OriginalValues Originals { get; } = new();

    /// <summary>Gives the pseudonym of an address.</summary>
    /// <param name="address">IPv4 or IPv6.</param>
    /// <returns>The pseudonym; the address itself where it identifies nobody.</returns>
    public IpAddress Map(IpAddress address)
    {
        IpAddress mapped = _addresses.Map(address);
        if (!AddressClass.Of(address).IsKept)
        {
            Counts.Add(address.IsIpv4 ? RedactionKind.Ipv4Addresses : RedactionKind.Ipv6Addresses);
            Originals.AddAddress(address, mapped);
        }

        return mapped;
    }

    /// <summary>Gives the pseudonym of a port.</summary>
    /// <param name="port">The port.</param>
    /// <returns>The pseudonym; the port itself unless ports are mapped.</returns>
    public ushort MapPort(ushort port)
    {
        if (_ports is null)
        {
            return port;
        }

        Counts.Add(RedactionKind.Ports);
        return _ports.Map(port);
    }

    /// <summary>Gives a text with pseudonyms for the words, addresses and numbers in it that may name somebody.</summary>
    /// <param name="text">Any text.</param>
    /// <returns>The text; words that everybody uses stay.</returns>
    public string MapText(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return ReplaceText(text);
    }

    /// <summary>Gives the pseudonym of a host's name: every label is replaced, words that everybody uses too.</summary>
    /// <param name="name">The name, with its domain or without.</param>
    /// <returns>A name of as many labels; that of an address is the pseudonym of the address.</returns>
    public string MapName(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        if (IpAddress.TryParse(name, out IpAddress address))
        {
            return Map(address).ToString();
        }

        Counts.Add(RedactionKind.DnsLabels);
        char[] units = name.ToCharArray();
        _pieces.ReplaceAll(units);
        return new string(units);
    }

    /// <inheritdoc/>
    public void Dispose() => _addresses.Dispose();

    /// <summary>Pseudonyms for reading what another redaction has written: names of settings, which may stay there, are recorded too.</summary>
    internal static Pseudonyms ForVerification() => new(RedactionKey.Random(), mapPorts: false, keepsNames: false);

    /// <summary>Resets the counts; the values met so far stay known.</summary>
    internal void ResetCounts()
    {
        Counts.Clear();
        Originals.ClearPublic();
    }

    /// <summary>Replaces an address in place: 4 or 16 bytes.</summary>
    internal void ReplaceAddress(Span<byte> bytes)
    {
        // An IPv4 address in IPv6 form is written in that form again.
        IpAddress mapped = Map(IpAddress.Read(bytes));
        mapped.Write(mapped.IsIpv4 ? bytes[^4..] : bytes);
    }

    /// <summary>Replaces a MAC address in place.</summary>
    internal void ReplaceMac(Span<byte> bytes)
    {
        ulong mac = LinkAddressMap.Read(bytes);
        ulong mapped = _macs.Map(mac);
        if (mapped != mac)
        {
            Counts.Add(RedactionKind.MacAddresses);
            Originals.AddMac(mac, mapped);
            LinkAddressMap.Write(bytes, mapped);
        }
    }

    /// <summary>Replaces the destination MAC address of a frame in place; that of an IPv4 group follows the group.</summary>
    /// <param name="bytes">Six bytes; an address that is not that of the group is replaced like any other.</param>
    /// <param name="group">The original destination address of the packet.</param>
    internal void ReplaceMac(Span<byte> bytes, IpAddress group)
    {
        ulong mac = LinkAddressMap.Read(bytes);
        if (!group.IsIpv4 || group.Low >> 28 << 28 != MulticastLow || mac != LinkAddressMap.ToMac(group))
        {
            ReplaceMac(bytes);
            return;
        }

        // Not searched for in the result: 32 groups share this MAC address, and others of them may stay.
        ulong mapped = _macs.MapGroup(group);
        Counts.Add(RedactionKind.MacAddresses, mapped == mac ? 0 : 1);
        LinkAddressMap.Write(bytes, mapped);
    }

    /// <summary>Replaces a port in place, in network order.</summary>
    internal void ReplacePort(Span<byte> bytes) =>
        BinaryPrimitives.WriteUInt16BigEndian(bytes, MapPort(BinaryPrimitives.ReadUInt16BigEndian(bytes)));

    /// <summary>Replaces a GUID in place; zeros stay.</summary>
    internal void ReplaceGuid(Span<byte> bytes)
    {
        if (bytes.ContainsAnyExcept((byte)0))
        {
            Counts.Add(RedactionKind.Guids);
            _guids.Replace(bytes);
        }
    }

    /// <summary>Replaces a GUID of a text in place; zeros stay.</summary>
    internal void ReplaceGuidText(Span<char> piece)
    {
        var guid = Guid.Parse(piece);
        if (guid != Guid.Empty)
        {
            Guid mapped = Map(guid);
            Originals.Add(guid, mapped);
            mapped.TryFormat(piece, out _);
        }
    }

    /// <summary>Replaces machine, domain and account of a security identifier in place; a well-known one stays.</summary>
    internal void ReplaceSid(Span<byte> bytes) => Map(SecurityId.Read(bytes)).Write(bytes);

    internal SecurityId Map(SecurityId id)
    {
        if (id.IsWellKnown)
        {
            return id;
        }

        SecurityId mapped = _sids.Map(id);
        Counts.Add(RedactionKind.SecurityIds);
        Originals.Add(id, mapped);
        return mapped;
    }

    /// <summary>The first address of the pseudonym of a network.</summary>
    internal IpAddress Map(AddressPrefix network)
    {
        if (network.IsWhole)
        {
            return Map(network.Address);
        }

        AddressPrefix mapped = AddressPrefix.Of(_addresses.Map(network.Address), network.Bits);

        // Not whether it changed: one /16 in 150 becomes itself by chance (Crypto-PAn flips each bit behind the first with a probability of a quarter).
        if (AddressClass.Of(network.Address).KeptBits < network.Bits)
        {
            Counts.Add(network.Address.IsIpv4 ? RedactionKind.Ipv4Addresses : RedactionKind.Ipv6Addresses);
            Originals.Add(network, mapped);
        }

        return mapped.Address;
    }

    /// <summary>Replaces a label of a domain name in place: its words, and numbers of any length.</summary>
    internal void ReplaceLabel(Span<byte> label)
    {
        Counts.Add(RedactionKind.DnsLabels);
        Span<char> text = stackalloc char[label.Length];
        bool isEncoded = NetBiosName.TryDecode(label, text, out int length);
        if (!isEncoded)
        {
            length = Encoding.Latin1.GetChars(label, text);
        }

        text = text[..length];
        if (!isEncoded)
        {
            _pieces.ReplaceAll(text);
            Encoding.Latin1.GetBytes(text, label);
            return;
        }

        if (!TryReplaceAddress(text))
        {
            _pieces.ReplaceAll(text);
        }

        NetBiosName.Encode(text, label);
    }

    // Windows looks up an address as if it were a name. A NetBIOS name has room for any IPv4 address, so the pseudonym is that of the address.
    bool TryReplaceAddress(Span<char> name)
    {
        bool isAddress = IpAddress.TryParse(new string(name.TrimEnd(' ')), out IpAddress address) && address.IsIpv4 && name.Count('.') == 3;
        if (isAddress)
        {
            string mapped = Map(address).ToString();
            name.Fill(' ');
            mapped.CopyTo(name);
        }

        return isAddress;
    }

    /// <summary>Replaces the words of a text of 8-bit units in place.</summary>
    internal void ReplaceText8(Span<byte> text)
    {
        char[] units = new char[text.Length];
        Encoding.Latin1.GetChars(text, units);
        _pieces.ReplaceIn(units);
        Encoding.Latin1.GetBytes(units, text);
    }

    /// <summary>Replaces the words of a text of 16-bit units in place.</summary>
    /// <param name="text">Any bytes; an odd one at the end becomes 0.</param>
    internal void ReplaceText16(Span<byte> text)
    {
        _pieces.ReplaceIn(MemoryMarshal.Cast<byte, char>(text));
        text[(text.Length & ~1)..].Clear();
    }

    /// <summary>Replaces the name that a third-party program gave an event or a field, in place (UTF-8).</summary>
    internal void ReplaceEventName8(Span<byte> name)
    {
        Counts.Add(RedactionKind.EventNames);
        ReplaceText8(name);
    }

    /// <summary>As <see cref="ReplaceEventName8"/>, in UTF-16.</summary>
    internal void ReplaceEventName16(Span<byte> name)
    {
        Counts.Add(RedactionKind.EventNames);
        ReplaceText16(name);
    }

    /// <summary>Replaces the words of a text; addresses become their pseudonyms.</summary>
    internal string ReplaceText(string text, TextRule rule = TextRule.Ordinary)
    {
        var result = new StringBuilder(text.Length);
        char[] units = text.ToCharArray();
        var ports = new PortFinder();
        foreach (TextToken token in new TextTokens(text, rule))
        {
            Span<char> piece = units.AsSpan(token.Start, token.Length);
            if (ports.TryRead(token.Kind, piece, out ushort port) && _ports is not null)
            {
                result.Append(MapPort(port));
                continue;
            }

            if (token.Kind == TextTokenKind.Address && IpAddress.TryParse(piece.ToString(), out IpAddress address))
            {
                result.Append(Map(address, PrefixText.BitsBehind(units.AsSpan(token.Start + token.Length))).ToString());
                continue;
            }

            if (token.Kind == TextTokenKind.Network && PrefixText.TryRead(piece, out AddressPrefix network))
            {
                result.Append(PrefixText.Write(piece, Map(network)));
                continue;
            }

            bool isKept = _kept.IsKept(text, token, rule);
            if (isKept)
            {
                Originals.AddPublic(piece);
            }

            _pieces.Replace(isKept ? TextTokenKind.Separator : token.Kind, piece);
            result.Append(piece);
        }

        return result.ToString();
    }

    /// <summary>Records the words of a text that will be replaced, so that they do not stay in other texts (<see cref="TextRule.Names"/>).</summary>
    internal void Learn(string text, TextRule rule)
    {
        char[] units = text.ToCharArray();
        foreach (TextToken token in new TextTokens(text, rule))
        {
            Span<char> piece = units.AsSpan(token.Start, token.Length);
            switch (token.Kind)
            {
                case TextTokenKind.DeviceInstance:
                    _pieces.ReplaceAll(piece);
                    break;
                case TextTokenKind.Word when !WordMap.IsKept(piece) && !KeptWords.IsName(text, token, rule) && !_kept.IsKept(text, token, rule):
                    _words.Map(piece, piece);
                    break;
                case TextTokenKind.Guid when !KeptWords.IsName(text, token, rule):
                    ReplaceGuidText(piece);
                    break;
                default:
                    break;
            }
        }
    }

    Guid Map(Guid guid)
    {
        Span<byte> bytes = stackalloc byte[GuidBytes];
        guid.TryWriteBytes(bytes);
        _guids.Replace(bytes);
        return new Guid(bytes);
    }

    // An address followed by a prefix length, its host bits zero, is a network and stays one.
    IpAddress Map(IpAddress address, int bits)
    {
        bool isNetwork = bits >= 0 && bits < AddressPrefix.WidthOf(address) && AddressPrefix.Of(address, bits).Address == address;
        return isNetwork ? Map(new AddressPrefix(address, bits)) : Map(address);
    }
}

/// <summary>NetBIOS names in domain names (RFC 1001 §14.1): each of 16 bytes as two letters, 'A' plus a nibble; the last byte is the service.</summary>
static class NetBiosName
{
    const int EncodedLength = 32;
    const int ServiceLength = 2;

    /// <summary>Decodes the 15 characters of a name, padded with blanks, without the service.</summary>
    public static bool TryDecode(ReadOnlySpan<byte> label, Span<char> name, out int length)
    {
        length = 0;
        if (label.Length != EncodedLength || label.ContainsAnyExceptInRange((byte)'A', (byte)'P'))
        {
            return false;
        }

        for (int i = 0; i < EncodedLength - ServiceLength; i += 2)
        {
            name[length++] = (char)(((label[i] - 'A') << 4) | (label[i + 1] - 'A'));
        }

        return true;
    }

    /// <summary>Encodes a name into a label, whose service stays.</summary>
    public static void Encode(ReadOnlySpan<char> name, Span<byte> label)
    {
        for (int i = 0; i < name.Length; i++)
        {
            label[2 * i] = (byte)('A' + (name[i] >> 4));
            label[(2 * i) + 1] = (byte)('A' + (name[i] & 0xF));
        }
    }
}
