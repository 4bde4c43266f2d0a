using System;
using System.Buffers.Binary;
using TcpDiag.Wire;

namespace TcpDiag.Probe.Receiving;

/// <summary>Segments from and to IP packets: IPv4 (RFC 791), IPv6 (RFC 8200), TCP (RFC 9293 §3.1). What is written carries no data.</summary>
public static class SegmentCodec
{
    /// <summary>Room for any packet that is written.</summary>
    public const int MaxBytes = Ipv6Bytes + 60;

    const int Ipv4Bytes = 20;
    const int Ipv6Bytes = 40;
    const int TcpBytes = 20;
    const byte HopLimit = 64;
    const byte NoOperation = 1;

    /// <summary>Takes the TCP segment out of a packet.</summary>
    /// <param name="parsed">The packet, parsed as TCP.</param>
    /// <returns>The segment; its options but MSS, window scale and SACK permission are left out.</returns>
    public static ProbeSegment Read(in ParsedPacket parsed) => new()
    {
        Flags = parsed.Flags,
        Seq = parsed.Sequence,
        Ack = parsed.Acknowledgment,
        Length = parsed.PayloadLength,
        Window = parsed.Window,
        Mss = parsed.Options.Has(TcpOptionKinds.MaximumSegmentSize) ? parsed.Options.Mss : 0,
        WindowScale = parsed.Options.Has(TcpOptionKinds.WindowScale) ? parsed.Options.WindowScale : null,
        SackPermitted = parsed.Options.Has(TcpOptionKinds.SackPermitted),
    };

    /// <summary>Writes a segment as an IP packet.</summary>
    /// <param name="segment">The segment; its data is left out.</param>
    /// <param name="scale">The shift count of its window; not used for a SYN (RFC 7323 §2.2).</param>
    /// <param name="from">Its source.</param>
    /// <param name="to">Its destination, of the same family.</param>
    /// <param name="packet">Room for <see cref="MaxBytes"/>.</param>
    /// <returns>Bytes written.</returns>
    public static int Write(in ProbeSegment segment, byte scale, Endpoint from, Endpoint to, Span<byte> packet)
    {
        packet = packet[..MaxBytes];
        packet.Clear();
        int start = from.Address.IsIpv4 ? Ipv4Bytes : Ipv6Bytes;
        Span<byte> tcp = packet[start..];
        int length = WriteTcp(segment, scale, tcp);
        BinaryPrimitives.WriteUInt16BigEndian(tcp, from.Port);
        BinaryPrimitives.WriteUInt16BigEndian(tcp[2..], to.Port);
        ushort pseudo = InternetChecksum.PseudoHeader(from.Address, to.Address, IpProtocol.Tcp, length);
        BinaryPrimitives.WriteUInt16BigEndian(tcp[16..], InternetChecksum.Compute(tcp[..length], pseudo));
        WriteIp(packet, from.Address, to.Address, length);
        return start + length;
    }

    static void WriteIp(Span<byte> ip, IpAddress from, IpAddress to, int length)
    {
        if (from.IsIpv4)
        {
            ip[0] = 0x45;
            BinaryPrimitives.WriteUInt16BigEndian(ip[2..], (ushort)(Ipv4Bytes + length));
            ip[6] = 0x40; // don't fragment
            ip[8] = HopLimit;
            ip[9] = (byte)IpProtocol.Tcp;
            from.Write(ip[12..]);
            to.Write(ip[16..]);
            BinaryPrimitives.WriteUInt16BigEndian(ip[10..], InternetChecksum.Compute(ip[..Ipv4Bytes]));
            return;
        }

        ip[0] = 0x60;
        BinaryPrimitives.WriteUInt16BigEndian(ip[4..], (ushort)length);
        ip[6] = (byte)IpProtocol.Tcp;
        ip[7] = HopLimit;
        from.Write(ip[8..]);
        to.Write(ip[24..]);
    }

    static int WriteTcp(in ProbeSegment segment, byte scale, Span<byte> tcp)
    {
        BinaryPrimitives.WriteUInt32BigEndian(tcp[4..], segment.Seq.Value);
        BinaryPrimitives.WriteUInt32BigEndian(tcp[8..], segment.Ack.Value);
        bool isSyn = (segment.Flags & TcpFlags.Syn) != 0;
        BinaryPrimitives.WriteUInt16BigEndian(tcp[14..], (ushort)Math.Min(segment.Window >> (isSyn ? 0 : scale), ushort.MaxValue));
        int length = TcpBytes + (isSyn ? WriteSynOptions(segment, tcp[TcpBytes..]) : WriteSack(segment, tcp[TcpBytes..]));
        BinaryPrimitives.WriteUInt16BigEndian(tcp[12..], (ushort)((length / 4 << 12) | (int)segment.Flags));
        return length;
    }

    static int WriteSynOptions(in ProbeSegment segment, Span<byte> room)
    {
        (room[0], room[1]) = (2, 4);
        BinaryPrimitives.WriteUInt16BigEndian(room[2..], (ushort)segment.Mss);
        (room[4], room[5], room[6], room[7]) = (NoOperation, NoOperation, 4, 2);
        if (segment.WindowScale is not { } scale)
        {
            return 8;
        }

        (room[8], room[9], room[10], room[11]) = (NoOperation, 3, 3, scale);
        return 12;
    }

    static int WriteSack(in ProbeSegment segment, Span<byte> room)
    {
        if (segment.BlockCount == 0)
        {
            return 0;
        }

        (room[0], room[1], room[2], room[3]) = (NoOperation, NoOperation, 5, (byte)(2 + (8 * segment.BlockCount)));
        for (int i = 0; i < segment.BlockCount; i++)
        {
            BinaryPrimitives.WriteUInt32BigEndian(room[(4 + (8 * i))..], segment[i].Left.Value);
            BinaryPrimitives.WriteUInt32BigEndian(room[(8 + (8 * i))..], segment[i].Right.Value);
        }

        return 4 + (8 * segment.BlockCount);
    }
}
