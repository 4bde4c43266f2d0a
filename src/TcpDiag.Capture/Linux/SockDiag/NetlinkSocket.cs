using System;
using TcpDiag.Capture.Linux.Native;

namespace TcpDiag.Capture.Linux.SockDiag;

/// <summary>A netlink socket to the kernel, as a rule to its socket diagnosis (sock_diag(7)). The kernel answers within the call that asks, so that reading does not wait.</summary>
sealed unsafe class NetlinkSocket : IDisposable
{
    /// <summary>NETLINK_ROUTE: interfaces, routes, queueing disciplines.</summary>
    public const int ProtocolRoute = 0;

    const int ProtocolSockDiag = 4;
    const int DoNotWait = 0x40;

    readonly FileDescriptor _socket;

    NetlinkSocket(FileDescriptor socket) => _socket = socket;

    /// <summary>Opens a socket to socket diagnosis in the network namespace of the calling thread.</summary>
    /// <returns>The socket.</returns>
    /// <exception cref="CaptureException">The kernel refused it.</exception>
    public static NetlinkSocket Open() => Open(ProtocolSockDiag);

    /// <summary>Opens a socket in the network namespace of the calling thread.</summary>
    /// <param name="protocol">Which part of the kernel.</param>
    /// <returns>The socket.</returns>
    /// <exception cref="CaptureException">The kernel refused it.</exception>
    public static NetlinkSocket Open(int protocol)
    {
        FileDescriptor socket = Libc.OpenSocket(Libc.FamilyNetlink, Libc.SocketRaw | Libc.SocketCloseOnExec, protocol);
        if (!socket.IsInvalid)
        {
            return new(socket);
        }

        int error = Libc.LastError();
        throw new CaptureException($"cannot open a netlink socket: {Libc.Describe(error)}. Sampling sockets needs CONFIG_INET_TCP_DIAG; --no-events records packets only.", error);
    }

    /// <summary>Sends requests.</summary>
    /// <param name="requests">One or more netlink messages.</param>
    /// <returns>False when the kernel did not take them.</returns>
    public bool TrySend(ReadOnlySpan<byte> requests)
    {
        fixed (byte* data = requests)
        {
            return Libc.Send(_socket, data, (nuint)requests.Length, 0) == requests.Length;
        }
    }

    /// <summary>Receives one datagram.</summary>
    /// <param name="buffer">Takes it.</param>
    /// <returns>Its bytes; 0 when there is none.</returns>
    public int Receive(Span<byte> buffer)
    {
        fixed (byte* data = buffer)
        {
            return (int)Math.Max(Libc.Receive(_socket, data, (nuint)buffer.Length, DoNotWait), 0);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _socket.Dispose();
}
