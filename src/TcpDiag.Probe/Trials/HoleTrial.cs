using System;
using TcpDiag.Probe.Receiving;
using TcpDiag.Probe.Results;
using TcpDiag.Wire;

namespace TcpDiag.Probe.Trials;

/// <summary>What a trial does to one segment.</summary>
/// <param name="LateNanos">By how much it is late, ns; null when it is lost.</param>
/// <param name="LostRetransmissions">How many of its retransmissions are lost too.</param>
/// <param name="ReportsDuplicate">Whether its second arrival is reported as DSACK.</param>
sealed record HolePlan(long? LateNanos, int LostRetransmissions = 0, bool ReportsDuplicate = false);

/// <summary>
/// One hole in the flow: a single segment is late or lost, those behind it are SACKed one by one, and the instant of its retransmission tells how late a
/// segment may be for this sender. By RFC 8985 §6.2 it is lost when xmit_ts + RACK.rtt + reo_wnd has passed, where RACK.rtt is that of the newest
/// segment delivered: so reo_wnd lies below the lateness at the retransmission, and above that at the acknowledgment before the one that caused it.
/// </summary>
/// <param name="plan">What is done.</param>
sealed class HoleTrial(HolePlan plan)
{
    // What an answer to an acknowledgment may take beyond the path's round trip: scheduling on both sides.
    const long ReactionNanos = 1_500_000;

    readonly AckTrack _acks = new();
    Arrival? _hole;
    Arrival _newest;
    SequenceNumber _recoveryPoint;
    TraceTime _endNotBefore = TraceTime.Latest;
    TraceTime _resent;
    int _resentCount;

    /// <summary>What is done.</summary>
    public HolePlan Plan => plan;

    /// <summary>Whether the segment has been chosen.</summary>
    public bool HasBegun => _hole is not null;

    /// <summary>Whether it has come to its end.</summary>
    public bool IsOver { get; private set; }

    /// <summary>Whether the segment was sent again before its acknowledgment could reach the sender.</summary>
    public bool IsResent => _resentCount > 0;

    /// <summary>Between which bounds reo_wnd lies, ns; null when the segment was not sent again, or long after the last acknowledgment.</summary>
    public Interval? ReoWnd { get; private set; }

    /// <summary>The lateness at the last acknowledgment before the hole was filled, ns: as much was borne without a retransmission.</summary>
    public long BorneNanos { get; private set; }

    /// <summary>Segments SACKed above the hole at the retransmission, or at the end.</summary>
    public int SackedAbove => _acks.Count;

    /// <summary>From the first retransmission to the second, ns; null without one.</summary>
    public long? SecondRetransmissionNanos { get; private set; }

    /// <summary>Other segments that were sent again while the hole was open.</summary>
    public int OthersResent { get; private set; }

    /// <summary>A new segment came while the sender was undisturbed: it becomes the hole.</summary>
    public Fate Begin(in Arrival arrival)
    {
        _hole = arrival;
        return plan.LateNanos is { } late ? Fate.Late(late) : Fate.Drops;
    }

    /// <summary>A segment came again.</summary>
    public Fate OnResent(in Arrival arrival, ReceiverView view)
    {
        if (_hole is not { } hole || IsOver || arrival.Seq != hole.Seq)
        {
            OthersResent += HasBegun && !IsOver ? 1 : 0;
            return Fate.Arrives;
        }

        _resentCount++;
        if (_resentCount == 1)
        {
            OnFirstResent(hole, arrival.Time, view);
        }
        else if (_resentCount == 2)
        {
            SecondRetransmissionNanos = arrival.Time - _resent;
        }

        return _resentCount <= plan.LostRetransmissions ? Fate.Drops : Fate.Arrives;
    }

    /// <summary>An acknowledgment is sent.</summary>
    public void OnAcknowledged(in Acknowledgment ack, ReceiverView view)
    {
        if (_hole is not { } hole || IsOver)
        {
            return;
        }

        if (ack.Ack > hole.Seq)
        {
            OnFilled(ack.Time, view);
        }
        else if (!ack.Arrival.IsResent && ack.Arrival.Seq > hole.Seq && ack.Arrival.Time >= _newest.Time)
        {
            _newest = ack.Arrival;
            if (!IsResent)
            {
                _acks.Add(ack.Time, ack.Arrival.Time - hole.Time, ack.Time - ack.Arrival.Time);
            }
        }

        IsOver = ack.Ack >= _recoveryPoint && ack.Time >= _endNotBefore;
    }

    void OnFirstResent(in Arrival hole, TraceTime time, ReceiverView view)
    {
        _resent = time;
        _recoveryPoint = view.HighestSent;
        TraceTime caused = time + (-view.PathNanos);
        _acks.RemoveAfter(caused);
        if (_acks.Count == 0 || caused - _acks.LastTime > view.SrttNanos)
        {
            return; // by a timer long after: not by lateness
        }

        long late = caused - hole.Time - _acks.LastRtt;
        bool isAnswer = caused - _acks.LastTime <= ReactionNanos;
        long low = isAnswer ? _acks.BeforeLast : _acks.Last;
        ReoWnd = new Interval(Math.Min(low, late), late);
    }

    // The answer to what fills the hole is still to come, and that to the segments sent meanwhile.
    void OnFilled(TraceTime now, ReceiverView view)
    {
        if (_endNotBefore < TraceTime.Latest)
        {
            return;
        }

        BorneNanos = _acks.Last;
        _recoveryPoint = view.HighestSent;
        _endNotBefore = now + view.Settings.DelayNanos + view.PathNanos;
    }
}
