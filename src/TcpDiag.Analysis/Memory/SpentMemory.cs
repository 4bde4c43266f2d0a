using System;

namespace TcpDiag.Analysis.Memory;

/// <summary>The memory of analyses that are over.</summary>
public static class SpentMemory
{
    /// <summary>
    /// Gives it back to the system, before as much is taken again: left alone, the garbage collector would let both be. Most of what an analysis takes is
    /// memory of the system, freed when the collector finds that nobody knows the analysis any more.
    /// </summary>
    public static void GiveBack()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
    }
}
