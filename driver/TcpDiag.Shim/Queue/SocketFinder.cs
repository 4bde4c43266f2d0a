using System;
using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using TcpDiag.Shim.Netlink;
using TcpDiag.Wire;

namespace TcpDiag.Shim.Queue;

/// <summary>Asks the kernel which socket a packet belongs to (sock_diag(7), linux/inet_diag.h), in the namespace of the thread that made the object.</summary>
[SupportedOSPlatform("linux")]
sealed class SocketFinder : IDisposable
{
    const ushort SocketByFamily = 20; // SOCK_DIAG_BY_FAMILY
    const ushort RequestFlag = 1;
    const byte FamilyInet = 2;
    const byte FamilyInet6 = 10;
    const int HeaderBytes = 16;

    // struct inet_diag_req_v2: family, protocol, two bytes, states; then struct inet_diag_sockid.
    const int SocketId = HeaderBytes + 8;
    const int RequestBytes = SocketId + 48;
    const int SourceAddress = SocketId + 4;
    const int DestinationAddress = SocketId + 20;
    const int Cookie = SocketId + 40;

    // struct inet_diag_msg: four bytes, sockid, timer, two queues, user, inode.
    const int Inode = HeaderBytes + 4 + 48 + 16;

    const long AnswerTimeoutNs = 100_000_000;

    readonly NetlinkSocket _socket = new(NetlinkSocket.SocketDiagnosis);
    readonly byte[] _answer = new byte[4096];

    /// <summary>Finds the socket of a connection, or the one that would receive a packet of it.</summary>
    /// <param name="protocol">TCP or UDP.</param>
    /// <param name="local">This host's end.</param>
    /// <param name="remote">The other end.</param>
    /// <returns>The socket's inode; 0 when there is none, or it belongs to no process any more.</returns>
    /// <exception cref="ShimException">The system refused.</exception>
    public uint FindInode(IpProtocol protocol, Endpoint local, Endpoint remote)
    {
        Span<byte> request = stackalloc byte[RequestBytes];
        request.Clear();
        MemoryMarshal.Write(request, RequestBytes);
        MemoryMarshal.Write(request[4..], SocketByFamily);
        MemoryMarshal.Write(request[6..], RequestFlag);
        request[HeaderBytes] = local.Address.IsIpv4 ? FamilyInet : FamilyInet6;
        request[HeaderBytes + 1] = (byte)protocol;
        MemoryMarshal.Write(request[(HeaderBytes + 4)..], uint.MaxValue);

        // For UDP the kernel takes the two ends as a received packet has them, for TCP as the socket has them.
        (Endpoint source, Endpoint destination) = protocol == IpProtocol.Udp ? (remote, local) : (local, remote);
        BinaryPrimitives.WriteUInt16BigEndian(request[SocketId..], source.Port);
        BinaryPrimitives.WriteUInt16BigEndian(request[(SocketId + 2)..], destination.Port);
        source.Address.Write(request[SourceAddress..]);
        destination.Address.Write(request[DestinationAddress..]);
        MemoryMarshal.Write(request[Cookie..], ulong.MaxValue);
        return Ask(request);
    }

    /// <inheritdoc/>
    public void Dispose() => _socket.Dispose();

    uint Ask(ReadOnlySpan<byte> request)
    {
        if (!_socket.Send(request))
        {
            return 0;
        }

        _socket.Wait(AnswerTimeoutNs);
        int length = _socket.Receive(_answer);
        bool isFound = length >= Inode + 4 && MemoryMarshal.Read<ushort>(_answer.AsSpan(4)) == SocketByFamily;
        return isFound ? MemoryMarshal.Read<uint>(_answer.AsSpan(Inode)) : 0;
    }
}
