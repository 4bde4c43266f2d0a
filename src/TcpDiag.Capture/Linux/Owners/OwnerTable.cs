using System.Collections.Concurrent;
using TcpDiag.Capture.Linux.SockDiag;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux.Owners;

/// <summary>
/// Which process holds which connection, as far as it is known by now. A connection that nobody has accepted yet belongs to whoever listens there.
/// What is closed stays known for a while: its last packets come later. May be used by several threads.
/// </summary>
sealed class OwnerTable
{
    /// <summary>How long a connection is known after it was last seen, nanoseconds: longer than it may stay in FIN-WAIT-2 without its process.</summary>
    public const long KeptNanoseconds = 120_000_000_000;

    const int MaxConnections = 1 << 17;

    static readonly IpAddress AnyIpv4 = IpAddress.FromIpv4(0);

    readonly ConcurrentDictionary<(Endpoint Local, Endpoint Remote), Entry> _connections = new();
    readonly ConcurrentDictionary<Endpoint, Entry> _listeners = new();

    /// <summary>Finds the process of a connection.</summary>
    /// <param name="local">The end whose process is meant.</param>
    /// <param name="remote">The other end.</param>
    /// <param name="owner">The process.</param>
    /// <returns>False when it is not known, or not yet.</returns>
    public bool TryFind(Endpoint local, Endpoint remote, out SocketOwner owner)
    {
        bool isKnown = _connections.TryGetValue((local, remote), out Entry entry);
        owner = entry.Owner;
        return isKnown;
    }

    /// <summary>Takes in whose a connection is, or a listening socket.</summary>
    /// <param name="socket">Its ends; the remote port of a listening socket is 0. Its inode, 0 when that is not known.</param>
    /// <param name="owner">The process.</param>
    /// <param name="now">Monotonic clock, nanoseconds.</param>
    public void Add(SocketEnds socket, SocketOwner owner, long now)
    {
        var entry = new Entry(owner, socket.Inode, now);
        if (IsListener(socket))
        {
            _listeners[socket.Local] = entry;
        }
        else if (_connections.Count < MaxConnections || _connections.ContainsKey((socket.Local, socket.Remote)))
        {
            _connections[(socket.Local, socket.Remote)] = entry;
        }
    }

    /// <summary>Takes in a connection that came in; whoever accepts it is not known. It keeps a process that is known.</summary>
    /// <param name="local">Its own end.</param>
    /// <param name="remote">The peer's end.</param>
    /// <param name="now">Monotonic clock, nanoseconds.</param>
    public void AddIncoming(Endpoint local, Endpoint remote, long now)
    {
        bool isListening = _listeners.TryGetValue(local, out Entry listener)
            || _listeners.TryGetValue(new(AnyIpv4, local.Port), out listener)
            || _listeners.TryGetValue(new(default, local.Port), out listener);
        if (isListening && !_connections.ContainsKey((local, remote)))
        {
            Add(new(local, remote, Inode: 0), listener.Owner, now);
        }
    }

    /// <summary>Notes that a socket is still there.</summary>
    /// <param name="socket">Its ends and inode.</param>
    /// <param name="now">Monotonic clock, nanoseconds.</param>
    /// <returns>False when its process must be looked for, also where these ends belonged to another socket before.</returns>
    public bool Touch(SocketEnds socket, long now)
    {
        bool isKnown = IsListener(socket) ? _listeners.TryGetValue(socket.Local, out Entry entry) : _connections.TryGetValue((socket.Local, socket.Remote), out entry);
        if (!isKnown || (socket.Inode != 0 && entry.Inode != socket.Inode))
        {
            return false;
        }

        Add(socket with { Inode = entry.Inode }, entry.Owner, now);
        return true;
    }

    /// <summary>Forgets sockets that are gone for long.</summary>
    /// <param name="now">Monotonic clock, nanoseconds.</param>
    public void Sweep(long now)
    {
        Sweep(_connections, now);
        Sweep(_listeners, now);
    }

    static bool IsListener(SocketEnds socket) => socket.Remote.Port == 0;

    static void Sweep<T>(ConcurrentDictionary<T, Entry> entries, long now)
        where T : notnull
    {
        foreach ((T ends, Entry entry) in entries)
        {
            if (now - entry.Seen > KeptNanoseconds)
            {
                entries.TryRemove(ends, out _);
            }
        }
    }

    readonly record struct Entry(SocketOwner Owner, uint Inode, long Seen);
}
