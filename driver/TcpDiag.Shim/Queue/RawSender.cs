using System;
using System.Runtime.Versioning;
using TcpDiag.Platform;
using TcpDiag.Platform.Linux;

namespace TcpDiag.Shim.Queue;

/// <summary>Sends whole IP packets (raw(7), IPPROTO_RAW) with a mark by which our own rules let them pass.</summary>
[SupportedOSPlatform("linux")]
sealed class RawSender : IDisposable
{
    const int ProtocolRaw = 255;
    const int Mark = 36;
    const int Ipv4HeaderBytes = 20;
    const int Ipv6HeaderBytes = 40;

    readonly FileDescriptor _ipv4;
    readonly FileDescriptor _ipv6;

    /// <summary>Opens the sockets; a system without IPv6 has only one of them.</summary>
    /// <exception cref="PlatformException">The system refused.</exception>
    public RawSender(uint mark)
    {
        _ipv4 = Open(Libc.FamilyIpv4, mark);
        if (_ipv4.IsInvalid)
        {
            throw PlatformException.FromLastError("open a raw socket", "Run as root.");
        }

        _ipv6 = Open(Libc.FamilyIpv6, mark);
    }

    /// <summary>Sends a packet to the destination in its header.</summary>
    /// <returns>False for what is no IP packet, or that the system does not take.</returns>
    public bool Send(ReadOnlySpan<byte> packet)
    {
        // struct sockaddr_in6: family in host order, port, flow label, the address, scope. struct sockaddr_in: family, port, the address.
        Span<byte> address = stackalloc byte[28];
        address.Clear();
        int version = packet.IsEmpty ? 0 : packet[0] >> 4;
        if (version == 4 && packet.Length >= Ipv4HeaderBytes)
        {
            address[0] = Libc.FamilyIpv4;
            packet.Slice(16, 4).CopyTo(address[4..]);
            return Send(_ipv4, packet, address[..16]);
        }

        if (version == 6 && packet.Length >= Ipv6HeaderBytes && !_ipv6.IsInvalid)
        {
            address[0] = Libc.FamilyIpv6;
            packet.Slice(24, 16).CopyTo(address[8..]);
            return Send(_ipv6, packet, address);
        }

        return false;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _ipv4.Dispose();
        _ipv6.Dispose();
    }

    static bool Send(FileDescriptor socket, ReadOnlySpan<byte> packet, ReadOnlySpan<byte> address) =>
        Libc.SendTo(socket, packet, packet.Length, 0, address, address.Length) == packet.Length;

    static FileDescriptor Open(int family, uint mark)
    {
        FileDescriptor socket = Libc.Socket(family, Libc.SocketRaw | Libc.NonBlocking | Libc.CloseOnExec, ProtocolRaw);
        if (!socket.IsInvalid && Libc.SetOption(socket, Libc.LevelSocket, Mark, (int)mark) != 0)
        {
            socket.SetHandleAsInvalid();
        }

        return socket;
    }
}
