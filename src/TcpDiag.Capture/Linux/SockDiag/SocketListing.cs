using System;
using System.Collections.Generic;
using System.Runtime.Versioning;
using TcpDiag.Platform.Linux;
using TcpDiag.Wire;

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

/// <summary>An open TCP socket of a listing.</summary>
/// <param name="Local">Its own end.</param>
/// <param name="Remote">The peer's end.</param>
/// <param name="Inode">Its inode; 0 when no process holds it.</param>
readonly record struct SocketEnds(Endpoint Local, Endpoint Remote, uint Inode);

/// <summary>
/// TCP connections in a network namespace whose programs have ended: the kernel goes on sending their data, and retransmits,
/// for up to two minutes (tcp_orphan_retries). Connections in TIME-WAIT only answer, and are not counted.
/// </summary>
[SupportedOSPlatform("linux")]
public static class LeftSockets
{
    /// <summary>Counts the open connections of a namespace, also those that programs still hold.</summary>
    /// <param name="networkNamespace">Its name, as <c>ip netns</c> has it.</param>
    /// <returns>How many.</returns>
    /// <exception cref="CaptureException">There is no such namespace, or we may not enter it.</exception>
    public static int Count(string networkNamespace)
    {
        using NetlinkSocket netlink = CaptureNamespace.Run(networkNamespace, CaptureNamespace.OpenDiagnosis);
        return new SocketListing(netlink).Read().Count;
    }

    /// <summary>
    /// Aborts the open connections of a namespace, also those that programs still hold. A kernel that cannot (CONFIG_INET_DIAG_DESTROY) leaves them.
    /// </summary>
    /// <param name="networkNamespace">Its name; a namespace that is not there has none.</param>
    public static void Destroy(string networkNamespace)
    {
        try
        {
            using NetlinkSocket netlink = CaptureNamespace.Run(networkNamespace, CaptureNamespace.OpenDiagnosis);
            Span<byte> request = stackalloc byte[InetDiagRequest.Length];
            foreach (SocketEnds socket in new SocketListing(netlink).Read())
            {
                InetDiagRequest.WriteDestroy(request, socket.Local, socket.Remote);
                netlink.TrySend(request);
            }
        }
        catch (CaptureException)
        {
            // The namespace was never made, or we may not enter it: its connections time out by themselves.
        }
    }
}
