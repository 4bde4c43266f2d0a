using System;
using TcpDiag.Wire;

namespace TcpDiag.Tcp.Loss;

/// <summary>
/// RACK's time-based loss detection (RFC 8985 §6.2): a segment is lost when one sent after it has arrived and a round trip plus the reordering window
/// has passed. On each acknowledgment the caller feeds min_RTT (<see cref="Timing.MinRttFilter"/>, step 1), then <see cref="OnAckReceived"/> with the
/// segments newly delivered (steps 2 and 3), adapts the window (<see cref="ReorderingWindow"/>, step 4) and asks which segments are lost
/// (<see cref="DetectLosses"/>, step 5). Timers and the scoreboard stay with the caller. The default value is a connection's start.
/// </summary>
public struct RackState
{
    bool _hasFack;

    /// <summary>Whether RACK could use any segment delivered so far; before that nothing can be lost.</summary>
    public bool HasNewest { get; private set; }

    /// <summary>RACK.xmit_ts: when the newest delivered segment was sent.</summary>
    public TraceTime XmitTime { get; private set; }

    /// <summary>RACK.end_seq: its end, which breaks the tie between segments sent at the same time.</summary>
    public SequenceNumber EndSeq { get; private set; }

    /// <summary>RACK.rtt in ns: the round-trip time of the segment sent last among those that the last useful acknowledgment delivered.</summary>
    public long RttNanos { get; private set; }

    /// <summary>RACK.fack: the highest sequence number acknowledged or SACKed so far.</summary>
    public SequenceNumber Fack { get; private set; }

    /// <summary>RACK.reordering_seen: once true, true for the connection.</summary>
    public bool ReorderingSeen { get; private set; }

    /// <summary>RACK_sent_after (§6.2 step 2): later sending time, or the same and a higher end.</summary>
    /// <param name="time1">Sending time of the first segment.</param>
    /// <param name="end1">Its end.</param>
    /// <param name="time2">Sending time of the second.</param>
    /// <param name="end2">Its end.</param>
    /// <returns>True when the first was sent after the second.</returns>
    public static bool WasSentAfter(TraceTime time1, SequenceNumber end1, TraceTime time2, SequenceNumber end2) =>
        time1 > time2 || (time1 == time2 && end1 > end2);

    /// <summary>Steps 2 and 3: an acknowledgment newly delivered segments, cumulatively or by SACK.</summary>
    /// <param name="delivered">The segments, in ascending order of their ends.</param>
    /// <param name="now">When the acknowledgment arrived.</param>
    /// <param name="minRttNanos">min_RTT in ns, this acknowledgment's sample included.</param>
    /// <param name="echoedTsval">TSecr of the acknowledgment, null without timestamps.</param>
    /// <returns>Whether any of them gave RACK.rtt.</returns>
    public bool OnAckReceived(ReadOnlySpan<RackSegment> delivered, TraceTime now, long minRttNanos, uint? echoedTsval)
    {
        bool isUseful = UpdateNewest(delivered, now, minRttNanos, echoedTsval);
        foreach (ref readonly RackSegment segment in delivered)
        {
            DetectReordering(segment);
        }

        return isUseful;
    }

    /// <summary>Reordering was seen otherwise than by step 3: a stack may know it also of segments that it has sent again.</summary>
    public void OnReorderingSeen() => ReorderingSeen = true;

    /// <summary>When a segment that has not been acknowledged counts as lost: its sending + RACK.rtt + reo_wnd (step 5).</summary>
    /// <param name="segment">The segment.</param>
    /// <param name="reoWndNanos">RACK.reo_wnd in ns.</param>
    /// <returns>The instant; null while no segment sent after it was delivered.</returns>
    public readonly TraceTime? LossTime(in RackSegment segment, long reoWndNanos)
    {
        bool wasOvertaken = HasNewest && WasSentAfter(XmitTime, EndSeq, segment.XmitTime, segment.EndSeq);
        return wasOvertaken ? segment.XmitTime + RttNanos + reoWndNanos : null;
    }

