using System;
using System.Runtime.Versioning;

namespace TcpDiag.Capture.Linux.SockDiag;

/// <summary>
/// TCP connections in a network namespace whose programs have ended: the kernel goes on sending what they left, and asks again for an acknowledgment that was lost, for
/// up to two minutes (tcp_orphan_retries). Connections in TIME-WAIT only answer, and are not counted.
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
        using NetlinkSocket netlink = NetworkNamespace.Run(networkNamespace, NetlinkSocket.Open);
        return new SocketListing(netlink).Read().Count;
    }

    /// <summary>Aborts the open connections of a namespace, also those that programs still hold. A kernel that cannot (CONFIG_INET_DIAG_DESTROY) leaves them.</summary>
    /// <param name="networkNamespace">Its name; a namespace that is not there has none.</param>
    public static void Destroy(string networkNamespace)
    {
        try
        {
            using NetlinkSocket netlink = NetworkNamespace.Run(networkNamespace, NetlinkSocket.Open);
            Span<byte> request = stackalloc byte[InetDiagRequest.Length];
            foreach (SocketEnds socket in new SocketListing(netlink).Read())
            {
                InetDiagRequest.WriteDestroy(request, socket.Local, socket.Remote);
                netlink.TrySend(request);
            }
        }
        catch (CaptureException)
        {
            // Its owner died before it was made, or we may not do it: what is left then ends by itself.
        }
    }
}
