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

    /// <summary>Whether any segment was delivered that RACK could use; before that nothing can be lost.</summary>
    public bool HasNewest { get; private set; }

    /// <summary>RACK.xmit_ts: when the newest delivered segment was sent.</summary>
    public TraceTime XmitTime { get; private set; }

    /// <summary>RACK.end_seq: its end, which decides between segments sent at the same time.</summary>
    public SequenceNumber EndSeq { get; private set; }

    /// <summary>RACK.rtt in ns: the round-trip time of the last sent among the segments that the last useful acknowledgment delivered.</summary>
    public long RttNs { get; private set; }

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

    /// <summary>Steps 2 and 3: takes in the segments that an acknowledgment newly delivered, cumulatively or by SACK.</summary>
    /// <param name="delivered">The segments, in ascending order of their ends.</param>
    /// <param name="now">When the acknowledgment arrived.</param>
    /// <param name="minRttNs">min_RTT in ns, this acknowledgment's sample included.</param>
    /// <param name="echoedTsval">TSecr of the acknowledgment, null without timestamps.</param>
    public void OnAckReceived(ReadOnlySpan<RackSegment> delivered, TraceTime now, long minRttNs, uint? echoedTsval)
    {
        UpdateNewest(delivered, now, minRttNs, echoedTsval);
        foreach (ref readonly RackSegment segment in delivered)
        {
            DetectReordering(segment);
        }
    }

    /// <summary>When a segment that has not been acknowledged counts as lost: its sending + RACK.rtt + reo_wnd (step 5).</summary>
    /// <param name="segment">The segment.</param>
    /// <param name="reoWndNs">RACK.reo_wnd in ns.</param>
    /// <returns>The instant; null while no segment sent after it was delivered.</returns>
    public readonly TraceTime? LossTime(in RackSegment segment, long reoWndNs)
    {
        bool wasOvertaken = HasNewest && WasSentAfter(XmitTime, EndSeq, segment.XmitTime, segment.EndSeq);
        return wasOvertaken ? segment.XmitTime + RttNs + reoWndNs : null;
    }

    /// <summary>Step 5: marks the segments that are lost by now. Repeated when the reordering timer fires.</summary>
    /// <param name="outstanding">Segments neither acknowledged nor SACKed, in any order.</param>
    /// <param name="now">The time of the acknowledgment or of the timer.</param>
    /// <param name="reoWndNs">RACK.reo_wnd in ns.</param>
    /// <returns>ns after which to look again at the latest: the largest time left to a segment that was overtaken; 0 when there is none.</returns>
    public readonly long DetectLosses(Span<RackSegment> outstanding, TraceTime now, long reoWndNs)
    {
        long timeout = 0;
        foreach (ref RackSegment segment in outstanding)
        {
            if (!segment.IsLost && LossTime(segment, reoWndNs) is { } lossTime)
            {
                segment.IsLost = lossTime <= now;
                timeout = Math.Max(timeout, lossTime - now);
            }
        }

        return timeout;
    }

    /// <summary>Marks what is lost when the retransmission timer expires (§6.3): the first segment, and others only if they have been away long enough.</summary>
    /// <param name="outstanding">Segments neither acknowledged nor SACKed, in any order.</param>
    /// <param name="sndUna">SND.UNA.</param>
    /// <param name="now">The time of the expiry.</param>
    /// <param name="reoWndNs">RACK.reo_wnd in ns.</param>
    public readonly void MarkLossesOnTimeout(Span<RackSegment> outstanding, SequenceNumber sndUna, TraceTime now, long reoWndNs)
    {
        foreach (ref RackSegment segment in outstanding)
        {
            segment.IsLost |= segment.Seq == sndUna || segment.XmitTime + RttNs + reoWndNs <= now;
        }
    }

    // Step 2. RACK.rtt is that of the last sent segment of this acknowledgment, even where an earlier acknowledgment delivered a newer one.
    void UpdateNewest(ReadOnlySpan<RackSegment> delivered, TraceTime now, long minRttNs, uint? echoedTsval)
    {
        bool isFirst = true;
        TraceTime newestOfAck = default;
        foreach (ref readonly RackSegment segment in delivered)
        {
            if (IsAmbiguous(segment, now - segment.XmitTime, minRttNs, echoedTsval))
            {
                continue;
            }

            if (isFirst || segment.XmitTime >= newestOfAck)
            {
                isFirst = false;
                newestOfAck = segment.XmitTime;
                RttNs = now - segment.XmitTime;
            }

            if (!HasNewest || WasSentAfter(segment.XmitTime, segment.EndSeq, XmitTime, EndSeq))
            {
                (HasNewest, XmitTime, EndSeq) = (true, segment.XmitTime, segment.EndSeq);
            }
        }
    }

    // Whether the acknowledgment of a retransmission may answer the original instead: it echoes an older timestamp, or came too soon.
    static bool IsAmbiguous(in RackSegment segment, long rttNs, long minRttNs, uint? echoedTsval)
    {
        if (!segment.IsRetransmitted)
        {
            return false;
        }

        bool echoesOlder = echoedTsval is { } echo && unchecked((int)(echo - segment.Tsval)) < 0;
        return echoesOlder || rttNs < minRttNs;
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
