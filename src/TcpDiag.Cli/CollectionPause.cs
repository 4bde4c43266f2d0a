using System;
using System.Runtime;

namespace TcpDiag.Cli;

/// <summary>
/// Puts the garbage collector off while results are made. What is allocated then stays: a collection would find nothing, and go through everything that is
/// known of a hundred thousand connections to see that.
/// </summary>
sealed class CollectionPause : IDisposable
{
    // The results of 200,000 connections; what is not used takes no memory. Where more is allocated the pause is over, and it is collected as usual.
    const long MaxBytes = 1L << 29;
    const int MemoryParts = 8; // never more than this part of the memory that there is

    bool _isOwn;

    /// <summary>Begins; nothing happens where another pause goes on already.</summary>
    public void Begin()
    {
        try
        {
            long bytes = Math.Min(MaxBytes, GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / MemoryParts);
            _isOwn = bytes > 0 && GC.TryStartNoGCRegion(bytes, disallowFullBlockingGC: true);
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
