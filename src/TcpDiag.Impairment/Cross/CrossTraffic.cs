using System.Collections.Generic;
using TcpDiag.Impairment.Randomness;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Cross;

/// <summary>All cross traffic of one direction of a segment: flows are looked at in turn, the one with the earliest event first.</summary>
sealed class CrossTraffic
{
    /// <summary>Bytes of every packet.</summary>
    public const int PacketBytes = 1500;

    // Flow hashes must differ in the bits a fair queue looks at; an odd multiplier spreads consecutive numbers.
    const uint HashSpread = 2_654_435_761;

    readonly ICrossSource[] _sources;
    int _earliest;

    public CrossTraffic(IReadOnlyList<CrossSettings> settings, RandomStreams streams, TraceTime start)
    {
        List<ICrossSource> sources = [];
        foreach (CrossSettings cross in settings)
        {
            switch (cross)
            {
                case ConstantCross constant:
                    sources.Add(new ConstantSource(constant, start));
                    break;
                case CrossFlows flows:
                    for (int i = 0; i < flows.Flows; i++)
                    {
                        // not all at once
                        sources.Add(new CrossFlow(flows, start + (flows.RttNanos * i / flows.Flows), streams.Open(DecisionKind.Cross, sources.Count)));
                    }

                    break;
            }
        }

        _sources = [.. sources];
        FindEarliest();
    }

    /// <summary>When one of them may send next.</summary>
    public TraceTime Next => _sources[_earliest].Next;

    /// <summary>What became of each flow, in the order of the settings.</summary>
    public IReadOnlyList<CrossReport> Reports => System.Array.ConvertAll(_sources, source => source.Report);

    /// <summary>The next packet that is sent at an instant.</summary>
    /// <returns>False when none is.</returns>
    public bool TrySend(TraceTime now, out LinkPacket packet)
    {
        packet = default;
        while (Next <= now)
        {
            int flow = _earliest + 1;
            bool sends = _sources[_earliest].TrySend(now, out long id);
            FindEarliest();
            if (sends)
            {
                packet = new LinkPacket
                {
                    CrossFlow = flow,
                    Id = id,
                    LengthBytes = PacketBytes,
                    FlowHash = unchecked((uint)flow * HashSpread) >> 10,
                    OfferedAt = now,
                    DueAt = now,
                };
                return true;
            }
        }

        return false;
    }

    /// <summary>A packet has left the link.</summary>
    public void OnDelivered(int flow, long id, int lengthBytes, TraceTime now)
    {
        _sources[flow - 1].OnDelivered(id, lengthBytes, now);
        FindEarliest();
    }

    /// <summary>A packet was dropped.</summary>
    public void OnDrop(int flow, long id) => _sources[flow - 1].OnDrop(id);

    void FindEarliest()
    {
        int earliest = 0;
        TraceTime time = _sources[0].Next;
        for (int i = 1; i < _sources.Length; i++)
        {
            if (_sources[i].Next < time)
            {
                time = _sources[i].Next;
                earliest = i;
            }
        }

        _earliest = earliest;
    }
}
