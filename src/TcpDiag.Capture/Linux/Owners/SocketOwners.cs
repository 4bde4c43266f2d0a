using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Platform.Linux;

namespace TcpDiag.Capture.Linux.Owners;

/// <summary>
/// Finds the processes of sockets: the links in <c>/proc/PID/fd</c> name socket inodes. Walking all processes takes
/// long, so it runs in the background, for many sockets at once and rarely enough to use little of a processor.
/// </summary>
sealed class SocketOwners
{
    const string LinkPrefix = "socket:[";
    const int MaxSearches = 3;
    const long MinPauseNanos = 200_000_000;

    // A walk may use a twentieth of one processor.
    const int PauseFactor = 20;

    readonly ConcurrentDictionary<uint, SocketOwner> _found = new();
    readonly Dictionary<uint, int> _wanted = [];
    Task _search = Task.CompletedTask;
    long _notBeforeNanos;

    /// <summary>Looks up a socket, and queues a search for it when it is not known.</summary>
    /// <returns>False when it is not known, or not yet.</returns>
    public bool TryFind(uint inode, out SocketOwner owner)
    {
        if (inode != 0 && _found.TryRemove(inode, out owner))
        {
            _wanted.Remove(inode);
            return true;
        }

        owner = default;
        if (inode != 0)
        {
            _wanted.TryAdd(inode, 0);
        }

        return false;
    }

    /// <summary>Forgets a socket that is closed.</summary>
    public void Forget(uint inode)
    {
        _wanted.Remove(inode);
        _found.TryRemove(inode, out _);
    }

    /// <summary>Starts a search when sockets are wanted and enough time has passed since the latest one.</summary>
    /// <param name="now">Monotonic clock, nanoseconds.</param>
    public void SearchIfDue(long now)
    {
        if (now < _notBeforeNanos || !_search.IsCompleted || _wanted.Count == 0)
        {
            return;
        }

        HashSet<uint> wanted = TakeWanted();
        if (wanted.Count > 0)
        {
            _notBeforeNanos = long.MaxValue;
            _search = Task.Run(() => Search(wanted));
        }
    }

    // A socket not found in three searches belongs to no process we can see.
    HashSet<uint> TakeWanted()
    {
        var wanted = new HashSet<uint>();
        foreach ((uint inode, int searches) in _wanted)
        {
            if (searches < MaxSearches)
            {
                wanted.Add(inode);
            }
        }

        foreach (uint inode in wanted)
        {
            _wanted[inode]++;
        }

        return wanted;
    }

    void Search(HashSet<uint> wanted)
    {
        long start = Libc.Now(Libc.ClockMonotonic);
        Search(wanted, _found);
        long end = Libc.Now(Libc.ClockMonotonic);
        Volatile.Write(ref _notBeforeNanos, end + PauseAfter(end - start));
    }

    /// <summary>How long to wait after a search, so that searching takes a small part of a processor.</summary>
    /// <param name="took">How long it took, nanoseconds.</param>
    public static long PauseAfter(long took) => Math.Max(took * PauseFactor, MinPauseNanos);

    public static void Search(HashSet<uint> wanted, IDictionary<uint, SocketOwner> found)
    {
        foreach (string folder in Directory.EnumerateDirectories("/proc"))
        {
            if (uint.TryParse(Path.GetFileName(folder.AsSpan()), NumberStyles.None, CultureInfo.InvariantCulture, out uint process))
            {
                SearchProcess(process, folder, wanted, found);
            }
        }
    }

    static void SearchProcess(uint process, string folder, HashSet<uint> wanted, IDictionary<uint, SocketOwner> found)
    {
        try
        {
            foreach (uint inode in Proc.SocketInodes(folder))
            {
                if (wanted.Remove(inode))
                {
                    found[inode] = new(process, Proc.NameOf(folder));
                }
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The process has ended meanwhile, or we may not inspect it.
        }
    }
}

/// <summary>The process that holds a socket; the first found where several share it.</summary>
/// <param name="ProcessId">Its id, in the recorder's view of processes.</param>
/// <param name="Name">Its name (comm): at most 15 characters.</param>
readonly record struct SocketOwner(uint ProcessId, string Name);
