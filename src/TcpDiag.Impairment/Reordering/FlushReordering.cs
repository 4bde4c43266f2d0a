using System.Runtime.InteropServices;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Randomness;
using TcpDiag.Impairment.Stages;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Reordering;

/// <summary>
/// Per flow, at random intervals, a burst of consecutive packets is held back and overtaken by what follows: as when a flow moves from one NIC queue to another
/// while the first still holds packets.
/// </summary>
/// <param name="MinIntervalNanos">Minimum nanoseconds from one event of a flow to its next.</param>
/// <param name="MaxIntervalNanos">Maximum nanoseconds from one event of a flow to its next.</param>
/// <param name="Packets">Packets of the burst, at least 1.</param>
/// <param name="DelayNanos">Nanoseconds the burst is held back.</param>
public sealed record FlushReordering(long MinIntervalNanos, long MaxIntervalNanos, int Packets, long DelayNanos) : ReorderSettings
{
    internal override ILinkStage CreateStage(Xoshiro256 random) => new FlushReorderingStage(this, random);
}

/// <summary>Keeps the next event of each flow in a table of fixed size; two flows that share an entry share its events.</summary>
sealed class FlushReorderingStage(FlushReordering settings, Xoshiro256 random) : ILinkStage
{
    const int FlowEntries = 1024;

    readonly FlowState[] _flows = new FlowState[FlowEntries];
    Xoshiro256 _random = random;

    public ImpairmentAction Process(ref LinkPacket packet)
    {
        ref FlowState flow = ref _flows[packet.FlowHash & (FlowEntries - 1)];
        if (!flow.Known)
        {
            flow.Known = true;
            flow.NextEvent = packet.DueAt + NextInterval();
        }
        else if (packet.DueAt >= flow.NextEvent)
        {
            flow.PacketsLeft = settings.Packets;
            flow.NextEvent = packet.DueAt + NextInterval();
        }

        if (flow.PacketsLeft == 0)
        {
            return ImpairmentAction.None;
        }

        flow.PacketsLeft--;
        packet.DueAt += settings.DelayNanos;
        return ImpairmentAction.ReorderFlush;
    }

    long NextInterval() => _random.NextBetween(settings.MinIntervalNanos, settings.MaxIntervalNanos);

    [StructLayout(LayoutKind.Auto)]
    struct FlowState
    {
        public TraceTime NextEvent;
        public int PacketsLeft;
        public bool Known;
    }
}
