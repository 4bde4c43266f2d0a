using System;
using System.Buffers.Binary;
using TcpDiag.Wire;

namespace TcpDiag.Shim.Bridge;

/// <summary>
/// Packets of a TCP connection, or UDP datagrams, that were handed over as one: taken apart again as a network card does it (segmentation offload), so that
/// each is emulated for itself. Headers are copied; length, identification, sequence number, flags and checksums are those of each part.
/// </summary>
sealed class JoinedPacket
{
    const int TcpChecksum = 16;
    const int UdpChecksum = 6;
    const byte FinAndPush = 0x09; // with the last part only
    const byte WindowReduced = 0x80; // CWR, with the first part only (RFC 3168 §6.1.2)

    readonly byte[] _bytes = new byte[1 << 17];
    ParsedPacket _headers;
    int _segmentBytes;
    int _payloadEnd;
    int _next;
    int _index;

    /// <summary>Whether there is a part left.</summary>
    public bool HasNext => _next < _payloadEnd;

    /// <summary>Takes a packet in; what was left of the one before is given up.</summary>
    /// <param name="packet">From its IP header on.</param>
    /// <param name="segmentBytes">Payload of each part but the last, above 0.</param>
    /// <returns>False when it is no such packet.</returns>
    public bool TryLoad(ReadOnlySpan<byte> packet, int segmentBytes)
    {
        _next = _payloadEnd = 0;
        if (segmentBytes <= 0 || !packet.TryCopyTo(_bytes) || !PacketParser.TryParse(packet, LinkType.Raw, ref _headers)
            || (_headers.Traits & PacketTraits.HasTransport) == 0 || _headers.Protocol is not (IpProtocol.Tcp or IpProtocol.Udp))
        {
            return false;
        }

        _segmentBytes = segmentBytes;
        _next = _headers.PayloadOffset;
        _payloadEnd = packet.Length;
        _index = 0;
        return _next < _payloadEnd;
    }

    /// <summary>Writes the next part.</summary>
    /// <param name="buffer">Takes it.</param>
    /// <returns>Its bytes; 0 when it does not fit, and is left out.</returns>
    public int Next(Span<byte> buffer)
    {
        int headers = _headers.PayloadOffset;
        int payload = Math.Min(_segmentBytes, _payloadEnd - _next);
        ReadOnlySpan<byte> bytes = _bytes.AsSpan(_next, payload);
        int before = _next - headers;
        _next += payload;
        int index = _index++;
        if (headers + payload > buffer.Length)
        {
            return 0;
        }

        Span<byte> packet = buffer[..(headers + payload)];
        _bytes.AsSpan(0, headers).CopyTo(packet);
        bytes.CopyTo(packet[headers..]);
        WriteNetwork(packet, index);
        WriteTransport(packet[_headers.TransportOffset..], before);
        return packet.Length;
    }

    void WriteNetwork(Span<byte> packet, int index)
    {
        if ((_headers.Traits & PacketTraits.IsIpv6) != 0)
        {
            BinaryPrimitives.WriteUInt16BigEndian(packet[4..], (ushort)(packet.Length - 40));
            return;
        }

        Span<byte> header = packet[..((packet[0] & 0x0F) * 4)];
        BinaryPrimitives.WriteUInt16BigEndian(header[2..], (ushort)packet.Length);
        BinaryPrimitives.WriteUInt16BigEndian(header[4..], (ushort)(BinaryPrimitives.ReadUInt16BigEndian(header[4..]) + index));
        header.Slice(10, 2).Clear();
        BinaryPrimitives.WriteUInt16BigEndian(header[10..], InternetChecksum.Compute(header));
    }

    void WriteTransport(Span<byte> segment, int before)
    {
        bool isTcp = _headers.Protocol == IpProtocol.Tcp;
        if (isTcp)
        {
            BinaryPrimitives.WriteUInt32BigEndian(segment[4..], BinaryPrimitives.ReadUInt32BigEndian(segment[4..]) + (uint)before);
            segment[13] &= (byte)~((HasNext ? FinAndPush : 0) | (before > 0 ? WindowReduced : 0));
        }
        else
        {
            BinaryPrimitives.WriteUInt16BigEndian(segment[4..], (ushort)segment.Length);
        }

        Span<byte> checksum = segment.Slice(isTcp ? TcpChecksum : UdpChecksum, 2);
        checksum.Clear();
        ushort pseudo = InternetChecksum.PseudoHeader(_headers.Source, _headers.Destination, _headers.Protocol, segment.Length);
        ushort sum = InternetChecksum.Compute(segment, pseudo);
        BinaryPrimitives.WriteUInt16BigEndian(checksum, sum == 0 && !isTcp ? ushort.MaxValue : sum);
    }
}
