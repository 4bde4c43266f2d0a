using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using TcpDiag.Capture.Linux.Native;
using TcpDiag.Capture.Linux.SockDiag;

namespace TcpDiag.Capture.Linux.Owners;

/// <summary>
/// Looks on a thread of its own which processes hold the sockets of some network namespaces: lists the sockets now and then, and looks through all
/// processes where some of them are new.
/// </summary>
sealed class OwnerSearch : IDisposable
{
    const long MinPauseNanoseconds = 100_000_000;
    const int NanosecondsPerMillisecond = 1_000_000;

    // A listing walks over all sockets of a namespace: it may take a fiftieth of the time.
    const int PauseFactor = 50;

    // A socket that so many walks over all processes did not find belongs to none we can see.
    const int MaxSearches = 3;

    readonly List<NetlinkSocket> _sockets = [];
    readonly List<SocketListing> _listings = [];
    readonly OwnerTable _table;
    readonly ManualResetEvent _stop = new(initialState: false);
    readonly Thread _thread;

    // Sockets of the latest listing that belong to nobody known, and how often they were searched for.
    Dictionary<uint, int> _unknown = [];
    long _nextSearch;

    /// <summary>Looks at what there is, and goes on beside the recording.</summary>
    /// <param name="namespaces">The network namespaces; null for our own.</param>
    /// <param name="table">Takes what is found.</param>
    /// <exception cref="CaptureException">The kernel does not list sockets.</exception>
    public OwnerSearch(IEnumerable<string?> namespaces, OwnerTable table)
    {
        _table = table;
        foreach (string? name in namespaces)
        {
            _sockets.Add(NetworkNamespace.Run(name, NetlinkSocket.Open));
            _listings.Add(new(_sockets[^1], withListeners: true));
        }

        Look();
        _thread = new(Run) { IsBackground = true, Name = "socket owners" };
        _thread.Start();
    }

    /// <summary>Looks a last time, and ends.</summary>
    public void Finish()
    {
        if (_thread.IsAlive)
        {
            _stop.Set();
            _thread.Join();
            _nextSearch = 0;
            Look();
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _stop.Set();
        _thread.Join();
        _stop.Dispose();
        _sockets.ForEach(socket => socket.Dispose());
    }

    void Run()
    {
        long pause = MinPauseNanoseconds;
        while (!_stop.WaitOne((int)(pause / NanosecondsPerMillisecond)))
        {
            pause = Math.Max(Look() * PauseFactor, MinPauseNanoseconds);
        }
    }

    // Gives the time that listing took, nanoseconds.
    long Look()
    {
        long start = Libc.Now(Libc.ClockMonotonic);
        List<SocketEnds> sockets = [.. _listings.SelectMany(listing => listing.Read())];
        long now = Libc.Now(Libc.ClockMonotonic);
        List<SocketEnds> strange = sockets.FindAll(socket => !_table.Touch(socket, now));
        foreach (SocketEnds socket in strange)
        {
            // In time somebody accepts it, and is found then.
            _table.AddIncoming(socket.Local, socket.Remote, now);
        }

        _unknown = strange.Where(socket => socket.Inode != 0).DistinctBy(socket => socket.Inode).ToDictionary(socket => socket.Inode, socket => _unknown.GetValueOrDefault(socket.Inode));
        _table.Sweep(now);
        if (now >= _nextSearch)
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

        _nextSearch = now + SocketOwners.PauseAfter(now - start);
    }
}
