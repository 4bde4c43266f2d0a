using System;
using System.Collections.Generic;
using System.Runtime.Versioning;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Shim.Queue;

/// <summary>
/// Tells which of the processes named by a match a packet belongs to. A connection is looked up at its first packet, on the packet thread, because a packet let
/// through before its process is known would not be impaired; this takes some milliseconds, during which others wait. After a second its socket is asked for
/// again, which takes microseconds; one whose socket is gone keeps its last process, so that its last packets are impaired too.
/// </summary>
[SupportedOSPlatform("linux")]
sealed class ProcessLookup(MatchRule match) : IDisposable
{
    const long ValidMilliseconds = 1000;

    // When so many connections are known all are forgotten; each is then looked up once more.
    const int MaxConnections = 4096;

    readonly NamedProcesses _processes = new(match);
    readonly SocketFinder _sockets = new();
    readonly Dictionary<(IpProtocol Protocol, Endpoint Local, Endpoint Remote), Owner> _known = [];

    /// <summary>Adds the process to what is known of a packet.</summary>
    /// <param name="facts">The packet.</param>
    public void Attribute(ref PacketFacts facts)
    {
        if (facts.Protocol is not (IpProtocol.Tcp or IpProtocol.Udp))
        {
            return;
        }

        (Endpoint local, Endpoint remote) = facts.IsOut ? (facts.Source, facts.Destination) : (facts.Destination, facts.Source);
        long now = Environment.TickCount64;
        var key = (facts.Protocol, local, remote);
        if (!_known.TryGetValue(key, out Owner owner) || now >= owner.ValidUntil)
        {
            owner = Renew(facts.Protocol, local, remote, owner) with { ValidUntil = now + ValidMilliseconds };
            Remember(key, owner);
        }

        facts = facts with { ProcessId = owner.Id, ProcessName = owner.Name };
    }

    /// <inheritdoc/>
    public void Dispose() => _sockets.Dispose();

    Owner Renew(IpProtocol protocol, Endpoint local, Endpoint remote, Owner last)
    {
        uint inode = _sockets.FindInode(protocol, local, remote);
        if (inode == 0 || inode == last.Inode)
        {
            return last;
        }

        (int id, string? name) = _processes.FindHolder(inode);
        return new Owner(inode, id, name, 0);
    }

    void Remember((IpProtocol Protocol, Endpoint Local, Endpoint Remote) key, Owner owner)
    {
        if (_known.Count >= MaxConnections)
        {
            _known.Clear();
        }

        _known[key] = owner;
    }

    readonly record struct Owner(uint Inode, int Id, string? Name, long ValidUntil);
}
