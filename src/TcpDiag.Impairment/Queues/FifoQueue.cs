using TcpDiag.Impairment.Decisions;
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
