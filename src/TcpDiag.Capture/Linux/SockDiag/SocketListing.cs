using System;
using System.Collections.Generic;

namespace TcpDiag.Capture.Linux.SockDiag;

/// <summary>Lists the open TCP sockets of a network namespace: IPv4 and IPv6, without TIME-WAIT.</summary>
/// <param name="netlink">Socket in the namespace.</param>
/// <param name="withListeners">Whether listening sockets, whose remote port is 0, are among them.</param>
sealed class SocketListing(NetlinkSocket netlink, bool withListeners = false)
{
    const int ReceiveBytes = 1 << 16;

    readonly byte[] _answers = new byte[ReceiveBytes];
    readonly List<SocketEnds> _found = [];

    /// <summary>Reads the list.</summary>
    /// <returns>The sockets; overwritten by the next call.</returns>
    public IReadOnlyList<SocketEnds> Read()
    {
        _found.Clear();
        Span<byte> request = stackalloc byte[InetDiagRequest.Length];
        foreach (byte family in (ReadOnlySpan<byte>)[InetDiagRequest.FamilyIpv4, InetDiagRequest.FamilyIpv6])
        {
            InetDiagRequest.WriteDump(request, family, 0, withListeners: withListeners);
            bool goesOn = netlink.TrySend(request);
            int length;
            while (goesOn && (length = netlink.Receive(_answers)) > 0)
            {
                goesOn = TakeAll(_answers.AsSpan(0, length));
            }
        }

        return _found;
    }

    // False once the end of the list, or an error, was among the answers.
    bool TakeAll(ReadOnlySpan<byte> datagram)
    {
        var reader = new NetlinkReader(datagram);
        while (reader.TryRead(out ReadOnlySpan<byte> payload))
        {
            if (reader.Type != InetDiagRequest.TypeByFamily)
            {
                return false;
            }

            if (InetDiagMessage.TryRead(payload, out InetDiagMessage message))
            {
                _found.Add(new(message.Local, message.Remote, message.Inode));
            }
        }

        return true;
    }
}
