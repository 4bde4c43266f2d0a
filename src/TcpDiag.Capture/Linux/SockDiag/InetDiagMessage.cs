using System;
using System.Buffers.Binary;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux.SockDiag;

/// <summary>One socket as the kernel describes it: struct inet_diag_msg and its attributes (linux/inet_diag.h), as a view.</summary>
readonly ref struct InetDiagMessage
{
    // struct inet_diag_msg
    const int SocketIdOffset = 4;
    const int ReceiveQueueOffset = 56;
    const int SendQueueOffset = 60;
    const int InodeOffset = 68;
    const int Length = 72;

    // struct inet_diag_sockid
    const int SourceAddress = 4;
    const int DestinationAddress = 20;

    // struct rtattr: length, type; then the value, aligned to four bytes
    const int AttributeHeader = 4;
    const ushort AttributeTypeMask = 0x3FFF;
    const int AttributeInfo = 2;
    const int AttributeCongestion = 4;
    const int AttributeMemory = 7;

    readonly ReadOnlySpan<byte> _message;

    InetDiagMessage(ReadOnlySpan<byte> message) => _message = message;

    /// <summary>Address family of the socket; an IPv6 socket may hold an IPv4 connection.</summary>
    public byte Family => _message[0];

    /// <summary>State as Linux numbers it.</summary>
    public byte State => _message[1];

    /// <summary>struct inet_diag_sockid: identifies the socket in further requests.</summary>
    public ReadOnlySpan<byte> SocketId => _message.Slice(SocketIdOffset, InetDiagRequest.SocketIdLength);

    /// <summary>The socket's own end.</summary>
    public Endpoint Local => ReadEnd(SourceAddress, 0);

    /// <summary>The peer's end.</summary>
    public Endpoint Remote => ReadEnd(DestinationAddress, 2);

    /// <summary>Bytes received and not read.</summary>
    public uint ReceiveQueue => BinaryPrimitives.ReadUInt32LittleEndian(_message[ReceiveQueueOffset..]);

    /// <summary>Bytes written and not acknowledged.</summary>
    public uint SendQueue => BinaryPrimitives.ReadUInt32LittleEndian(_message[SendQueueOffset..]);

    /// <summary>Inode of the socket, by which its process is found; 0 when no process holds it.</summary>
    public uint Inode => BinaryPrimitives.ReadUInt32LittleEndian(_message[InodeOffset..]);

    /// <summary>struct tcp_info, as long as this kernel has it; empty when it was not sent.</summary>
    public TcpInfo Info => new(FindAttribute(AttributeInfo));

    /// <summary>Memory limits and use: 32-bit words of SK_MEMINFO_*; empty when they were not sent.</summary>
    public ReadOnlySpan<byte> Memory => FindAttribute(AttributeMemory);

    /// <summary>Name of the congestion control, ASCII without its terminator; empty when it was not sent.</summary>
    public ReadOnlySpan<byte> CongestionControl => FindAttribute(AttributeCongestion).TrimEnd((byte)0);

    /// <summary>Reads an answer.</summary>
    /// <param name="payload">What follows the netlink header.</param>
    /// <param name="message">The view.</param>
    /// <returns>False when the answer is too short.</returns>
    public static bool TryRead(ReadOnlySpan<byte> payload, out InetDiagMessage message)
    {
        message = new(payload);
        return payload.Length >= Length;
    }

    Endpoint ReadEnd(int addressOffset, int portOffset)
    {
        ReadOnlySpan<byte> id = SocketId;
        int length = Family == InetDiagRequest.FamilyIpv4 ? 4 : 16;
        return new(IpAddress.Read(id.Slice(addressOffset, length)), BinaryPrimitives.ReadUInt16BigEndian(id[portOffset..]));
    }

    ReadOnlySpan<byte> FindAttribute(int type)
    {
        ReadOnlySpan<byte> rest = _message[Length..];
        while (rest.Length >= AttributeHeader)
        {
            int length = BinaryPrimitives.ReadUInt16LittleEndian(rest);
            if (length < AttributeHeader || length > rest.Length)
            {
                break;
            }

            if ((BinaryPrimitives.ReadUInt16LittleEndian(rest[2..]) & AttributeTypeMask) == type)
            {
                return rest[AttributeHeader..length];
            }

            rest = rest[Math.Min((length + 3) & ~3, rest.Length)..];
        }

        return [];
    }
}
