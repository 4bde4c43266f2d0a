using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Randomness;
using TcpDiag.Wire;

namespace TcpDiag.Impairment;

/// <summary>
/// One direction of the path: one segment, or two with the observation point between them. A packet moves from the first to the second at the instant it was
/// due, however late the caller asks, so lateness does not add up.
/// </summary>
sealed class LinkPath
{
    readonly DecisionDesk _desk;
    readonly LinkSegment? _before;
    readonly LinkSegment _last;
    long _offered;
    TraceTime _latest = new(long.MinValue);

    public LinkPath(EmulatorSettings settings, LinkDirection direction, TraceTime start, DecisionDesk desk)
    {
        PathSettings path = direction == LinkDirection.Out ? settings.Out : settings.In;
        _desk = desk;
        _before = path.Behind is null ? null : NewSegment(0, path.Before);
        _last = path.Behind is null ? NewSegment(0, path.Before) : NewSegment(1, path.Behind);

        LinkSegment NewSegment(int number, LinkSettings link)
        {
            RandomStreams streams = new(settings.Seed, direction, number);
            return new LinkSegment(number, LinkSegmentBuilder.Build(link, streams, settings.RttNs, start), settings.CapacityPackets, desk);
        }
    }

    public DecisionTally Tally => _desk.Tally;

    /// <summary>When something happens next: a packet leaves, or moves on to the second segment.</summary>
    public TraceTime NextDue => _before is not null && _before.NextDue < _last.NextDue ? _before.NextDue : _last.NextDue;

    public void Offer(ref LinkPacket packet, TraceTime now)
    {
        // A clock that steps back would break the order every stage relies on.
        _latest = now > _latest ? now : _latest;
        packet.Id = ++_offered;
        packet.OfferedAt = _latest;
        packet.DueAt = _latest;
        packet.Marks = PacketMarks.None;
        Tally.Offered++;
        _desk.Observe(ObservationPoint.Ingress, in packet, now);
        MoveOn(_latest);
        (_before ?? _last).Offer(ref packet);
    }

    public bool TryTake(TraceTime now, out LinkPacket packet)
    {
        MoveOn(now);
        if (_last.NextDue > now)
        {
            packet = default;
            return false;
        }

        _last.Take(out packet);
        if (_before is null)
        {
            // Nothing lies behind the observation point.
            _desk.Observe(ObservationPoint.Between, in packet, packet.DueAt);
        }

        _desk.Forward(in packet, _before is null ? 0 : 1, now);
        return true;
    }

    void MoveOn(TraceTime now)
    {
        while (_before is not null && _before.NextDue <= now)
        {
            _before.Take(out LinkPacket packet);
            _desk.Observe(ObservationPoint.Between, in packet, packet.DueAt);
            _last.Offer(ref packet);
        }
    }
}
