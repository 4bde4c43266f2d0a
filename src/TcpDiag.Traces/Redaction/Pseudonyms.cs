using System;
using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Text;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Redaction;

/// <summary>
/// Puts pseudonyms in the place of everything that names somebody, the same one for the same value as long as the key is the same, and keeps account. One instance serves all
/// files of a run; not safe for several threads.
/// </summary>
public sealed class Pseudonyms : IDisposable
{
    // 224.0.0.0/4 as an address in IPv6 form ends.
    const ulong MulticastLow = 0xFFFF_E000_0000;
    const int GuidBytes = 16;

    readonly AddressMap _addresses;
    readonly LinkAddressMap _macs;
    readonly PortMap? _ports;
    readonly WordMap _words;
    readonly KeyedHash _guids;
    readonly SecurityIdMap _sids;
    readonly KeptWords _kept;
    readonly TextPieces _pieces;

    /// <summary>Prepares the pseudonyms.</summary>
    /// <param name="key">What they follow from.</param>
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
        _pieces = new TextPieces(this, _words, _guids);
    }

    /// <summary>What was replaced and removed so far.</summary>
    public RedactionTally Tally { get; } = new();

    /// <summary>The values that were replaced so far.</summary>
    public OriginalValues Originals { get; } = new();

    /// <summary>The address that stands for another one.</summary>
    /// <param name="address">IPv4 or IPv6.</param>
    /// <returns>The pseudonym; the address itself where it identifies nobody.</returns>
    public IpAddress Map(IpAddress address)
    {
        IpAddress mapped = _addresses.Map(address);
        if (!AddressClass.Of(address).IsKept)
        {
            Tally.Add(address.IsIpv4 ? RedactionKind.Ipv4Addresses : RedactionKind.Ipv6Addresses);
            Originals.AddAddress(address, mapped);
        }

        return mapped;
    }

    /// <summary>The port that stands for another one.</summary>
    /// <param name="port">The port.</param>
    /// <returns>The pseudonym; the port itself unless ports are mapped.</returns>
    public ushort MapPort(ushort port)
    {
        if (_ports is null)
        {
            return port;
        }

        Tally.Add(RedactionKind.Ports);
        return _ports.Map(port);
    }

    /// <inheritdoc/>
    public void Dispose() => _addresses.Dispose();

    /// <summary>Pseudonyms to look with at what another redaction has written: names of settings, which may stay, are noted too.</summary>
    /// <returns>Pseudonyms of a new key.</returns>
    internal static Pseudonyms LookingThrough() => new(RedactionKey.Random(), mapPorts: false, keepsNames: false);

    /// <summary>Begins the account anew; what was met so far stays known.</summary>
    internal void StartOver()
    {
        Tally.Clear();
        Originals.Unpublish();
    }

    /// <summary>Replaces an address where it stands.</summary>
    /// <param name="bytes">4 or 16 bytes in network order.</param>
    internal void ReplaceAddress(Span<byte> bytes)
    {
        // An IPv4 address in IPv6 form is written in that form again.
        IpAddress mapped = Map(IpAddress.Read(bytes));
        mapped.Write(mapped.IsIpv4 ? bytes[^4..] : bytes);
    }

    /// <summary>Replaces a MAC address where it stands.</summary>
    /// <param name="bytes">Six bytes.</param>
    internal void ReplaceMac(Span<byte> bytes)
    {
        ulong mac = LinkAddressMap.Read(bytes);
        ulong mapped = _macs.Map(mac);
        if (mapped != mac)
        {
            Tally.Add(RedactionKind.MacAddresses);
            Originals.AddMac(mac, mapped);
            LinkAddressMap.Write(bytes, mapped);
        }
    }

    /// <summary>Replaces the MAC address of a frame to an IPv4 group where it stands, which goes with the group.</summary>
    /// <param name="bytes">Six bytes; that of no group, or of another, is replaced like any other.</param>
    /// <param name="group">Where the packet in the frame goes, before it is replaced.</param>
    internal void ReplaceMac(Span<byte> bytes, IpAddress group)
    {
        ulong mac = LinkAddressMap.Read(bytes);
        if (!group.IsIpv4 || group.Low >> 28 << 28 != MulticastLow || mac != LinkAddressMap.ToMac(group))
        {
            ReplaceMac(bytes);
            return;
        }

        // Not looked for in the result: 32 groups share it, of which others may stay.
        ulong mapped = _macs.MapGroup(group);
        Tally.Add(RedactionKind.MacAddresses, mapped == mac ? 0 : 1);
        LinkAddressMap.Write(bytes, mapped);
    }

    /// <summary>Replaces a port where it stands.</summary>
    /// <param name="bytes">Two bytes in network order.</param>
    internal void ReplacePort(Span<byte> bytes) =>
        BinaryPrimitives.WriteUInt16BigEndian(bytes, MapPort(BinaryPrimitives.ReadUInt16BigEndian(bytes)));

    /// <summary>Replaces a GUID where it stands; one of zeros stays.</summary>
    /// <param name="bytes">16 bytes.</param>
    internal void ReplaceGuid(Span<byte> bytes)
    {
        if (bytes.ContainsAnyExcept((byte)0))
        {
            Tally.Add(RedactionKind.Guids);
            _guids.Replace(bytes);
        }
    }

    /// <summary>Replaces a GUID in a text where it stands; one of zeros stays.</summary>
    /// <param name="piece">The GUID, in one of its forms.</param>
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

    /// <summary>Replaces what a security identifier says of machine, domain and account where it stands; well-known ones stay.</summary>
    /// <param name="bytes">The identifier, at least eight bytes.</param>
    internal void ReplaceSid(Span<byte> bytes) => Map(SecurityId.Read(bytes)).Write(bytes);

    /// <summary>The security identifier that stands for another one.</summary>
    /// <param name="id">The identifier.</param>
    /// <returns>The pseudonym; a well-known one itself.</returns>
    internal SecurityId Map(SecurityId id)
    {
        if (id.IsWellKnown)
        {
            return id;
        }

        SecurityId mapped = _sids.Map(id);
        Tally.Add(RedactionKind.SecurityIds);
        Originals.Add(id, mapped);
        return mapped;
    }

    /// <summary>The network that stands for another one.</summary>
    /// <param name="network">The network.</param>
    /// <returns>The first address of its pseudonym.</returns>
    internal IpAddress Map(AddressPrefix network)
    {
        if (network.IsWhole)
        {
            return Map(network.Address);
        }

        AddressPrefix mapped = AddressPrefix.Of(_addresses.Map(network.Address), network.Bits);
        if (mapped != network)
        {
            Tally.Add(network.Address.IsIpv4 ? RedactionKind.Ipv4Addresses : RedactionKind.Ipv6Addresses);
            Originals.Add(network, mapped);
        }

        return mapped.Address;
    }

    /// <summary>Replaces a label of a domain name where it stands: its words, and numbers of any length.</summary>
    /// <param name="label">The bytes of the label.</param>
    internal void ReplaceLabel(Span<byte> label)
    {
        Tally.Add(RedactionKind.DnsLabels);
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

    // Windows asks for an address as for a name, and a NetBIOS name has room for any address: the copy tells the same then.
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

    /// <summary>Replaces the words of a text in 8-bit units where it stands.</summary>
    /// <param name="text">Any bytes.</param>
    internal void ReplaceText8(Span<byte> text)
    {
        char[] units = new char[text.Length];
        Encoding.Latin1.GetChars(text, units);
        _pieces.ReplaceIn(units);
        Encoding.Latin1.GetBytes(units, text);
    }

    /// <summary>Replaces the words of a text in 16-bit units where it stands.</summary>
    /// <param name="text">Any bytes; an odd one at the end becomes 0.</param>
    internal void ReplaceText16(Span<byte> text)
    {
        _pieces.ReplaceIn(MemoryMarshal.Cast<byte, char>(text));
        text[(text.Length & ~1)..].Clear();
    }

    /// <summary>Replaces the name of an event or a field that somebody's own program has given it, where it stands.</summary>
    /// <param name="name">UTF-8.</param>
    internal void ReplaceEventName8(Span<byte> name)
    {
        Tally.Add(RedactionKind.EventNames);
        ReplaceText8(name);
    }

    /// <summary>The same in UTF-16.</summary>
    /// <param name="name">UTF-16.</param>
    internal void ReplaceEventName16(Span<byte> name)
    {
        Tally.Add(RedactionKind.EventNames);
        ReplaceText16(name);
    }

    /// <summary>Replaces the words of a text; addresses become their pseudonyms.</summary>
    /// <param name="text">Any text.</param>
    /// <param name="rule">Which words stay besides those that always do.</param>
    /// <returns>The text with pseudonyms.</returns>
    internal string ReplaceText(string text, TextRule rule = TextRule.Ordinary)
    {
        var result = new StringBuilder(text.Length);
        char[] units = text.ToCharArray();
        var ports = new PortPlaces();
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
                Originals.Publish(piece);
            }

            _pieces.Replace(isKept ? TextTokenKind.Separator : token.Kind, piece);
            result.Append(piece);
        }

        return result.ToString();
    }

    /// <summary>Takes in which words of a text will be replaced, before that is done: those of other texts that are the same do not stay then (<see cref="TextRule.Names"/>).</summary>
    /// <param name="text">Any text.</param>
    /// <param name="rule">Which of its words stay.</param>
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

    // A network that stands as an address with its length behind stays one: its open bits are zero.
    IpAddress Map(IpAddress address, int bits)
    {
        bool isNetwork = bits >= 0 && bits < AddressPrefix.WidthOf(address) && AddressPrefix.Of(address, bits).Address == address;
        return isNetwork ? Map(new AddressPrefix(address, bits)) : Map(address);
    }
}
