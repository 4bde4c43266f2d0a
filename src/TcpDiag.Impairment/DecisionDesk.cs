using TcpDiag.Impairment.Decisions;
using TcpDiag.Wire;

namespace TcpDiag.Impairment;

/// <summary>Where every decision of one direction is counted and passed on to whoever asked to be told.</summary>
sealed class DecisionDesk(IDecisionSink? sink, IPacketHolder? holder, IPacketObserver? observer)
{
    public DecisionTally Tally { get; } = new();

    /// <summary>Something was decided about a packet that stays, or was dropped, at its DueAt.</summary>
    public void Decide(ImpairmentAction action, in LinkPacket packet, int segment)
    {
        Write(action, in packet, segment, packet.DueAt, 0);
        if (action.IsDrop())
        {
            holder?.Release(packet.Handle);
        }
    }

    /// <summary>A copy of the packet was made.</summary>
    public void Duplicate(in LinkPacket packet) => holder?.Retain(packet.Handle);

    /// <summary>The packet leaves.</summary>
    public void Forward(in LinkPacket packet, int segment, TraceTime now)
    {
        ImpairmentAction action = (packet.Marks & PacketMarks.Copy) != PacketMarks.None ? ImpairmentAction.ForwardCopy : ImpairmentAction.Forward;
        Write(action, in packet, segment, now, now - packet.DueAt);
        observer?.OnPacket(ObservationPoint.Egress, in packet, now);
    }

    /// <summary>The packet passes an observation point.</summary>
    public void Observe(ObservationPoint point, in LinkPacket packet, TraceTime time) => observer?.OnPacket(point, in packet, time);

    void Write(ImpairmentAction action, in LinkPacket packet, int segment, TraceTime time, long errorNs)
    {
        Tally.Count(action);
        sink?.Record(new ImpairmentDecision(
            time, packet.Id, packet.FlowHash, packet.LengthBytes, packet.Direction, segment, action, packet.DueAt - packet.OfferedAt, errorNs));
    }
}
