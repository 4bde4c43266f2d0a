using System;
using System.Runtime.Versioning;
using TcpDiag.Shim.Linux;

namespace TcpDiag.Shim.Queue;

/// <summary>Sends whole IPv4 packets (raw(7), IPPROTO_RAW) with a mark by which our own rules let them pass.</summary>
[SupportedOSPlatform("linux")]
sealed class RawSender : IDisposable
{
    const int FamilyInet = 2;
    const int Raw = 3;
    const int ProtocolRaw = 255;
    const int SocketLevel = 1;
    const int Mark = 36;

    readonly LinuxHandle _socket;

    /// <summary>Opens the socket.</summary>
    /// <exception cref="ShimException">The system refused.</exception>
    public RawSender(uint mark)
    {
        _socket = Libc.Socket(FamilyInet, Raw | Libc.NonBlocking | Libc.CloseOnExec, ProtocolRaw);
        if (_socket.IsInvalid || Libc.SetOption(_socket, SocketLevel, Mark, (int)mark) != 0)
        {
            throw Libc.LastError("open a raw socket", "Run as root.");
        }
    }

    /// <summary>Sends a packet to the destination in its header.</summary>
    /// <returns>False for a packet that is not IPv4, or that the system does not take.</returns>
    public bool Send(ReadOnlySpan<byte> packet)
    {
        if (packet.Length < 20 || packet[0] >> 4 != 4)
        {
            return false;
        }

        // struct sockaddr_in: family in host order, port 0, the address.
        Span<byte> address = stackalloc byte[16];
        address.Clear();
        address[0] = FamilyInet;
        packet.Slice(16, 4).CopyTo(address[4..]);
        return Libc.SendTo(_socket, packet, packet.Length, 0, address, (uint)address.Length) == packet.Length;
    }

    /// <inheritdoc/>
    public void Dispose() => _socket.Dispose();
}
