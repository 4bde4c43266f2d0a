using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Randomness;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Stages;

/// <summary>A medium that takes packets at certain instants only, as netem's slots have it: what arrives in between waits for the next one.</summary>
/// <param name="MinNanos">The least time from one slot to the next, ns, at least 1000.</param>
/// <param name="MaxNanos">The longest, ns; uniform between them.</param>
/// <param name="Packets">So many packets go with a slot at most; 0 for any number.</param>
public sealed record SlotSettings(long MinNanos, long MaxNanos, int Packets = 0);

sealed class SlotStage(SlotSettings settings, Xoshiro256 random, TraceTime start) : ILinkStage
{
    Xoshiro256 _random = random;
    TraceTime _slot = start;
    int _taken;

    public ImpairmentAction Process(ref LinkPacket packet)
    {
        while (_slot < packet.DueAt || (settings.Packets > 0 && _taken >= settings.Packets))
        {
            Skip(packet.DueAt);
            _slot += settings.MinNanos == settings.MaxNanos ? settings.MinNanos : _random.NextBetween(settings.MinNanos, settings.MaxNanos);
            _taken = 0;
        }

        _taken++;
        packet.PropagationNanos += _slot - packet.DueAt;
        packet.DueAt = _slot;
        return ImpairmentAction.None;
    }

    // Slots that nothing waited for need not be drawn one by one: those of a fixed distance stay on their grid, others begin anew.
    void Skip(TraceTime now)
    {
        long missed = (now - _slot) / settings.MaxNanos;
        _slot += missed > 1 ? (missed - 1) * settings.MaxNanos : 0;
    }
}

/// <summary>
/// A sender that collects packets and sends them together, as Wi-Fi, cable modems and network cards do (ACK aggregation, interrupt coalescing): the first waits
/// for a fixed time, and what arrives meanwhile goes with it.
/// </summary>
/// <param name="WaitNanos">How long the first packet of a batch waits, ns.</param>
/// <param name="Packets">The most packets of a batch; 0 for any number. One more opens the next batch, which leaves after it.</param>
public sealed record AggregationSettings(long WaitNanos, int Packets = 0);

sealed class AggregationStage(AggregationSettings settings) : ILinkStage
{
    TraceTime _leaves = TraceTime.Earliest;
    int _taken;

    public ImpairmentAction Process(ref LinkPacket packet)
    {
        if (packet.DueAt > _leaves || (settings.Packets > 0 && _taken >= settings.Packets))
        {
            TraceTime leaves = packet.DueAt + settings.WaitNanos;
            _leaves = leaves > _leaves ? leaves : _leaves;
            _taken = 0;
        }

        _taken++;
        packet.PropagationNanos += _leaves - packet.DueAt;
        packet.DueAt = _leaves;
        return ImpairmentAction.None;
    }
}
