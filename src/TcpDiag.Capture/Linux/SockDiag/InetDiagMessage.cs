using System;
using System.Buffers.Binary;
using TcpDiag.Capture.Linux.Tracefs;
using TcpDiag.Platform.Linux;
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

    const int AttributeInfo = 2;
    const int AttributeCongestion = 4;
    const int AttributeMemory = 7;

    readonly ReadOnlySpan<byte> _message;

    InetDiagMessage(ReadOnlySpan<byte> message) => _message = message;

    /// <summary>Address family of the socket; an IPv6 socket may hold an IPv4 connection.</summary>
    public byte Family => _message[0];

    public byte State => _message[1];

    /// <summary>struct inet_diag_sockid: identifies the socket in further requests.</summary>
    public ReadOnlySpan<byte> SocketId => _message.Slice(SocketIdOffset, InetDiagRequest.SocketIdLength);

    public Endpoint Local => ReadEnd(SourceAddress, 0);

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
        var attributes = new NetlinkAttributes(_message[Length..]);
        while (attributes.TryRead(out int found, out ReadOnlySpan<byte> value))
        {
            if (found == type)
            {
                return value;
            }
        }

        return [];
    }
}

/// <summary>Writes requests for TCP sockets: struct inet_diag_req_v2 (linux/inet_diag.h, sock_diag(7)).</summary>
static class InetDiagRequest
{
    /// <summary>Bytes of a request with its header.</summary>
    public const int Length = NetlinkReader.HeaderLength + 56;

    /// <summary>Bytes of struct inet_diag_sockid.</summary>
    public const int SocketIdLength = 48;

    public const byte FamilyIpv4 = 2;

    /// <summary>AF_INET6.</summary>
    public const byte FamilyIpv6 = 10;

    /// <summary>Type of requests and of their answers.</summary>
    public const ushort TypeByFamily = 20;

    const ushort TypeDestroy = 21; // SOCK_DESTROY

    const byte ProtocolTcp = 6;

    // Bit n−1 asks for attribute n: INET_DIAG_INFO 2, INET_DIAG_CONG 4, INET_DIAG_SKMEMINFO 7.
    const byte WithInfo = (1 << 1) | (1 << 3) | (1 << 6);

    // Bits by Linux state number; without TIME-WAIT (6), CLOSE (7), LISTEN (10) and NEW_SYN_RECV (12).
    const uint OpenStates = (1 << 1) | (1 << 2) | (1 << 3) | (1 << 4) | (1 << 5) | (1 << 8) | (1 << 9) | (1 << 11);

    const uint ListenState = 1 << TcpStates.LinuxListen;

    // struct inet_diag_sockid: ports, addresses, interface, cookie
    const int SourceAddress = 4;
    const int DestinationAddress = 20;
    const int Cookie = 40;

    /// <summary>Asks for all open sockets of a family.</summary>
    /// <param name="buffer">At least <see cref="Length"/> bytes.</param>
    /// <param name="family"><see cref="FamilyIpv4"/> or <see cref="FamilyIpv6"/>.</param>
    /// <param name="sequence">Comes back with the answers.</param>
    /// <param name="withDetails">Whether tcp_info, congestion control and memory are asked for.</param>
    /// <param name="withListeners">Whether listening sockets are asked for too.</param>
    public static void WriteDump(Span<byte> buffer, byte family, uint sequence, bool withDetails = false, bool withListeners = false) =>
        WriteHeader(
            buffer,
            TypeByFamily,
            family,
            NetlinkWriter.Dump,
            withDetails ? WithInfo : (byte)0,
            sequence,
            withListeners ? OpenStates | ListenState : OpenStates);

    /// <summary>Asks for one socket with its details.</summary>
    /// <param name="buffer">At least <see cref="Length"/> bytes.</param>
    /// <param name="family">The socket's family.</param>
    /// <param name="socketId">struct inet_diag_sockid.</param>
    /// <param name="sequence">Comes back with the answer.</param>
    public static void WriteGet(Span<byte> buffer, byte family, ReadOnlySpan<byte> socketId, uint sequence)
    {
        WriteHeader(buffer, TypeByFamily, family, 0, WithInfo, sequence);
        socketId.CopyTo(buffer[(Length - SocketIdLength)..]);
    }

    /// <summary>Asks the kernel to abort a connection; it answers only on failure.</summary>
    /// <param name="buffer">At least <see cref="Length"/> bytes.</param>
    /// <param name="local">The socket's own end.</param>
    /// <param name="remote">The peer's end.</param>
    public static void WriteDestroy(Span<byte> buffer, Endpoint local, Endpoint remote)
    {
        Span<byte> socketId = stackalloc byte[SocketIdLength];
        byte family = WriteSocketId(socketId, local, remote);
        WriteHeader(buffer, TypeDestroy, family, 0, 0, 0);
        socketId.CopyTo(buffer[(Length - SocketIdLength)..]);
    }

    /// <summary>Builds the id of a socket from its ends alone.</summary>
    /// <param name="socketId">At least <see cref="SocketIdLength"/> bytes.</param>
    /// <param name="local">Its own end.</param>
    /// <param name="remote">The peer's end.</param>
    public static byte WriteSocketId(Span<byte> socketId, Endpoint local, Endpoint remote)
    {
        socketId[..SocketIdLength].Clear();
        BinaryPrimitives.WriteUInt16BigEndian(socketId, local.Port);
        BinaryPrimitives.WriteUInt16BigEndian(socketId[2..], remote.Port);
        local.Address.Write(socketId[SourceAddress..DestinationAddress]);
        remote.Address.Write(socketId[DestinationAddress..]);

        // INET_DIAG_NOCOOKIE: whichever socket has these ends.
        BinaryPrimitives.WriteUInt64LittleEndian(socketId[Cookie..], ulong.MaxValue);
        return local.Address.IsIpv4 ? FamilyIpv4 : FamilyIpv6;
    }

    static void WriteHeader(Span<byte> buffer, ushort type, byte family, ushort flags, byte attributes, uint sequence, uint states = OpenStates)
    {
        buffer[..Length].Clear();
        NetlinkWriter.WriteHeader(buffer, Length, type, flags, sequence);
        Span<byte> body = buffer[NetlinkReader.HeaderLength..];
        body[0] = family;
        body[1] = ProtocolTcp;
        body[2] = attributes;
        BinaryPrimitives.WriteUInt32LittleEndian(body[4..], states);
    }
}
