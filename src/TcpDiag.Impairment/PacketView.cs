using System;
using System.Buffers.Binary;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Impairment;

/// <summary>
/// An IP packet in the caller's buffer: its headers as <see cref="PacketParser"/> reads them, and the changes its marks ask for. Nothing is copied.
/// </summary>
public ref struct PacketView
{
    const int Ipv4ChecksumOffset = 10;
    const byte EcnBits = 0b11;

    readonly Span<byte> _packet;
    ParsedPacket _headers;

    PacketView(Span<byte> packet) => _packet = packet;

    /// <summary>The ECN field (RFC 3168 §5) as it is in the packet now.</summary>
    public readonly EcnCodepoint Ecn => (EcnCodepoint)(IsIpv4 ? _packet[1] & EcnBits : (_packet[1] >> 4) & EcnBits);

    readonly bool IsIpv4 => (_headers.Traits & PacketTraits.IsIpv6) == 0;

    /// <summary>Parses a packet.</summary>
    /// <param name="packet">From the first byte of the IP header on; the view is valid as long as the span.</param>
    /// <param name="view">The view.</param>
    /// <returns>False when this is not an IP packet, or its IP header is truncated.</returns>
    public static bool TryRead(Span<byte> packet, out PacketView view)
    {
        view = new PacketView(packet);
        return PacketParser.TryParse(packet, LinkType.Raw, ref view._headers);
    }

    /// <summary>The packet's addresses, protocol and ports.</summary>
    /// <param name="isOut">Whether it leaves this host, or the near end of a link.</param>
    /// <returns>The facts, without a process.</returns>
    public readonly PacketFacts ReadFacts(bool isOut) => new(
        _headers.Protocol,
        new Endpoint(_headers.Source, _headers.SourcePort),
        new Endpoint(_headers.Destination, _headers.DestinationPort),
        isOut);

    /// <summary>A hash of protocol, addresses and ports: the same for all packets of a flow and direction, and on every run.</summary>
    /// <returns>32 bits.</returns>
    public readonly uint HashFlow()
    {
        ulong hash = Mix((ulong)_headers.Protocol, ((ulong)_headers.SourcePort << 16) | _headers.DestinationPort);
        hash = Mix(Mix(hash, _headers.Source.High), _headers.Source.Low);
        hash = Mix(Mix(hash, _headers.Destination.High), _headers.Destination.Low);
        return (uint)(hash >> 32);
    }

    /// <summary>
    /// Sets the ECN field to CE and updates the IPv4 header checksum incrementally (RFC 1624 equation 3). A packet already marked stays as it is.
    /// </summary>
    public readonly void MarkCongestionExperienced()
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

    /// <summary>Flips one bit behind the IP headers, leaving every checksum as it is so that the receiver detects the damage.</summary>
    /// <param name="number">Any number, taken modulo the number of bits. A packet without payload stays as it is.</param>
    public readonly void FlipBit(uint number)
    {
        Span<byte> payload = _packet[Math.Min(_headers.TransportOffset, _packet.Length)..];
        if (!payload.IsEmpty)
        {
            uint bit = number % ((uint)payload.Length * 8);
            payload[(int)(bit / 8)] ^= (byte)(0x80 >> (int)(bit % 8));
        }
    }

    // The finalising multiplication of SplitMix64 spreads every bit over the upper half.
    static ulong Mix(ulong hash, ulong value)
    {
        ulong z = (hash ^ value) * 0xBF58_476D_1CE4_E5B9;
        return z ^ (z >> 29);
    }
}
