using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Impairment.Randomness;
using TcpDiag.Tcp.Congestion;
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

/// <summary>Other traffic through the queue of a segment. It is not seen by anyone; what it does is take part of the rate and of the queue.</summary>
/// <param name="StartNanos">When it begins, ns from the start of the run.</param>
/// <param name="LengthNanos">How long it goes on, ns; the longest number for ever.</param>
public abstract record CrossSettings(long StartNanos, long LengthNanos);

/// <summary>TCP flows that send as much as they may.</summary>
/// <param name="Algorithm">Their congestion control.</param>
/// <param name="Flows">How many, 1 … 64.</param>
/// <param name="RttNanos">Their round-trip time without the queue, ns, at least 1.</param>
/// <param name="StartNanos">When they begin, ns from the start of the run.</param>
/// <param name="LengthNanos">How long they go on, ns.</param>
public sealed record CrossFlows(CongestionAlgorithm Algorithm, int Flows, long RttNanos, long StartNanos = 0, long LengthNanos = long.MaxValue)
    : CrossSettings(StartNanos, LengthNanos);

/// <summary>Packets of 1500 bytes at a constant rate, whatever becomes of them.</summary>
/// <param name="RateBitsPerSecond">The rate, at least 1 bit/s.</param>
/// <param name="StartNanos">When they begin, ns from the start of the run.</param>
/// <param name="LengthNanos">How long they go on, ns.</param>
public sealed record ConstantCross(long RateBitsPerSecond, long StartNanos = 0, long LengthNanos = long.MaxValue) : CrossSettings(StartNanos, LengthNanos);

/// <summary>What became of one flow of cross traffic.</summary>
/// <param name="Name">What it is: <c>cubic</c>, <c>reno</c> or <c>cbr</c>.</param>
/// <param name="DeliveredBytes">Bytes of its packets that left the link.</param>
/// <param name="DroppedPackets">Packets of it that were dropped.</param>
public readonly record struct CrossReport(string Name, long DeliveredBytes, long DroppedPackets)
{
    const double BitsPerByte = 8;
    const double NanosPerMicrosecond = 1000;

    /// <summary>Says what became of the flows of one direction.</summary>
    /// <param name="direction">The direction.</param>
    /// <param name="reports">The flows, at least one.</param>
    /// <param name="elapsedNanos">How long the run has lasted, ns.</param>
    /// <returns>A sentence.</returns>
    public static string Describe(LinkDirection direction, IReadOnlyList<CrossReport> reports, long elapsedNanos)
    {
        double microseconds = Math.Max(1, elapsedNanos / NanosPerMicrosecond);
        IEnumerable<string> rates = reports.Select(
            report => string.Create(CultureInfo.InvariantCulture, $"{report.Name} {report.DeliveredBytes * BitsPerByte / microseconds:0.00} Mbit/s"));
        string way = direction == LinkDirection.Out ? "out" : "in";
        long dropped = reports.Sum(report => report.DroppedPackets);
        return string.Create(CultureInfo.InvariantCulture, $"Cross traffic {way}: {string.Join(", ", rates)}; {dropped} of its packets dropped.");
    }
}

/// <summary>One flow of cross traffic.</summary>
interface ICrossSource
{
    /// <summary>What became of it.</summary>
    CrossReport Report { get; }

    /// <summary>When it may send next; the end of time for never.</summary>
    TraceTime Next { get; }

    /// <summary>Sends the next packet, if it may at this instant.</summary>
    /// <returns>False when it may not; <see cref="Next"/> is then later.</returns>
    bool TrySend(TraceTime now, out long id);

    /// <summary>A packet of it has left the link.</summary>
    void OnDelivered(long id, int lengthBytes, TraceTime now);

    /// <summary>A packet of it was dropped.</summary>
    void OnDrop(long id);
}
