using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using TcpDiag.Platform;
using TcpDiag.Platform.Linux;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Shim.Queue;

/// <summary>
/// Finds which of the processes named by a match a packet belongs to. A connection is looked up at its first packet, on the packet thread, because a packet let
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
    /// <param name="eitherEnd">Whether the other end is of this host too, and its process is meant where none of those named has the near one.</param>
    public void Attribute(ref PacketFacts facts, bool eitherEnd)
    {
        if (facts.Protocol is not (IpProtocol.Tcp or IpProtocol.Udp))
        {
            return;
        }

        (Endpoint local, Endpoint remote) = facts.IsOut ? (facts.Source, facts.Destination) : (facts.Destination, facts.Source);
        Owner owner = Find(facts.Protocol, local, remote);
        owner = eitherEnd && owner.Id == 0 ? Find(facts.Protocol, remote, local) : owner;
        facts = facts with { ProcessId = owner.Id, ProcessName = owner.Name };
    }

    /// <inheritdoc/>
    public void Dispose() => _sockets.Dispose();

    Owner Find(IpProtocol protocol, Endpoint local, Endpoint remote)
    {
        long now = Environment.TickCount64;
        var key = (protocol, local, remote);
        if (!_known.TryGetValue(key, out Owner owner) || now >= owner.ValidUntil)
        {
            owner = Renew(protocol, local, remote, owner) with { ValidUntil = now + ValidMilliseconds };
            Remember(key, owner);
        }

        return owner;
    }

    Owner Renew(IpProtocol protocol, Endpoint local, Endpoint remote, Owner last)
    {
        uint inode = _sockets.FindInode(protocol, local, remote);
        if (inode == 0 || inode == last.Inode)
        {
            return last;
        }

        (int id, string? name) = _processes.FindProcess(inode);
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

/// <summary>
/// The processes that a match names, and the sockets they hold (proc(5)). Only their descriptors are looked at, never those of the whole machine.
/// </summary>
sealed class NamedProcesses
{
    // TASK_COMM_LEN − 1: the kernel keeps no more of a name.
    const int KernelNameLength = 15;

    readonly List<MatchProcess> _named = [];

    /// <summary>Collects what a match names.</summary>
    public NamedProcesses(MatchRule match) => Collect(match);

    /// <summary>The process that holds a socket.</summary>
    /// <returns>Process id and name as the match has it; 0 and null when none of the named processes holds it.</returns>
    public (int Id, string? Name) FindProcess(uint inode)
    {
        foreach ((uint id, string folder) in Proc.Processes())
        {
            if (FindName((int)id, folder) is { } name && Holds(folder, inode))
            {
                return ((int)id, name);
            }
        }

        return (0, null);
    }

    void Collect(MatchRule rule)
    {
        switch (rule)
        {
            case MatchProcess process:
                _named.Add(process);
                break;
            case MatchNot not:
                Collect(not.Rule);
                break;
            case MatchAnd and:
                Collect(and.Left);
                Collect(and.Right);
                break;
            case MatchOr or:
                Collect(or.Left);
                Collect(or.Right);
                break;
            default:
                break;
        }
    }

    // The name by which the match means a process; null when it does not.
    string? FindName(int id, string folder)
    {
        string? kernelName = null;
        foreach (MatchProcess process in _named)
        {
            if (process.Id == id)
            {
                return string.Empty;
            }

            kernelName ??= process.Id == 0 ? TryReadName(folder) : null;
            string name = process.Name.Length > KernelNameLength ? process.Name[..KernelNameLength] : process.Name;
            if (process.Id == 0 && string.Equals(kernelName, name, StringComparison.OrdinalIgnoreCase))
            {
                return process.Name;
            }
        }

        return null;
    }

    static bool Holds(string folder, uint inode)
    {
        try
        {
            return Proc.SocketInodes(folder).Contains(inode);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The process has ended meanwhile.
            return false;
        }
    }

    static string TryReadName(string folder)
    {
        try
        {
            return Proc.NameOf(folder);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return string.Empty;
        }
    }
}

/// <summary>Asks the kernel which socket a packet belongs to (sock_diag(7), linux/inet_diag.h), in the namespace of the thread that made the object.</summary>
[SupportedOSPlatform("linux")]
sealed class SocketFinder : IDisposable
{
    const ushort SocketByFamily = 20; // SOCK_DIAG_BY_FAMILY
    const int HeaderBytes = NetlinkReader.HeaderLength;

    // struct inet_diag_req_v2: family, protocol, two bytes, states; then struct inet_diag_sockid.
    const int SocketId = HeaderBytes + 8;
    const int RequestBytes = SocketId + 48;
    const int SourceAddress = SocketId + 4;
    const int DestinationAddress = SocketId + 20;
    const int Cookie = SocketId + 40;

    // struct inet_diag_msg: four bytes, sockid, timer, two queues, user, inode.
    const int Inode = HeaderBytes + 4 + 48 + 16;

    const long AnswerTimeoutNanos = 100_000_000;

    readonly NetlinkSocket _socket = NetlinkSocket.OpenForPackets(NetlinkSocket.SocketDiagnosis);
    readonly byte[] _answer = new byte[4096];

    /// <summary>Finds the socket of a connection, or the one that would receive a packet of it.</summary>
    /// <returns>The socket's inode; 0 when there is none, or it belongs to no process any more.</returns>
    /// <exception cref="PlatformException">The system refused.</exception>
    public uint FindInode(IpProtocol protocol, Endpoint local, Endpoint remote)
    {
        Span<byte> request = stackalloc byte[RequestBytes];
        request.Clear();
        NetlinkWriter.WriteHeader(request, RequestBytes, SocketByFamily, 0, 0);
        request[HeaderBytes] = (byte)(local.Address.IsIpv4 ? Libc.FamilyIpv4 : Libc.FamilyIpv6);
        request[HeaderBytes + 1] = (byte)protocol;
        MemoryMarshal.Write(request[(HeaderBytes + 4)..], uint.MaxValue);

        // For UDP the kernel takes the two ends as a received packet has them, for TCP as the socket has them.
        (Endpoint source, Endpoint destination) = protocol == IpProtocol.Udp ? (remote, local) : (local, remote);
        BinaryPrimitives.WriteUInt16BigEndian(request[SocketId..], source.Port);
        BinaryPrimitives.WriteUInt16BigEndian(request[(SocketId + 2)..], destination.Port);
        source.Address.Write(request[SourceAddress..]);
        destination.Address.Write(request[DestinationAddress..]);
        MemoryMarshal.Write(request[Cookie..], ulong.MaxValue);
        return Ask(request);
    }

    /// <inheritdoc/>
    public void Dispose() => _socket.Dispose();

    uint Ask(ReadOnlySpan<byte> request)
    {
        if (!_socket.TrySend(request))
        {
            return 0;
        }

        _socket.Wait(AnswerTimeoutNanos);
        int length = _socket.Receive(_answer);
        bool isFound = length >= Inode + 4 && MemoryMarshal.Read<ushort>(_answer.AsSpan(4)) == SocketByFamily;
        return isFound ? MemoryMarshal.Read<uint>(_answer.AsSpan(Inode)) : 0;
    }
}
