using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Stages;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Queues;

/// <summary>
/// Packets that wait for a link whose order, or whose drops, depend on packets that have not come yet: they are decided when the link takes one.
/// A packet's DueAt is when it came.
/// </summary>
interface IQueueDiscipline
{
    /// <summary>Packets that wait.</summary>
    int Packets { get; }

    /// <summary>A packet comes; it, or others in its place, may be dropped.</summary>
    void Enqueue(ref LinkPacket packet, TraceTime now);

    /// <summary>The link takes a packet; others may be dropped before.</summary>
    /// <returns>False when none is left.</returns>
    bool TryDequeue(TraceTime now, out LinkPacket packet);
}

/// <summary>Hears what a queue does to packets besides letting them go.</summary>
interface IQueueEvents
{
    /// <summary>A packet is dropped.</summary>
    void OnDrop(ref LinkPacket packet, ImpairmentAction reason, TraceTime now);

    /// <summary>A packet was marked CE.</summary>
    void OnMark(ref LinkPacket packet, TraceTime now);
}

/// <summary>Marks packets in place of dropping them, where that is allowed.</summary>
static class EcnMarking
{
    /// <summary>Marks a packet that is ECN-capable; one marked before stays so and counts.</summary>
    /// <returns>Whether it carries the mark now.</returns>
    public static bool TryMark(ref LinkPacket packet, IQueueEvents events, TraceTime now)
    {
        if (packet.Ecn == EcnCodepoint.NotEct)
        {
            return false;
        }

        if (packet.Ecn != EcnCodepoint.Ce && (packet.Marks & PacketMarks.CongestionExperienced) == 0)
        {
            packet.Marks |= PacketMarks.CongestionExperienced;
            events.OnMark(ref packet, now);
        }

        return true;
    }
}

/// <summary>
/// First in, first out with tail drop, for links whose backlog cannot be computed ahead because cross traffic answers to it.
/// It decides as <see cref="BottleneckStage"/> does: the packet being transmitted does not count, and one that need not wait is not dropped.
/// </summary>
sealed class FifoQueue(QueueLimit limit, IQueueEvents events) : IQueueDiscipline
{
    readonly PacketQueue _queue = new();

    /// <inheritdoc/>
    public int Packets => _queue.Packets;

    /// <inheritdoc/>
    public void Enqueue(ref LinkPacket packet, TraceTime now)
    {
        if (limit.Fits(_queue.Packets, _queue.Bytes, packet.LengthBytes))
        {
            _queue.Add(in packet);
        }
        else
        {
            events.OnDrop(ref packet, ImpairmentAction.DropQueue, now);
        }
    }

    /// <inheritdoc/>
    public bool TryDequeue(TraceTime now, out LinkPacket packet) => _queue.TryTake(out packet);
}

/// <summary>Packets first in, first out, and how much they are.</summary>
sealed class PacketQueue
{
    const int InitialCapacity = 16;

    readonly Ring<LinkPacket> _ring = new(InitialCapacity);

    public int Packets => _ring.Count;

    public long Bytes { get; private set; }

    public void Add(in LinkPacket packet)
    {
        _ring.Add(in packet);
        Bytes += packet.LengthBytes;
    }

    /// <summary>Takes the oldest packet.</summary>
    /// <returns>False when there is none.</returns>
    public bool TryTake(out LinkPacket packet)
    {
        packet = default;
        if (Packets == 0)
        {
            return false;
        }

        packet = _ring.First;
        _ring.RemoveFirst();
        Bytes -= packet.LengthBytes;
        return true;
    }
}