    /// <summary>Step 5: marks the segments that are lost by now. Repeated when the reordering timer fires.</summary>
    /// <param name="outstanding">Segments neither acknowledged nor SACKed, in any order.</param>
    /// <param name="now">The time of the acknowledgment or of the timer.</param>
    /// <param name="reoWndNanos">RACK.reo_wnd in ns.</param>
    /// <returns>ns after which to look again: the longest time left to a segment that was overtaken; 0 when there is none.</returns>
    public readonly long DetectLosses(Span<RackSegment> outstanding, TraceTime now, long reoWndNanos)
    {
        long timeout = 0;
        foreach (ref RackSegment segment in outstanding)
        {
            if (!segment.IsLost && LossTime(segment, reoWndNanos) is { } lossTime)
            {
                segment.IsLost = lossTime <= now;
                timeout = Math.Max(timeout, lossTime - now);
            }
        }

        return timeout;
    }

    /// <summary>
    /// Marks what is lost when the retransmission timer expires (§6.3): the first segment, and others only if they have been outstanding long enough.
    /// </summary>
    /// <param name="outstanding">Segments neither acknowledged nor SACKed, in any order.</param>
    /// <param name="sndUna">SND.UNA.</param>
    /// <param name="now">The time of the expiry.</param>
    /// <param name="reoWndNanos">RACK.reo_wnd in ns.</param>
    public readonly void MarkLossesOnTimeout(Span<RackSegment> outstanding, SequenceNumber sndUna, TraceTime now, long reoWndNanos)
    {
        foreach (ref RackSegment segment in outstanding)
        {
            segment.IsLost |= segment.Seq == sndUna || segment.XmitTime + RttNanos + reoWndNanos <= now;
        }
    }

    // Step 2. RACK.rtt is that of this acknowledgment's segment sent last, even where an earlier acknowledgment delivered a newer one.
    bool UpdateNewest(ReadOnlySpan<RackSegment> delivered, TraceTime now, long minRttNanos, uint? echoedTsval)
    {
        bool isFirst = true;
        TraceTime newestOfAck = default;
        foreach (ref readonly RackSegment segment in delivered)
        {
            if (IsAmbiguous(segment, now - segment.XmitTime, minRttNanos, echoedTsval))
            {
                continue;
            }

            if (isFirst || segment.XmitTime >= newestOfAck)
            {
                isFirst = false;
                newestOfAck = segment.XmitTime;
                RttNanos = now - segment.XmitTime;
            }

            if (!HasNewest || WasSentAfter(segment.XmitTime, segment.EndSeq, XmitTime, EndSeq))
            {
                (HasNewest, XmitTime, EndSeq) = (true, segment.XmitTime, segment.EndSeq);
            }
        }

        return !isFirst;
    }

    // Whether the acknowledgment of a retransmission may answer the original instead: it echoes an older timestamp, or came too soon.
    static bool IsAmbiguous(in RackSegment segment, long rttNanos, long minRttNanos, uint? echoedTsval)
    {
        if (!segment.IsRetransmitted)
        {
            return false;
        }

        bool echoesOlder = echoedTsval is { } echo && unchecked((int)(echo - segment.Tsval)) < 0;
        return echoesOlder || rttNanos < minRttNanos;
    }

    // Step 3: an original that arrives below what has arrived was overtaken.
    void DetectReordering(in RackSegment segment)
    {
        if (!_hasFack || segment.EndSeq > Fack)
        {
            (_hasFack, Fack) = (true, segment.EndSeq);
        }
        else if (segment.EndSeq < Fack && !segment.IsRetransmitted)
        {
            ReorderingSeen = true;
        }
    }
}

/// <summary>What RACK stores about a data segment that was sent (RFC 8985 §5.1). The caller owns the scoreboard these live in.</summary>
public record struct RackSegment
{
    /// <summary>First sequence number.</summary>
    public SequenceNumber Seq;

    /// <summary>Sequence number behind the last byte (Segment.end_seq).</summary>
    public SequenceNumber EndSeq;

    /// <summary>When it was sent last (Segment.xmit_ts).</summary>
    public TraceTime XmitTime;

    /// <summary>TSval it was sent with then (RFC 7323); meaningless without timestamps.</summary>
    public uint Tsval;

    /// <summary>Whether it was sent more than once (Segment.retransmitted).</summary>
    public bool IsRetransmitted;

    /// <summary>Whether it counts as lost since it was sent last (Segment.lost). Retransmitting it clears this.</summary>
    public bool IsLost;
}
