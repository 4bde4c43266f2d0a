using System;
using System.Collections.Generic;
using System.Globalization;
using TcpDiag.Capture.Linux.SockDiag;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux;

/// <summary>
/// The connections over which the recorder itself talks, which must not be recorded: a packet recorded would send
/// another. These are the TCP sockets this process holds, and the ssh session it runs in.
/// </summary>
static class OwnConnections
{
    /// <summary>Variable in which sshd names its connection: client address and port, server address and port.</summary>
    public const string SshVariable = "SSH_CONNECTION";

    /// <summary>Finds them.</summary>
    /// <returns>Both ends of each.</returns>
    public static IReadOnlyList<(Endpoint Local, Endpoint Remote)> Find()
    {
        var found = new List<(Endpoint, Endpoint)>();
        if (TryParseSsh(Environment.GetEnvironmentVariable(SshVariable), out (Endpoint, Endpoint) ssh))
        {
            found.Add(ssh);
        }

        HashSet<uint> inodes = [.. SocketOwners.SocketInodes("/proc/self")];
        if (inodes.Count > 0)
        {
            AddHeld(inodes, found);
        }

        return found;
    }

    /// <summary>Reads what sshd says of its connection.</summary>
    /// <param name="text">The variable's value, or null.</param>
    /// <param name="ends">Server's and client's end.</param>
    /// <returns>False when it is something else.</returns>
    public static bool TryParseSsh(string? text, out (Endpoint Local, Endpoint Remote) ends)
    {
        ends = default;
        string[] parts = (text ?? string.Empty).Split(' ', StringSplitOptions.RemoveEmptyEntries);
        if (parts.Length != 4 || !TryParseEnd(parts[0], parts[1], out Endpoint client) || !TryParseEnd(parts[2], parts[3], out Endpoint server))
        {
            return false;
        }

        ends = (server, client);
        return true;
    }

    static bool TryParseEnd(string address, string port, out Endpoint end)
    {
        end = default;
        if (!IpAddress.TryParse(address, out IpAddress ip) || !ushort.TryParse(port, NumberStyles.None, CultureInfo.InvariantCulture, out ushort number))
        {
            return false;
        }

        end = new(ip, number);
        return true;
    }

    static void AddHeld(HashSet<uint> inodes, List<(Endpoint Local, Endpoint Remote)> found)
    {
        using NetlinkSocket netlink = NetlinkSocket.Open();
        foreach (SocketEnds socket in new SocketListing(netlink).Read())
        {
            if (inodes.Contains(socket.Inode))
            {
                found.Add((socket.Local, socket.Remote));
            }
        }
    }
}
