using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Stages;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Queues;

/// <summary>One CoDel queue in front of a link, with tail drop when it is full.</summary>
sealed class CodelDiscipline(CodelSettings settings, QueueLimit limit, IQueueEvents events) : IQueueDiscipline
{
    readonly CodelQueue _queue = new(new CodelParameters(settings.TargetNanos, settings.IntervalNanos, settings.MarksEcn), events);

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
    public bool TryDequeue(TraceTime now, out LinkPacket packet) => _queue.TryDequeue(now, out packet);
}
