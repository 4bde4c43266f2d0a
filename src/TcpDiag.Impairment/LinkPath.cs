using System.Collections.Generic;
using TcpDiag.Impairment.Cross;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Randomness;
using TcpDiag.Wire;

namespace TcpDiag.Impairment;

/// <summary>
/// One direction of the path: one segment, or two with the observation point between them. A packet moves from the first to the second at the instant it was
/// due, however late the caller asks, so a late caller does not delay it twice.
/// </summary>
sealed class LinkPath
{
    readonly DecisionRecorder _recorder;
    readonly LinkSegment? _before;
    readonly LinkSegment _last;
    long _offered;
    TraceTime _latest = new(long.MinValue);

    public LinkPath(EmulatorSettings settings, LinkDirection direction, TraceTime start, DecisionRecorder recorder)
    {
        PathSettings path = direction == LinkDirection.Out ? settings.Out : settings.In;
        _recorder = recorder;
        _before = path.Behind is null ? null : NewSegment(0, path.Before);
        _last = path.Behind is null ? NewSegment(0, path.Before) : NewSegment(1, path.Behind);

        LinkSegment NewSegment(int number, LinkSettings link)
        {
            RandomStreams streams = new(settings.Seed, direction, number);
            return new LinkSegment(number, new SegmentBuilder(link, streams, settings.RttNanos, start).Build(), settings.CapacityPackets, recorder);
        }
    }

    public DecisionCounts Counts => _recorder.Counts;

    /// <summary>When something happens next: a packet leaves, or moves on to the second segment.</summary>
    public TraceTime NextDue => _before is not null && _before.NextDue < _last.NextDue ? _before.NextDue : _last.NextDue;

    /// <summary>What became of the cross traffic, segment by segment.</summary>
    public IReadOnlyList<CrossReport> CrossReports => [.. _before?.CrossReports ?? [], .. _last.CrossReports];

    public void Offer(ref LinkPacket packet, TraceTime now)
    {
        // A clock that steps back would break the order every stage relies on.
        _latest = now > _latest ? now : _latest;
        packet.Id = ++_offered;
        packet.OfferedAt = _latest;
        packet.DueAt = _latest;
        packet.Marks = PacketMarks.None;
        Counts.Offered++;
        _recorder.Observe(ObservationPoint.Ingress, in packet, now);
        MoveOn(_latest);
        (_before ?? _last).Offer(ref packet);
    }

    public bool TryTake(TraceTime now, out LinkPacket packet)
    {
        MoveOn(now);
        if (!_last.HasDeparture(now))
        {
            packet = default;
            return false;
        }

        _last.Take(out packet);
        if (_before is null)
        {
            // Nothing lies behind the observation point.
            _recorder.Observe(ObservationPoint.Between, in packet, packet.DueAt);
        }

        _recorder.Forward(in packet, _before is null ? 0 : 1, now);
        return true;
    }

    void MoveOn(TraceTime now)
    {
        while (_before is not null && _before.NextDue <= now)
        {
            MoveFirst(_before, now);
        }

        _before?.AdvanceTo(now);
        _last.AdvanceTo(now);
    }

    // Step by step, so that the second segment sees packets in the order of their instants.
    void MoveFirst(LinkSegment before, TraceTime now)
    {
        TraceTime due = before.NextDue < now ? before.NextDue : now;
        before.AdvanceTo(due);
        while (before.HasDeparture(due))
        {
            before.Take(out LinkPacket packet);
            _recorder.Observe(ObservationPoint.Between, in packet, packet.DueAt);
            _last.Offer(ref packet);
        }
    }
}

/// <summary>Counts every decision of one direction, and passes it on to the sink, the packet buffers and the observer.</summary>
sealed class DecisionRecorder(IDecisionSink? sink, IPacketBuffers? buffers, IPacketObserver? observer)
{
    public DecisionCounts Counts { get; } = new();

    /// <summary>Records a decision about a packet at its DueAt; a drop releases its buffer.</summary>
    public void Decide(ImpairmentAction action, in LinkPacket packet, int segment)
    {
        Write(action, in packet, segment, packet.DueAt, 0);
        if (action.IsDrop())
        {
            buffers?.Release(packet.Handle);
        }
    }

    public void Duplicate(in LinkPacket packet) => buffers?.Retain(packet.Handle);

    public void Forward(in LinkPacket packet, int segment, TraceTime now)
    {
        ImpairmentAction action = (packet.Marks & PacketMarks.Copy) != PacketMarks.None ? ImpairmentAction.ForwardCopy : ImpairmentAction.Forward;
        Write(action, in packet, segment, now, now - packet.DueAt);
        observer?.OnPacket(ObservationPoint.Egress, in packet, now);
    }

    public void Observe(ObservationPoint point, in LinkPacket packet, TraceTime time) => observer?.OnPacket(point, in packet, time);

    void Write(ImpairmentAction action, in LinkPacket packet, int segment, TraceTime time, long errorNanos)
    {
        Counts.Count(action);
        sink?.Record(new ImpairmentDecision(
            time, packet.Id, packet.FlowHash, packet.LengthBytes, packet.Direction, segment, action, packet.DueAt - packet.OfferedAt, errorNanos));
    }
}
