using TcpDiag.Impairment.Stages;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Queues;

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
        if (limit.Admits(ref packet, _queue.Packets, _queue.Bytes, events, now))
        {
            _queue.Add(in packet);
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
