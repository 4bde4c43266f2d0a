using System;
using System.Buffers.Binary;
using TcpDiag.Impairment.Matching;
using TcpDiag.Wire;

namespace TcpDiag.Impairment;

/// <summary>
/// An IP packet in the caller's buffer: just enough to describe it to the emulator and to carry out its marks. IPv4 and IPv6 with the extension headers of
/// RFC 8200 §4; nothing is copied.
/// </summary>
public readonly ref struct PacketView
{
    const int Ipv4HeaderBytes = 20;
    const int Ipv6HeaderBytes = 40;
    const int Ipv4ChecksumOffset = 10;
    const byte EcnBits = 0b11;

    // RFC 8200 §4: hop-by-hop options, routing, fragment, destination options.
    const byte HopByHop = 0;
    const byte Routing = 43;
    const byte Fragment = 44;
    const byte DestinationOptions = 60;

    const byte Tcp = 6;
    const byte Udp = 17;

    readonly Span<byte> _packet;
    readonly int _payload;
    readonly bool _firstFragment;

    PacketView(Span<byte> packet, byte protocol, int payload, bool firstFragment)
    {
        _packet = packet;
        _payload = payload;
        _firstFragment = firstFragment;
        Protocol = protocol;
    }

    /// <summary>The protocol behind the IP header and its extensions.</summary>
    public byte Protocol { get; }

    /// <summary>The ECN field (RFC 3168 §5).</summary>
    public EcnCodepoint Ecn => (EcnCodepoint)(IsIpv4 ? _packet[1] & EcnBits : (_packet[1] >> 4) & EcnBits);

    bool IsIpv4 => _packet[0] >> 4 == 4;

    /// <summary>Looks at a packet.</summary>
    /// <param name="packet">From the first byte of the IP header on; the view is valid as long as the span.</param>
    /// <param name="view">The view.</param>
    /// <returns>False when this is no IP packet, or its headers are cut off.</returns>
    public static bool TryRead(Span<byte> packet, out PacketView view)
    {
        view = default;
        int version = packet.IsEmpty ? 0 : packet[0] >> 4;
        return version switch
        {
            4 => TryReadIpv4(packet, out view),
            6 => TryReadIpv6(packet, out view),
            _ => false,
        };
    }

    /// <summary>The packet's addresses, protocol and ports.</summary>
    /// <param name="direction">Which way it crosses the link.</param>
    /// <returns>The facts, without a process.</returns>
    public PacketFacts ReadFacts(LinkDirection direction)
    {
        (int source, int length) = IsIpv4 ? (12, 4) : (8, 16);
        ReadPorts(out ushort sourcePort, out ushort destinationPort);
        return new PacketFacts(
            Protocol,
            new Endpoint(IpAddress.Read(_packet.Slice(source, length)), sourcePort),
            new Endpoint(IpAddress.Read(_packet.Slice(source + length, length)), destinationPort),
            direction);
    }

    /// <summary>A hash of protocol, addresses and ports: the same for all packets of a flow and direction, and on every run.</summary>
    /// <returns>32 bits.</returns>
    public uint HashFlow()
    {
        PacketFacts facts = ReadFacts(LinkDirection.Out);
        ulong hash = Mix(facts.Protocol, ((ulong)facts.Source.Port << 16) | facts.Destination.Port);
        hash = Mix(Mix(hash, facts.Source.Address.High), facts.Source.Address.Low);
        hash = Mix(Mix(hash, facts.Destination.Address.High), facts.Destination.Address.Low);
        return (uint)(hash >> 32);
    }

    /// <summary>Sets the ECN field to CE and mends the IPv4 header checksum incrementally (RFC 1624 equation 3). Does nothing to a packet marked already.</summary>
    public void MarkCongestionExperienced()
    {
        if (!IsIpv4)
        {
            _packet[1] |= EcnBits << 4;
            return;
        }

        ushort before = BinaryPrimitives.ReadUInt16BigEndian(_packet);
        _packet[1] |= EcnBits;
        ushort after = BinaryPrimitives.ReadUInt16BigEndian(_packet);
        Span<byte> checksum = _packet.Slice(Ipv4ChecksumOffset, 2);
        uint sum = (ushort)~BinaryPrimitives.ReadUInt16BigEndian(checksum) + (uint)(ushort)~before + after;
        sum = (sum & 0xFFFF) + (sum >> 16);
        sum = (sum & 0xFFFF) + (sum >> 16);
        BinaryPrimitives.WriteUInt16BigEndian(checksum, (ushort)~sum);
    }

    /// <summary>Flips one bit behind the IP header, leaving every checksum as it is: the receiver is to find the damage.</summary>
    /// <param name="number">Any number; taken modulo the bits there are. A packet without payload is left alone.</param>
    public void FlipBit(uint number)
    {
        Span<byte> payload = _packet[_payload..];
        if (!payload.IsEmpty)
        {
            uint bit = number % ((uint)payload.Length * 8);
            payload[(int)(bit / 8)] ^= (byte)(0x80 >> (int)(bit % 8));
        }
    }

    static bool TryReadIpv4(Span<byte> packet, out PacketView view)
    {
        view = default;
        int header = (packet[0] & 0xF) * 4;
        if (header < Ipv4HeaderBytes || packet.Length < header)
        {
            return false;
        }

        // RFC 791: 13 bits of fragment offset.
        bool first = (BinaryPrimitives.ReadUInt16BigEndian(packet[6..]) & 0x1FFF) == 0;
        view = new PacketView(packet, packet[9], header, first);
        return true;
    }

    static bool TryReadIpv6(Span<byte> packet, out PacketView view)
    {
        view = default;
        if (packet.Length < Ipv6HeaderBytes)
        {
            return false;
        }

        byte next = packet[6];
        int offset = Ipv6HeaderBytes;
        bool first = true;
        while (next is HopByHop or Routing or Fragment or DestinationOptions)
        {
            if (packet.Length - offset < 8)
            {
                return false;
            }

            Span<byte> extension = packet[offset..];
            first &= next != Fragment || (BinaryPrimitives.ReadUInt16BigEndian(extension[2..]) & 0xFFF8) == 0;
            offset += next == Fragment ? 8 : (extension[1] + 1) * 8;
            next = extension[0];
        }

        view = new PacketView(packet, next, Math.Min(offset, packet.Length), first);
        return offset <= packet.Length;
    }

    void ReadPorts(out ushort source, out ushort destination)
    {
        source = 0;
        destination = 0;
        if (_firstFragment && (Protocol is Tcp or Udp) && _packet.Length - _payload >= 4)
        {
            source = BinaryPrimitives.ReadUInt16BigEndian(_packet[_payload..]);
            destination = BinaryPrimitives.ReadUInt16BigEndian(_packet[(_payload + 2)..]);
        }
    }

    // The finalising multiplication of SplitMix64 spreads every bit over the upper half.
    static ulong Mix(ulong hash, ulong value)
    {
        ulong z = (hash ^ value) * 0xBF58_476D_1CE4_E5B9;
        return z ^ (z >> 29);
    }
}
