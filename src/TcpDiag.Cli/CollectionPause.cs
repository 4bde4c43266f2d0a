using System;
using System.Runtime;

namespace TcpDiag.Cli;

/// <summary>
/// Puts the garbage collector off while results are made. What is allocated then stays: a collection would find nothing, and go through everything that is
/// known of a hundred thousand connections to see that.
/// </summary>
sealed class CollectionPause : IDisposable
{
    // Twice what the results of a connection take. Where more is allocated the pause is over, and it is collected as usual.
    const long ConnectionBytes = 4096;

    // The system is asked for all of it, four megabytes at a time, though it gives pages only where they are used: for a small trace that takes longer than to
    // collect.
    const long MinBytes = 1L << 23;
    const long MaxBytes = 1L << 29;
    const int MemoryParts = 8; // never more than this part of the memory that there is

    bool _isOwn;

    /// <summary>Begins; nothing happens where another pause goes on already, or where results are few.</summary>
    /// <param name="connections">Of how many connections results are made.</param>
    public void Begin(int connections)
    {
        try
        {
            long bytes = Math.Min(Math.Min(connections * ConnectionBytes, MaxBytes), GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / MemoryParts);
            _isOwn = bytes >= MinBytes && GC.TryStartNoGCRegion(bytes, disallowFullBlockingGC: true);
        }
        catch (InvalidOperationException)
        {
            _isOwn = false; // one goes on
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (!_isOwn || GCSettings.LatencyMode != GCLatencyMode.NoGCRegion)
        {
            return;
        }

        try
        {
            GC.EndNoGCRegion();
        }
        catch (InvalidOperationException)
        {
            // Another thread's allocation has just ended it.
        }
    }
}
