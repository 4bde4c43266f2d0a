using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Queueing;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Stages;

/// <summary>
/// A queue with tail drop in front of a link of limited rate, marking ECN-capable packets that find the queue deep (a step threshold, as RFC 8257 §3.1 has it).
/// A packet counts as queued until its transmission begins; one that needs not wait is never dropped.
/// </summary>
sealed class BottleneckStage(TokenBucket link, QueueLimit limit, QueueLimit markAt) : ILinkStage
{
    readonly Backlog _backlog = new();

    public ImpairmentAction Process(ref LinkPacket packet)
    {
        TraceTime now = packet.DueAt;
        _backlog.Advance(now);
        TraceTime start = link.NextStart(now);
        ImpairmentAction action = ImpairmentAction.None;
        if (start > now)
        {
            if (!_backlog.Fits(packet.LengthBytes, limit))
            {
                return ImpairmentAction.DropQueue;
            }

            action = Mark(ref packet);
            _backlog.Add(start, packet.LengthBytes);
        }

        packet.DueAt = link.Take(now, packet.LengthBytes);
        return action;
    }

    ImpairmentAction Mark(ref LinkPacket packet)
    {
        bool capable = packet.Ecn is EcnCodepoint.Ect0 or EcnCodepoint.Ect1;
        if (!capable || !_backlog.Reaches(markAt))
        {
            return ImpairmentAction.None;
        }

        packet.Marks |= PacketMarks.CongestionExperienced;
        return ImpairmentAction.MarkEcn;
    }
}
