using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Impairment;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Tests;

/// <summary>
/// A link that decides nothing: the packet of a number leaves when, as often and marked as the decision log says of that number. One that is not the log's
/// (another length) is an error. For paths of one segment; what a copy was marked with there, its original was too.
/// </summary>
sealed class RecordedLink : ILink
{
    readonly Dictionary<(LinkDirection Direction, long Packet), Entry> _entries = [];
    readonly SortedDictionary<int, (TraceTime Time, LinkPacket Packet)> _underWay = [];
    readonly long[] _offered = new long[2];
    readonly IPacketBuffers _buffers;
    readonly IPacketObserver _observer;

    public RecordedLink(IReadOnlyList<ImpairmentDecision> log, IPacketBuffers buffers, IPacketObserver observer)
    {
        (_buffers, _observer) = (buffers, observer);
        for (int i = 0; i < log.Count; i++)
        {
            ImpairmentDecision decision = log[i];
            if (!_entries.TryGetValue((decision.Direction, decision.PacketId), out Entry? entry))
            {
                _entries[(decision.Direction, decision.PacketId)] = entry = new Entry(decision.LengthBytes);
            }

            entry.Take(decision, i);
        }
    }

    public TraceTime NextDue => _underWay.Count == 0 ? TraceTime.Latest : _underWay.Values.Min(one => one.Time);

    public void Offer(LinkPacket packet, TraceTime now)
    {
        packet.Id = ++_offered[(int)packet.Direction];
        _observer.OnPacket(ObservationPoint.Ingress, packet, now);
        if (!_entries.TryGetValue((packet.Direction, packet.Id), out Entry? entry))
        {
            return; // still under way when the log ended
        }

        if (entry.LengthBytes != packet.LengthBytes)
        {
            throw new InvalidOperationException($"packet {packet.Id} {packet.Direction} has {packet.LengthBytes} bytes, in the log {entry.LengthBytes}");
        }

        for (int i = 1; i < entry.Leaves.Count; i++)
        {
            _buffers.Retain(packet.Handle);
        }

        foreach ((TraceTime time, int order, PacketMarks copy) in entry.Leaves)
        {
            packet.Marks = entry.Marks | copy;
            _underWay.Add(order, (time, packet));
        }

        if (entry.Leaves.Count == 0)
        {
            _buffers.Release(packet.Handle);
        }
    }

    public bool TryTake(TraceTime now, out LinkPacket packet)
    {
        foreach ((int order, (TraceTime time, LinkPacket due)) in _underWay)
        {
            if (time <= now)
            {
                packet = due;
                _underWay.Remove(order);
                _observer.OnPacket(ObservationPoint.Egress, due, now);
                return true;
            }
        }

        packet = default;
        return false;
    }

    sealed class Entry(int length)
    {
        public int LengthBytes { get; } = length;

        public PacketMarks Marks { get; private set; }

        public List<(TraceTime Time, int Order, PacketMarks Copy)> Leaves { get; } = [];

        public void Take(in ImpairmentDecision decision, int order)
        {
            Marks |= decision.Action switch
            {
                ImpairmentAction.MarkEcn => PacketMarks.CongestionExperienced,
                ImpairmentAction.Corrupt => PacketMarks.Corrupt,
                _ => PacketMarks.None,
            };
            if (decision.Action is ImpairmentAction.Forward or ImpairmentAction.ForwardCopy)
            {
                Leaves.Add((decision.Time, order, decision.Action == ImpairmentAction.ForwardCopy ? PacketMarks.Copy : PacketMarks.None));
            }
        }
    }
}
