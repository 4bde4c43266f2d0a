using System;
using System.Buffers.Binary;
using TcpDiag.Simulator.Paths;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Captures;

/// <summary>
/// Makes a frame of a simulated segment: Ethernet, IPv4 (RFC 791) or IPv6 (RFC 8200), and TCP (RFC 9293 §3.1) with the options a stack would send, checksums
/// included. The payload is zeros, and stands for what a snap length left out.
/// </summary>
/// <param name="sender">Address of the host that sends the data.</param>
/// <param name="receiver">Address of the other host.</param>
/// <param name="senderPort">Its port.</param>
/// <param name="receiverPort">The other's.</param>
/// <param name="options">What the handshake offers.</param>
sealed class FrameWriter(IpAddress sender, IpAddress receiver, ushort senderPort, ushort receiverPort, HandshakeOptions options)
{
    /// <summary>Room for the headers of any segment.</summary>
    public const int MaxHeaderBytes = 14 + 40 + 60;

    const int EthernetBytes = 14;
    const int TcpBytes = 20;
    const byte HopLimit = 64;

    readonly bool _isIpv6 = !sender.IsIpv4;

    /// <summary>Bytes of the IP header.</summary>
    public static int IpBytes(bool isIpv6) => isIpv6 ? 40 : 20;

    /// <summary>Bytes of the TCP header of a segment, options included.</summary>
    public static int HeaderBytes(in SimulatedPacket packet) => TcpBytes + OptionBytes(packet);

    /// <summary>Writes the headers.</summary>
    /// <param name="packet">The segment.</param>
    /// <param name="frame">Room for <see cref="MaxHeaderBytes"/>.</param>
    /// <returns>Bytes written; the payload follows on the wire.</returns>
    public int Write(in SimulatedPacket packet, Span<byte> frame)
    {
        frame[..MaxHeaderBytes].Clear();
        WriteEthernet(packet, frame);
        int start = EthernetBytes + IpBytes(_isIpv6);
        int tcp = WriteTcp(packet, frame[start..]);
        WriteIp(packet, frame[EthernetBytes..], tcp + packet.Length);
        Span<byte> segment = frame.Slice(start, tcp);
        (IpAddress from, IpAddress to) = packet.IsFromSender ? (sender, receiver) : (receiver, sender);
        ushort pseudo = InternetChecksum.PseudoHeader(from, to, IpProtocol.Tcp, tcp + packet.Length);
        BinaryPrimitives.WriteUInt16BigEndian(segment[16..], InternetChecksum.Compute(segment, pseudo)); // zeros add nothing
        return start + tcp;
    }

    void WriteEthernet(in SimulatedPacket packet, Span<byte> frame)
    {
        frame[0] = frame[6] = 2; // locally administered
        frame[5] = (byte)(packet.IsFromSender ? 2 : 1);
        frame[11] = (byte)(packet.IsFromSender ? 1 : 2);
        BinaryPrimitives.WriteUInt16BigEndian(frame[12..], (ushort)(_isIpv6 ? 0x86DD : 0x0800));
    }

    void WriteIp(in SimulatedPacket packet, Span<byte> ip, int length)
    {
        (IpAddress from, IpAddress to) = packet.IsFromSender ? (sender, receiver) : (receiver, sender);
        if (_isIpv6)
        {
            WriteIpv6(packet, ip, length);
            from.Write(ip[8..]);
            to.Write(ip[24..]);
            return;
        }

        WriteIpv4(packet, ip, length);
        from.Write(ip[12..]);
        to.Write(ip[16..]);
        BinaryPrimitives.WriteUInt16BigEndian(ip[10..], InternetChecksum.Compute(ip[..IpBytes(isIpv6: false)]));
    }

    static void WriteIpv4(in SimulatedPacket packet, Span<byte> ip, int length)
    {
        ip[0] = 0x45;
        ip[1] = packet.Ecn;
        BinaryPrimitives.WriteUInt16BigEndian(ip[2..], (ushort)(IpBytes(isIpv6: false) + length));
        BinaryPrimitives.WriteUInt16BigEndian(ip[4..], packet.IpId);
        ip[6] = 0x40; // don't fragment
        ip[8] = HopLimit;
        ip[9] = (byte)IpProtocol.Tcp;
    }

