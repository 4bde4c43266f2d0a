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

/// <summary>Drops what does not fit.</summary>
static class TailDrop
{
    /// <summary>Whether a packet fits; one that does not is dropped.</summary>
    /// <param name="limit">What the queue holds.</param>
    /// <param name="packet">The packet.</param>
    /// <param name="packets">Packets that wait.</param>
    /// <param name="bytes">Their bytes.</param>
    /// <param name="events">Told of the drop.</param>
    /// <param name="now">When it comes.</param>
    public static bool Admits(this QueueLimit limit, ref LinkPacket packet, int packets, long bytes, IQueueEvents events, TraceTime now)
    {
        if (limit.Fits(packets, bytes, packet.LengthBytes))
        {
            return true;
        }

        events.OnDrop(ref packet, ImpairmentAction.DropQueue, now);
        return false;
    }
}
