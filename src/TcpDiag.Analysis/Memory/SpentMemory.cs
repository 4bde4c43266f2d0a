using System;
using System.Threading;

namespace TcpDiag.Analysis.Memory;

/// <summary>The memory of analyses that are over.</summary>
public static class SpentMemory
{
    const int Worthwhile = 1 << 12; // connections, of some 3.5 kB each: to collect it takes as long as to analyse a small trace
    const int OfAnalysis = 1 << 6; // as many connections as what an analysis of none takes

    static int _connections;

    /// <summary>
    /// Gives it back to the system, before as much is taken again: left alone, the garbage collector would let both be. Most of what an analysis takes is
    /// memory of the system, freed when the collector finds that nobody knows the analysis any more. It waits until there is enough of it.
    /// </summary>
    /// <param name="connections">How many connections the analysis had that is over now.</param>
    public static void GiveBack(int connections)
    {
        if (Interlocked.Add(ref _connections, Math.Min(connections, Worthwhile) + OfAnalysis) < Worthwhile)
        {
            return;
        }

        Volatile.Write(ref _connections, 0);
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
    }
}