    static void WriteIpv6(in SimulatedPacket packet, Span<byte> ip, int length)
    {
        BinaryPrimitives.WriteUInt32BigEndian(ip, (6u << 28) | ((uint)packet.Ecn << 20));
        BinaryPrimitives.WriteUInt16BigEndian(ip[4..], (ushort)length);
        ip[6] = (byte)IpProtocol.Tcp;
        ip[7] = HopLimit;
    }

    int WriteTcp(in SimulatedPacket packet, Span<byte> tcp)
    {
        int length = HeaderBytes(packet);
        BinaryPrimitives.WriteUInt16BigEndian(tcp, packet.IsFromSender ? senderPort : receiverPort);
        BinaryPrimitives.WriteUInt16BigEndian(tcp[2..], packet.IsFromSender ? receiverPort : senderPort);
        BinaryPrimitives.WriteUInt32BigEndian(tcp[4..], packet.Seq.Value);
        BinaryPrimitives.WriteUInt32BigEndian(tcp[8..], (packet.Flags & TcpFlags.Ack) != 0 ? packet.Ack.Una.Value : 0);
        BinaryPrimitives.WriteUInt16BigEndian(tcp[12..], (ushort)((length / 4 << 12) | (int)packet.Flags));
        bool isSyn = (packet.Flags & TcpFlags.Syn) != 0;
        int scale = isSyn ? 0 : packet.IsFromSender ? options.SenderScale : options.ReceiverScale;
        BinaryPrimitives.WriteUInt16BigEndian(tcp[14..], (ushort)Math.Min(packet.Ack.Window >> scale, ushort.MaxValue));
        WriteOptions(packet, tcp[TcpBytes..]);
        return length;
    }

    void WriteOptions(in SimulatedPacket packet, Span<byte> room)
    {
        int at = 0;
        if ((packet.Flags & TcpFlags.Syn) != 0)
        {
            at = WriteSynOptions(packet, room);
        }

        if (packet.Ack.HasTimestamps)
        {
            room[at] = room[at + 1] = 1;
            (room[at + 2], room[at + 3]) = (8, 10);
            BinaryPrimitives.WriteUInt32BigEndian(room[(at + 4)..], packet.TsVal);
            BinaryPrimitives.WriteUInt32BigEndian(room[(at + 8)..], packet.Ack.TsEcr);
            at += 12;
        }

        if (packet.Ack.BlockCount > 0)
        {
            room[at] = room[at + 1] = 1;
            (room[at + 2], room[at + 3]) = (5, (byte)(2 + (8 * packet.Ack.BlockCount)));
            for (int i = 0; i < packet.Ack.BlockCount; i++)
            {
                BinaryPrimitives.WriteUInt32BigEndian(room[(at + 4 + (8 * i))..], packet.Ack[i].Left.Value);
                BinaryPrimitives.WriteUInt32BigEndian(room[(at + 8 + (8 * i))..], packet.Ack[i].Right.Value);
            }
        }
    }

    int WriteSynOptions(in SimulatedPacket packet, Span<byte> room)
    {
        (room[0], room[1]) = (2, 4);
        BinaryPrimitives.WriteUInt16BigEndian(room[2..], (ushort)options.Mss);
        byte scale = packet.IsFromSender ? options.SenderScale : options.ReceiverScale;
        (room[4], room[5], room[6], room[7]) = options.HasScale ? ((byte)1, (byte)3, (byte)3, scale) : ((byte)1, (byte)1, (byte)1, (byte)1);
        (room[8], room[9], room[10], room[11]) = options.HasSack ? ((byte)1, (byte)1, (byte)4, (byte)2) : ((byte)1, (byte)1, (byte)1, (byte)1);
        return 12;
    }

    static int OptionBytes(in SimulatedPacket packet)
    {
        int syn = (packet.Flags & TcpFlags.Syn) != 0 ? 12 : 0;
        int timestamps = packet.Ack.HasTimestamps ? 12 : 0;
        return syn + timestamps + (packet.Ack.BlockCount > 0 ? 4 + (8 * packet.Ack.BlockCount) : 0);
    }
}

/// <summary>What the handshake offers.</summary>
/// <param name="Mss">MSS in bytes (RFC 9293 §3.7.1), without room for options.</param>
/// <param name="SenderScale">Window scale of the host that sends the data.</param>
/// <param name="ReceiverScale">Window scale of the other one.</param>
/// <param name="HasSack">Whether both permit SACK.</param>
/// <param name="HasScale">Whether both offer window scaling; both scales are 0 otherwise.</param>
readonly record struct HandshakeOptions(int Mss, byte SenderScale, byte ReceiverScale, bool HasSack, bool HasScale = true);
