using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Wire;

namespace TcpDiag.Testing;

/// <summary>
/// Builds one frame for tests, checksums included:
/// <code>new FrameBuilder().Ip("10.0.0.1", "10.0.0.2").Tcp(1234, 80).Seq(1).Flags(Syn).Mss(1460).Build()</code>
/// Without <see cref="Ip"/> addresses are 10.0.0.1 and 10.0.0.2.
/// </summary>
public sealed class FrameBuilder
{
    /// <summary>Bits of the TCP flags byte (RFC 9293 §3.1).</summary>
    public const byte Fin = 0x01, Syn = 0x02, Rst = 0x04, Psh = 0x08, Ack = 0x10, Urg = 0x20, Ece = 0x40, Cwr = 0x80;

    const byte TcpProtocol = 6, UdpProtocol = 17, Ipv6FragmentHeader = 44;

    readonly List<byte> _tcpOptions = [], _ipOptions = [], _link = [];
    readonly List<(byte Type, byte[] Body)> _extensions = [];
    IpAddress _source = IpAddress.FromIpv4(0x0A000001), _destination = IpAddress.FromIpv4(0x0A000002);
    byte _protocol = TcpProtocol, _flags = Ack, _ttl = 64, _ecn;
    ushort _sourcePort = 1000, _destinationPort = 2000, _window = 65535, _id, _fragment;
    uint _seq, _ack;
    byte[] _payload = [];
    bool _hasLink = true, _isOffloaded;
    ushort _etherTypeOverride;

    /// <summary>Leaves the Ethernet header out: the frame begins with the IP header.</summary>
    public FrameBuilder RawIp() => With(() => _hasLink = false);

    /// <summary>Adds a VLAN tag (IEEE 802.1Q, tag protocol 0x8100 or another).</summary>
    public FrameBuilder Vlan(ushort id, ushort tagProtocol = 0x8100) => With(() => _link.AddRange(Words(tagProtocol, id)));

    /// <summary>Sets addresses; their family decides the IP version.</summary>
    public FrameBuilder Ip(string source, string destination, byte ttl = 64, ushort id = 0) => With(() =>
    {
        _source = Parse(source);
        _destination = Parse(destination);
        (_ttl, _id) = (ttl, id);
    });

    /// <summary>Sets the ECN field: 2 is ECT(0), 3 is CE (RFC 3168 §5).</summary>
    public FrameBuilder Ecn(byte field) => With(() => _ecn = field);

    public FrameBuilder Ipv4Options(params byte[] options) => With(() => _ipOptions.AddRange(options));

    /// <summary>Adds an IPv6 extension header; the body starts behind its first two bytes and is padded to eight.</summary>
    public FrameBuilder Ipv6Extension(byte type, params byte[] body) => With(() => _extensions.Add((type, body)));

    /// <summary>Marks an IPv4 or IPv6 fragment.</summary>
    public FrameBuilder Fragment(int offsetBytes, bool more) =>
        With(() => _fragment = (ushort)((offsetBytes / 8) | (more ? 0x2000 : 0)));

    /// <summary>Sets the IP length to 0, as in a segmentation-offload packet caught before it is cut up.</summary>
    public FrameBuilder Offloaded() => With(() => _isOffloaded = true);

    public FrameBuilder EtherType(ushort type) => With(() => _etherTypeOverride = type);
    public FrameBuilder Tcp(ushort source, ushort destination) =>
        With(() => (_protocol, _sourcePort, _destinationPort) = (TcpProtocol, source, destination));

    public FrameBuilder Udp(ushort source, ushort destination) =>
        With(() => (_protocol, _sourcePort, _destinationPort) = (UdpProtocol, source, destination));

    /// <summary>Makes it ICMP, or ICMPv6 between IPv6 addresses: type, code, checksum (left as given) and what follows.</summary>
    public FrameBuilder Icmp(params byte[] message) => With(() => (_protocol, _payload) = (_source.IsIpv4 ? (byte)1 : (byte)58, message));

    public FrameBuilder Seq(uint number) => With(() => _seq = number);
    public FrameBuilder AckNumber(uint number) => With(() => _ack = number);
    public FrameBuilder Flags(byte flags) => With(() => _flags = flags);
    public FrameBuilder Window(ushort window) => With(() => _window = window);

    /// <summary>Adds a TCP option: kind, length and data.</summary>
    public FrameBuilder TcpOption(byte kind, params byte[] data) => With(() => _tcpOptions.AddRange([kind, (byte)(data.Length + 2), .. data]));

    /// <summary>Adds raw bytes to the TCP options, e.g. NOPs or a damaged option.</summary>
    public FrameBuilder TcpOptionBytes(params byte[] bytes) => With(() => _tcpOptions.AddRange(bytes));

    // Options: RFC 9293 §3.2, RFC 7323 §2.2 and §3.2, RFC 2018 §2 and §3 (left and right edge of each block).
    public FrameBuilder Mss(ushort bytes) => TcpOption(2, Words(bytes));
    public FrameBuilder WindowScale(byte shift) => TcpOption(3, shift);
    public FrameBuilder SackPermitted() => TcpOption(4);
    public FrameBuilder Sack(params uint[] edges) => TcpOption(5, [.. edges.SelectMany(DoubleWord)]);
    public FrameBuilder Timestamps(uint value, uint echo) => TcpOption(8, [.. DoubleWord(value), .. DoubleWord(echo)]);
    public FrameBuilder Payload(params byte[] bytes) => With(() => _payload = bytes);
    public FrameBuilder PayloadLength(int bytes) => With(() => _payload = new byte[bytes]);

