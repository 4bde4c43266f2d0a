using System;
using System.Threading;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Memory;

namespace TcpDiag.Store.Rows;

/// <summary>
/// The memory that analyses may take in this process: those of many connections wait for each other, and one of very many is done in parts. A connection takes
/// some 3.5 kB while it is open. One for each worker, which may read several recordings before they are added.
/// </summary>
/// <param name="maxConnections">Connections that are analysed at once, at most.</param>
/// <param name="maxOfPart">Connections of a part, at most: less, as something is kept of those of the other parts, too.</param>
sealed class AnalysisRoom(int maxConnections = 100_000, int maxOfPart = 1 << 16) : IDisposable
{
    const int MaxBesideOthers = 1 << 12; // connections that every worker may have while another has a large recording

    static readonly SemaphoreSlim Large = new(1, 1);

    int _read;

    /// <summary>Whether it has as many connections that no other may.</summary>
    public bool IsLarge { get; private set; }

    /// <summary>What an analysis may take; it waits for those of others where that is much.</summary>
    public ConnectionLimit Whole(CancellationToken cancellation) => new(maxConnections, count => Enter(count, cancellation));

    /// <summary>What an analysis in parts may take.</summary>
    public ConnectionLimit Part => new(maxOfPart);

    /// <summary>A recording was read, whose results are kept until they are added.</summary>
    /// <param name="connections">Its connections.</param>
    public void Keep(int connections)
    {
        _read += connections;
        if (IsLarge)
        {
            SpentMemory.GiveBack(connections); // to make rows takes memory, too
        }
    }

    /// <summary>All were added, and are forgotten.</summary>
    public void Empty()
    {
        if (IsLarge)
        {
            SpentMemory.GiveBack(_read);
            IsLarge = false;
            Large.Release();
        }

        _read = 0;
    }

    /// <inheritdoc/>
    public void Dispose() => Empty();

    void Enter(int count, CancellationToken cancellation)
    {
        if (!IsLarge && _read + count >= MaxBesideOthers)
        {
            Large.Wait(cancellation);
            IsLarge = true;
        }
    }
}
