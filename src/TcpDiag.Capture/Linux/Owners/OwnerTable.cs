using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using TcpDiag.Capture.Linux.SockDiag;
using TcpDiag.Platform.Linux;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux.Owners;

/// <summary>
/// Which process holds which connection, as far as known. A connection not yet accepted belongs to the listener.
/// Closed connections are kept for a while, because their last packets come later. Thread-safe.
/// </summary>
sealed class OwnerTable
{
    /// <summary>How long a connection is kept after it was last seen, nanoseconds: longer than it may stay in FIN-WAIT-2 without its process.</summary>
    public const long KeptNanos = 120_000_000_000;

    const int MaxConnections = 1 << 17;

    static readonly IpAddress AnyIpv4 = IpAddress.FromIpv4(0);

    readonly ConcurrentDictionary<(Endpoint Local, Endpoint Remote), Entry> _connections = new();
    readonly ConcurrentDictionary<Endpoint, Entry> _listeners = new();

    /// <summary>Finds the process of a connection.</summary>
    /// <returns>False when it is not known, or not yet.</returns>
    public bool TryFind(Endpoint local, Endpoint remote, out SocketOwner owner)
    {
        bool isKnown = _connections.TryGetValue((local, remote), out Entry entry);
        owner = entry.Owner;
        return isKnown;
    }

    /// <summary>Records the owner of a connection or a listening socket.</summary>
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

    /// <summary>Records an incoming connection whose accepting process is not known; a known owner is kept.</summary>
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

    /// <summary>Marks a socket as still open.</summary>
    /// <param name="socket">Its ends and inode.</param>
    /// <param name="now">Monotonic clock, nanoseconds.</param>
    /// <returns>False when its process must be looked for, also where these ends belonged to another socket before.</returns>
    public bool Touch(SocketEnds socket, long now)
    {
        bool isKnown = IsListener(socket)
            ? _listeners.TryGetValue(socket.Local, out Entry entry)
            : _connections.TryGetValue((socket.Local, socket.Remote), out entry);
        if (!isKnown || (socket.Inode != 0 && entry.Inode != socket.Inode))
        {
            return false;
        }

        Add(socket with { Inode = entry.Inode }, entry.Owner, now);
        return true;
    }

    /// <summary>Removes sockets not seen for <see cref="KeptNanos"/>.</summary>
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
            if (now - entry.SeenNanos > KeptNanos)
            {
                entries.TryRemove(ends, out _);
            }
        }
    }

    readonly record struct Entry(SocketOwner Owner, uint Inode, long SeenNanos);
}

/// <summary>
/// Finds, on a thread of its own, the processes that hold the sockets of some network namespaces: lists the sockets periodically, and searches all
/// processes when some are new.
/// </summary>
sealed class OwnerSearch : IDisposable
{
    const long MinPauseNanos = 100_000_000;
    const int NanosecondsPerMillisecond = 1_000_000;

    // A listing walks all sockets of a namespace: it may take a fiftieth of the time.
    const int PauseFactor = 50;

    // A socket not found in so many searches belongs to no process we can see.
    const int MaxSearches = 3;

    readonly List<NetlinkSocket> _sockets = [];
    readonly List<SocketListing> _listings = [];
    readonly OwnerTable _table;
    readonly ManualResetEvent _stop = new(initialState: false);
    readonly Thread _thread;

    // Sockets of the latest listing without a known owner, and how often they were searched for.
    Dictionary<uint, int> _unknown = [];
    long _nextSearchNanos;

    /// <summary>Searches once, then continues in the background.</summary>
    /// <param name="namespaces">The network namespaces; null for our own.</param>
    /// <param name="table">Receives what is found.</param>
    /// <exception cref="CaptureException">The kernel does not list sockets.</exception>
    public OwnerSearch(IEnumerable<string?> namespaces, OwnerTable table)
    {
        _table = table;
        foreach (string? name in namespaces)
        {
            _sockets.Add(CaptureNamespace.Run(name, CaptureNamespace.OpenDiagnosis));
            _listings.Add(new(_sockets[^1], withListeners: true));
        }

        Look();
        _thread = new(Run) { IsBackground = true, Name = "socket owners" };
        _thread.Start();
    }

    /// <summary>Searches a last time, and ends.</summary>
    public void Finish()
    {
        if (_thread.IsAlive)
        {
            _stop.Set();
            _thread.Join();
            _nextSearchNanos = 0;
            Look();
        }
    }

    public void Dispose()
    {
        _stop.Set();
        _thread.Join();
        _stop.Dispose();
        _sockets.ForEach(socket => socket.Dispose());
    }

    void Run()
    {
        long pause = MinPauseNanos;
        while (!_stop.WaitOne((int)(pause / NanosecondsPerMillisecond)))
        {
            pause = Math.Max(Look() * PauseFactor, MinPauseNanos);
        }
    }

    // Returns the time that listing took, nanoseconds.
    long Look()
    {
        long start = Libc.Now(Libc.ClockMonotonic);
        List<SocketEnds> sockets = [.. _listings.SelectMany(listing => listing.Read())];
        long now = Libc.Now(Libc.ClockMonotonic);
        List<SocketEnds> strange = sockets.FindAll(socket => !_table.Touch(socket, now));
        foreach (SocketEnds socket in strange)
        {
            // The accepting process is found later.
            _table.AddIncoming(socket.Local, socket.Remote, now);
        }

        _unknown = strange.Where(socket => socket.Inode != 0).DistinctBy(socket => socket.Inode)
            .ToDictionary(socket => socket.Inode, socket => _unknown.GetValueOrDefault(socket.Inode));
        _table.Sweep(now);
        if (now >= _nextSearchNanos)
        {
            Search(strange, now);
        }

        return now - start;
    }

    void Search(List<SocketEnds> strange, long start)
    {
        HashSet<uint> wanted = [.. _unknown.Where(socket => socket.Value < MaxSearches).Select(socket => socket.Key)];
        if (wanted.Count == 0)
        {
            return;
        }

        foreach (uint inode in wanted)
        {
            _unknown[inode]++;
        }

        var found = new Dictionary<uint, SocketOwner>();
        SocketOwners.Search(wanted, found);
        long now = Libc.Now(Libc.ClockMonotonic);
        foreach (SocketEnds socket in strange)
        {
            if (found.TryGetValue(socket.Inode, out SocketOwner owner))
            {
                _table.Add(socket, owner, now);
            }
        }

        _nextSearchNanos = now + SocketOwners.PauseAfter(now - start);
    }
}
