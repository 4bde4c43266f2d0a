using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Wire;

namespace TcpDiag.Peers;

/// <summary>What one end has sent so far. Plain lists: captures compared with other programs are short, and this has to be easy to believe.</summary>
sealed class DirectionHistory
{
    const int IpIdWindow = 1000;
    const int Recent = 64; // packets: so soon after there was much in flight, only a part of it may still be followed

    readonly List<Sent> _sent = [];
    SequenceNumber? _origin;
    long _una;
    long _highest;
    long _repairEnd = -1;
    int _duplicates;
    SequenceNumber? _lastAck;
    int _lastWindow = -1;

    /// <summary>The first number seen; null before.</summary>
    public SequenceNumber? Origin => _origin;

    /// <summary>Whether data sent is not acknowledged.</summary>
    public bool HasOutstanding => _highest > _una;

    /// <summary>Takes in a packet this end sent.</summary>
    public PacketFacts OnSent(PacketFacts facts, in ParsedPacket packet)
    {
        long start = Position(packet.Sequence);
        long end = start + packet.SequenceLength;
        int seen = SeenIn(start, end);
        Sent? overtaker = _sent.Where(one => one.Start >= end && one.End > end).MinBy(one => one.Number);
        PacketFacts result = facts with
        {
            SeenBefore = seen,
            IsBelowHighest = packet.SequenceLength > 0 && start < _highest,
            IsSentLater = overtaker is null ? null : IsLater(packet, overtaker),
            IsInSequence = start == _highest,
            ChangesWindow = _lastWindow != packet.Window,
            RepeatsAck = _lastAck == packet.Acknowledgment,
            HasSack = packet.Options.SackBlocks > 0,
        };
        if (end > start)
        {
            _repairEnd = start < _highest ? Math.Max(_highest, end) : _repairEnd;
            _sent.Add(new(facts.Number, start, end, packet.PayloadLength, packet.Options.TsVal, (ushort)packet.IpId, _sent.Count(one => one.End > _una)));
            _highest = Math.Max(_highest, end);
        }

        (_lastAck, _lastWindow) = (packet.Acknowledgment, packet.Window);
        return result;
    }

    /// <summary>Takes in an acknowledgment of the other end.</summary>
    public PacketFacts OnAcknowledged(PacketFacts facts, in ParsedPacket packet)
    {
        bool hasOutstanding = HasOutstanding;
        long ack = Position(packet.Acknowledgment);
        _duplicates += ack == _una && hasOutstanding && packet.SequenceLength == 0 ? 1 : 0;
        if (ack <= _una)
        {
            return facts with { HasOutstanding = hasOutstanding };
        }

        Sent[] covered = [.. _sent.Where(one => one.Start < ack && one.End > _una)];
        Sent? last = covered.MaxBy(one => one.End);
        AcknowledgedData? data = last is null ? null : new(
            last.Payload == 0,
            last.End == ack,
            covered.GroupBy(one => one.Start).Any(same => same.Count() > 1),
            _repairEnd > _una || _duplicates > 0,
            _sent.Skip(_sent.Count(one => one.Number <= last.Number) - Recent).Max(one => one.Ahead));
        (_una, _duplicates) = (ack, 0);
        return facts with { HasOutstanding = hasOutstanding, Acknowledges = data };
    }

    static bool? IsLater(in ParsedPacket packet, Sent overtaker)
    {
        int time = unchecked((int)(packet.Options.TsVal - overtaker.TsVal));
        int segment = (short)((ushort)packet.IpId - overtaker.IpId);
        return packet.Options.TsVal != 0 && overtaker.TsVal != 0 && time != 0 ? time > 0
            : packet.IpId != 0 && segment != 0 && Math.Abs(segment) < IpIdWindow ? segment > 0
            : null;
    }

    long Position(SequenceNumber number)
    {
        _origin ??= number;
        long near = _highest;
        return near + (number - (_origin.Value + unchecked((int)near)));
    }

    int SeenIn(long start, long end)
    {
        long seen = 0;
        long at = start;
        foreach (Sent one in _sent.Where(one => one.End > start && one.Start < end).OrderBy(one => one.Start))
        {
            long from = Math.Max(one.Start, at);
            long to = Math.Min(one.End, end);
            seen += Math.Max(to - from, 0);
            at = Math.Max(at, to);
        }

        return (int)seen;
    }

    sealed record Sent(long Number, long Start, long End, int Payload, uint TsVal, ushort IpId, int Ahead);
}
