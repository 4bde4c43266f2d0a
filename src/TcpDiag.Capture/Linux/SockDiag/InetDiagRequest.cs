using System;
using System.Buffers.Binary;
using TcpDiag.Capture.Linux.Tracefs;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux.SockDiag;

/// <summary>Writes requests for TCP sockets: struct inet_diag_req_v2 (linux/inet_diag.h, sock_diag(7)).</summary>
static class InetDiagRequest
{
    /// <summary>Bytes of a request with its header.</summary>
    public const int Length = NetlinkReader.HeaderLength + 56;

    /// <summary>Bytes of struct inet_diag_sockid.</summary>
    public const int SocketIdLength = 48;

    /// <summary>AF_INET.</summary>
    public const byte FamilyIpv4 = 2;

    /// <summary>AF_INET6.</summary>
    public const byte FamilyIpv6 = 10;

    /// <summary>Type of requests and of their answers.</summary>
    public const ushort TypeByFamily = 20;

    const ushort TypeDestroy = 21; // SOCK_DESTROY

    const ushort FlagRequest = 1;
    const ushort FlagDump = 0x300;
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
    /// <param name="buffer">Takes <see cref="Length"/> bytes.</param>
    /// <param name="family"><see cref="FamilyIpv4"/> or <see cref="FamilyIpv6"/>.</param>
    /// <param name="sequence">Comes back with the answers.</param>
    /// <param name="withDetails">Whether tcp_info, congestion control and memory are asked for.</param>
    /// <param name="withListeners">Whether listening sockets are asked for too.</param>
    public static void WriteDump(Span<byte> buffer, byte family, uint sequence, bool withDetails = false, bool withListeners = false) =>
        WriteHeader(buffer, TypeByFamily, family, FlagDump, withDetails ? WithInfo : (byte)0, sequence, withListeners ? OpenStates | ListenState : OpenStates);

    /// <summary>Asks for one socket with its details.</summary>
    /// <param name="buffer">Takes <see cref="Length"/> bytes.</param>
    /// <param name="family">The socket's family.</param>
    /// <param name="socketId">struct inet_diag_sockid.</param>
    /// <param name="sequence">Comes back with the answer.</param>
    public static void WriteGet(Span<byte> buffer, byte family, ReadOnlySpan<byte> socketId, uint sequence)
    {
        WriteHeader(buffer, TypeByFamily, family, 0, WithInfo, sequence);
        socketId.CopyTo(buffer[(Length - SocketIdLength)..]);
    }

    /// <summary>Has the kernel abort a connection; it answers only when it does not.</summary>
    /// <param name="buffer">Takes <see cref="Length"/> bytes.</param>
    /// <param name="local">The socket's own end.</param>
    /// <param name="remote">The peer's end.</param>
    public static void WriteDestroy(Span<byte> buffer, Endpoint local, Endpoint remote)
    {
        Span<byte> socketId = stackalloc byte[SocketIdLength];
        byte family = WriteSocketId(socketId, local, remote);
        WriteHeader(buffer, TypeDestroy, family, 0, 0, 0);
        socketId.CopyTo(buffer[(Length - SocketIdLength)..]);
    }

    /// <summary>Makes the id of a socket of which only the ends are known.</summary>
    /// <param name="socketId">Takes <see cref="SocketIdLength"/> bytes.</param>
    /// <param name="local">Its own end.</param>
    /// <param name="remote">The peer's end.</param>
    /// <returns>The family to ask for.</returns>
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
        BinaryPrimitives.WriteUInt32LittleEndian(buffer, Length);
        BinaryPrimitives.WriteUInt16LittleEndian(buffer[4..], type);
        BinaryPrimitives.WriteUInt16LittleEndian(buffer[6..], (ushort)(FlagRequest | flags));
        BinaryPrimitives.WriteUInt32LittleEndian(buffer[8..], sequence);
        Span<byte> body = buffer[NetlinkReader.HeaderLength..];
        body[0] = family;
        body[1] = ProtocolTcp;
        body[2] = attributes;
        BinaryPrimitives.WriteUInt32LittleEndian(body[4..], states);
    }
}
