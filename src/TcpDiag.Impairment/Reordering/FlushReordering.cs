using TcpDiag.Impairment.Randomness;
using TcpDiag.Impairment.Stages;

namespace TcpDiag.Impairment.Reordering;

/// <summary>Per flow, at random intervals, a burst of consecutive packets is held back and overtaken by what follows: a flow moved from one NIC queue to another while the first still held packets.</summary>
/// <param name="MinIntervalNs">Least nanoseconds from one event of a flow to its next.</param>
/// <param name="MaxIntervalNs">Most nanoseconds from one event of a flow to its next, not below the least.</param>
/// <param name="Packets">Packets of the burst, at least 1.</param>
/// <param name="DelayNs">Nanoseconds the burst is held back.</param>
public sealed record FlushReordering(long MinIntervalNs, long MaxIntervalNs, int Packets, long DelayNs) : ReorderSettings
{
    internal override ILinkStage CreateStage(Xoshiro256 random) => new FlushReorderingStage(this, random);
}
