using System;
using System.Runtime.Versioning;
using TcpDiag.Shim.Linux;

namespace TcpDiag.Shim.Queue;

/// <summary>Sends whole IP packets (raw(7), IPPROTO_RAW) with a mark by which our own rules let them pass.</summary>
[SupportedOSPlatform("linux")]
sealed class RawSender : IDisposable
{
    const int FamilyInet = 2;
    const int FamilyInet6 = 10;
    const int Raw = 3;
    const int ProtocolRaw = 255;
    const int SocketLevel = 1;
    const int Mark = 36;
    const int Ipv4HeaderBytes = 20;
    const int Ipv6HeaderBytes = 40;

    readonly LinuxHandle _ipv4;
    readonly LinuxHandle _ipv6;

    /// <summary>Opens the sockets; a system without IPv6 has only one of them.</summary>
    /// <exception cref="ShimException">The system refused.</exception>
    public RawSender(uint mark)
    {
        _ipv4 = Open(FamilyInet, mark);
        if (_ipv4.IsInvalid)
        {
            throw Libc.LastError("open a raw socket", "Run as root.");
        }

        _ipv6 = Open(FamilyInet6, mark);
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
            address[0] = FamilyInet;
            packet.Slice(16, 4).CopyTo(address[4..]);
            return Send(_ipv4, packet, address[..16]);
        }

        if (version == 6 && packet.Length >= Ipv6HeaderBytes && !_ipv6.IsInvalid)
        {
            address[0] = FamilyInet6;
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

    static bool Send(LinuxHandle socket, ReadOnlySpan<byte> packet, ReadOnlySpan<byte> address) =>
        Libc.SendTo(socket, packet, packet.Length, 0, address, (uint)address.Length) == packet.Length;

    static LinuxHandle Open(int family, uint mark)
    {
        LinuxHandle socket = Libc.Socket(family, Raw | Libc.NonBlocking | Libc.CloseOnExec, ProtocolRaw);
        if (!socket.IsInvalid && Libc.SetOption(socket, SocketLevel, Mark, (int)mark) != 0)
        {
            socket.SetHandleAsInvalid();
        }

        return socket;
    }
}
