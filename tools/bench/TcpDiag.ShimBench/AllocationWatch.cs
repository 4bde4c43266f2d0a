using System;
using TcpDiag.Shim;

namespace TcpDiag.ShimBench;

/// <summary>Follows what a run allocates, by its progress reports.</summary>
sealed class AllocationWatch
{
    // Until then buffers grow to what the run needs.
    const long WarmUpNs = 5_000_000_000;

    long _firstBytes;
    long _firstPackets;

    /// <summary>Bytes between the first report behind the warm-up and the last one.</summary>
    public long Bytes { get; private set; }

    /// <summary>Packets in that time.</summary>
    public long Packets { get; private set; }

    /// <summary>Takes a report.</summary>
    public void See(ShimFigures figures)
    {
        long now = GC.GetTotalAllocatedBytes();
        if (figures.ElapsedNs < WarmUpNs)
        {
            return;
        }

        if (_firstBytes == 0)
        {
            (_firstBytes, _firstPackets) = (now, figures.Offered);
        }

        Bytes = now - _firstBytes;
        Packets = figures.Offered - _firstPackets;
    }
}
