using System;
using System.Collections.Generic;
using System.Globalization;
using TcpDiag.Capture.Linux.SockDiag;
using TcpDiag.Platform.Linux;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Capture.Linux;

/// <summary>Decides which connections are recorded: those that match, without our own.</summary>
sealed class ConnectionSelector(MatchRule match, IReadOnlyList<(Endpoint Local, Endpoint Remote)> excluded)
{
    public MatchRule Match { get; } = match;

    public IReadOnlyList<(Endpoint Local, Endpoint Remote)> Excluded { get; } = excluded;

    /// <summary>Whether a connection is recorded: packets of at least one direction match.</summary>
    public bool Includes(Endpoint local, Endpoint remote)
    {
        foreach ((Endpoint ownLocal, Endpoint ownRemote) in Excluded)
        {
            if ((local == ownLocal && remote == ownRemote) || (local == ownRemote && remote == ownLocal))
            {
                return false;
            }
        }

        return Match.Matches(new PacketFacts(IpProtocol.Tcp, local, remote, IsOut: true))
            || Match.Matches(new PacketFacts(IpProtocol.Tcp, remote, local, IsOut: false));
    }
}

/// <summary>
/// The recorder's own connections, which must not be recorded: each packet recorded would cause
/// another. These are the TCP sockets that this process holds, and the ssh session it runs in.
/// </summary>
static class OwnConnections
{
    /// <summary>Variable in which sshd names its connection: client address and port, server address and port.</summary>
    public const string SshVariable = "SSH_CONNECTION";

    public static IReadOnlyList<(Endpoint Local, Endpoint Remote)> Find()
    {
        var found = new List<(Endpoint, Endpoint)>();
        if (TryParseSsh(Environment.GetEnvironmentVariable(SshVariable), out (Endpoint, Endpoint) ssh))
        {
            found.Add(ssh);
        }

        HashSet<uint> inodes = [.. Proc.SocketInodes("/proc/self")];
        if (inodes.Count > 0)
        {
            AddHeld(inodes, found);
        }

        return found;
    }

    /// <summary>Parses the variable in which sshd names its connection.</summary>
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
        using NetlinkSocket netlink = CaptureNamespace.OpenDiagnosis();
        foreach (SocketEnds socket in new SocketListing(netlink).Read())
        {
            if (inodes.Contains(socket.Inode))
            {
                found.Add((socket.Local, socket.Remote));
            }
        }
    }
}
