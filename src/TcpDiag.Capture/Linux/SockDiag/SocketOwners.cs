using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Capture.Linux.Native;

namespace TcpDiag.Capture.Linux.SockDiag;

/// <summary>
/// Finds the processes of sockets: the links in <c>/proc/PID/fd</c> name socket inodes. Walking over all processes takes
/// long, so it happens beside the recording, for many sockets at once and rarely enough to use a small part of a processor.
/// </summary>
sealed class SocketOwners
{
    const string LinkPrefix = "socket:[";
    const int MaxSearches = 3;
    const long MinPauseNanoseconds = 200_000_000;

    // A walk may use a twentieth of one processor.
    const int PauseFactor = 20;

    readonly ConcurrentDictionary<uint, SocketOwner> _found = new();
    readonly Dictionary<uint, int> _wanted = [];
    Task _search = Task.CompletedTask;
    long _notBefore;

    /// <summary>Looks a socket up, and has it searched for when it is not known.</summary>
    /// <param name="inode">The socket's inode.</param>
    /// <param name="owner">Its process.</param>
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
    /// <param name="inode">Its inode.</param>
    public void Forget(uint inode)
    {
        _wanted.Remove(inode);
        _found.TryRemove(inode, out _);
    }

    /// <summary>Begins a search when sockets are wanted and the latest search is over for long enough.</summary>
    /// <param name="now">Monotonic clock, nanoseconds.</param>
    public void SearchIfDue(long now)
    {
        if (now < _notBefore || !_search.IsCompleted || _wanted.Count == 0)
        {
            return;
        }

        HashSet<uint> wanted = TakeWanted();
        if (wanted.Count > 0)
        {
            _notBefore = long.MaxValue;
            _search = Task.Run(() => Search(wanted));
        }
    }

    // A socket that three searches did not find belongs to no process we can see.
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
        Volatile.Write(ref _notBefore, end + PauseAfter(end - start));
    }

    /// <summary>How long to wait after a search, so that searching takes a small part of a processor.</summary>
    /// <param name="took">How long it took, nanoseconds.</param>
    /// <returns>Nanoseconds.</returns>
    public static long PauseAfter(long took) => Math.Max(took * PauseFactor, MinPauseNanoseconds);

    /// <summary>Looks through all processes, once.</summary>
    /// <param name="wanted">Inodes; those found are taken out.</param>
    /// <param name="found">Takes their processes.</param>
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
            foreach (uint inode in SocketInodes(folder))
            {
                if (wanted.Remove(inode))
                {
                    found[inode] = new(process, NameOf(folder));
                }
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The process has ended meanwhile, or is not ours to look into.
        }
    }

    /// <summary>The name of a process as the kernel has it.</summary>
    /// <param name="processFolder">Its folder, e.g. <c>/proc/self</c>.</param>
    /// <returns>At most 15 characters.</returns>
    /// <exception cref="IOException">The process has ended.</exception>
    public static string NameOf(string processFolder) => File.ReadAllText(Path.Join(processFolder, "comm")).TrimEnd('\n');

    /// <summary>The sockets a process holds.</summary>
    /// <param name="processFolder">Its folder, e.g. <c>/proc/self</c>.</param>
    /// <returns>Their inodes.</returns>
    /// <exception cref="IOException">The process has ended.</exception>
    /// <exception cref="UnauthorizedAccessException">We may not look into it.</exception>
    public static IEnumerable<uint> SocketInodes(string processFolder)
    {
        foreach (FileSystemInfo entry in new DirectoryInfo(Path.Join(processFolder, "fd")).EnumerateFileSystemInfos())
        {
            string? link = entry.LinkTarget;
            if (link is not null && link.StartsWith(LinkPrefix, StringComparison.Ordinal)
                && uint.TryParse(link.AsSpan(LinkPrefix.Length).TrimEnd(']'), NumberStyles.None, CultureInfo.InvariantCulture, out uint inode))
            {
                yield return inode;
            }
        }
    }
}