    /// <summary>Assembles the frame.</summary>
    /// <returns>Link header, IP header, transport header and payload.</returns>
    public byte[] Build()
    {
        byte[] packet = _source.IsIpv4 ? Ipv4() : Ipv6();
        if (!_hasLink)
        {
            return packet;
        }

        ushort etherType = _etherTypeOverride != 0 ? _etherTypeOverride : (ushort)(_source.IsIpv4 ? 0x0800 : 0x86DD);
        return [2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, .. _link, .. Words(etherType), .. packet];
    }

    byte[] Ipv4()
    {
        byte[] transport = Transport();
        byte[] options = Padded(_ipOptions, 4);
        int headerLength = 20 + options.Length;
        byte[] header =
        [
            (byte)(0x40 | (headerLength / 4)), _ecn, .. Words(_isOffloaded ? (ushort)0 : (ushort)(headerLength + transport.Length), _id, _fragment),
            _ttl, _protocol, 0, 0, .. AddressBytes(_source), .. AddressBytes(_destination), .. options,
        ];
        BinaryPrimitives.WriteUInt16BigEndian(header.AsSpan(10), Checksum(header));
        return [.. header, .. transport];
    }

    byte[] Ipv6()
    {
        byte[] transport = Transport();
        List<(byte Type, byte[] Body)> extensions = [.. _extensions.Select(e => (e.Type, ExtensionBody(e.Body)))];
        if (_fragment != 0)
        {
            ushort offsetAndMore = (ushort)(((_fragment & 0x1FFF) << 3) | (_fragment >> 13));
            extensions.Add((Ipv6FragmentHeader, [0, .. Words(offsetAndMore), .. DoubleWord(_id)]));
        }

        IEnumerable<byte> chain = extensions.SelectMany((e, i) => e.Body.Prepend(i + 1 < extensions.Count ? extensions[i + 1].Type : _protocol));
        byte[] body = [.. chain, .. transport];
        byte next = extensions.Count > 0 ? extensions[0].Type : _protocol;
        return
        [
            0x60, (byte)(_ecn << 4), 0, 0, .. Words(_isOffloaded ? (ushort)0 : (ushort)body.Length), next, _ttl,
            .. AddressBytes(_source), .. AddressBytes(_destination), .. body,
        ];
    }

    // Behind the next-header byte: the length in eight-byte units beyond the first, then the data (RFC 8200 §4).
    static byte[] ExtensionBody(byte[] data)
    {
        int units = (data.Length + 2 + 7) / 8;
        return [(byte)(units - 1), .. data, .. new byte[(units * 8) - 2 - data.Length]];
    }

    byte[] Transport()
    {
        byte[] segment;
        int checksumOffset;
        if (_protocol is 1 or 58)
        {
            return _payload;
        }

        if (_protocol == TcpProtocol)
        {
            byte[] options = Padded(_tcpOptions, 4);
            byte dataOffset = (byte)((20 + options.Length) / 4 << 4);
            segment =
            [
                .. Words(_sourcePort, _destinationPort), .. DoubleWord(_seq), .. DoubleWord(_ack), dataOffset, _flags,
                .. Words(_window, 0, 0), .. options, .. _payload,
            ];
            checksumOffset = 16;
        }
        else
        {
            segment = [.. Words(_sourcePort, _destinationPort, (ushort)(8 + _payload.Length), 0), .. _payload];
            checksumOffset = 6;
        }

        byte[] pseudoHeader = [.. AddressBytes(_source), .. AddressBytes(_destination), 0, _protocol, .. Words((ushort)segment.Length)];
        BinaryPrimitives.WriteUInt16BigEndian(segment.AsSpan(checksumOffset), Checksum([.. pseudoHeader, .. segment]));
        return segment;
    }

    // RFC 1071.
    static ushort Checksum(byte[] bytes)
    {
        uint sum = 0;
        for (int i = 0; i < bytes.Length; i++)
        {
            sum += (uint)bytes[i] << (i % 2 == 0 ? 8 : 0);
        }

        while (sum > 0xFFFF)
        {
            sum = (sum & 0xFFFF) + (sum >> 16);
        }

        return (ushort)~sum;
    }

    static IpAddress Parse(string text) =>
        IpAddress.TryParse(text, out IpAddress address) ? address : throw new ArgumentException($"'{text}' is no IP address", nameof(text));

    static byte[] AddressBytes(IpAddress address)
    {
        byte[] bytes = new byte[16];
        return bytes[..address.Write(bytes)];
    }

    static byte[] Padded(List<byte> bytes, int multiple) => [.. bytes, .. new byte[(multiple - (bytes.Count % multiple)) % multiple]];

    static byte[] Words(params ushort[] words) => [.. words.SelectMany(w => new[] { (byte)(w >> 8), (byte)w })];

    static byte[] DoubleWord(uint value) => Words((ushort)(value >> 16), (ushort)value);

    FrameBuilder With(Action change)
    {
        change();
        return this;
    }
}
