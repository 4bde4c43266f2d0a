using TcpDiag.Probe.Receiving;
using TcpDiag.Wire;

namespace TcpDiag.Probe.Trials;

/// <summary>What a trial does to a tail.</summary>
/// <param name="Segments">How many segments at the end of the window are lost.</param>
/// <param name="LostProbes">How many of the first segments sent again are lost too.</param>
sealed record TailPlan(int Segments, int LostProbes = 0);

/// <summary>
/// A tail that is lost: the window's right edge stands still, what lies before the tail is acknowledged, and nothing comes after it. By RFC 8985 §7 the sender
/// sends its last segment again a probe timeout after the acknowledgment; without that, its first missing one when the retransmission timer expires.
/// </summary>
/// <param name="plan">What is done.</param>
sealed class TailTrial(TailPlan plan)
{
    SequenceNumber _edge;
    SequenceNumber _tail;
    SequenceNumber _end;
    TraceTime _lastAck;
    TraceTime _firstResent;
    int _resent;

    /// <summary>What is done.</summary>
    public TailPlan Plan => plan;

    /// <summary>Whether the edge stands.</summary>
    public bool HasBegun { get; private set; }

    /// <summary>Whether the edge stands still now.</summary>
    public bool HoldsWindow => HasBegun && _resent <= plan.LostProbes;

    /// <summary>Whether everything is acknowledged.</summary>
    public bool IsOver { get; private set; }

    /// <summary>Segments of the tail that were sent and lost.</summary>
    public int LostSegments { get; private set; }

    /// <summary>From the last acknowledgment to the first segment that came again, ns, without the path's round trip; null when none came.</summary>
    public long? TimeoutNanos { get; private set; }

    /// <summary>Whether what came again first was the last segment, as a probe is.</summary>
    public bool IsProbe { get; private set; }

    /// <summary>From the first segment that came again to the second, ns; null without a second.</summary>
    public long? SecondNanos { get; private set; }

    /// <summary>Whether the second was the first missing segment, as the retransmission timer has it.</summary>
    public bool IsSecondTheFirst { get; private set; }

    /// <summary>From the first segment that came again until all had come, ns.</summary>
    public long RepairNanos { get; private set; }

    /// <summary>SRTT when the tail fell silent, ns.</summary>
    public long SrttNanos { get; private set; }

    /// <summary>Fixes the edge: the tail are the last segments before it.</summary>
    public void Begin(ReceiverView view)
    {
        HasBegun = true;
        _edge = view.WindowEdge;
        _tail = _edge + (-plan.Segments * view.Smss);
    }

    /// <summary>A segment came for the first time.</summary>
    public Fate OnNew(in Arrival arrival)
    {
        if (!HasBegun || !HoldsWindow || arrival.Seq < _tail)
        {
            return Fate.Arrives;
        }

        LostSegments++;
        _end = arrival.End;
        return Fate.Drops;
    }

    /// <summary>A segment came again.</summary>
    public Fate OnResent(in Arrival arrival, ReceiverView view)
    {
        if (LostSegments == 0 || arrival.Seq < view.Acknowledged)
        {
            return Fate.Arrives;
        }

        _resent++;
        if (_resent == 1)
        {
            _firstResent = arrival.Time;
            TimeoutNanos = arrival.Time - _lastAck - view.PathNanos;
            IsProbe = arrival.End == _end;
            SrttNanos = view.SrttNanos;
        }
        else if (_resent == 2)
        {
            SecondNanos = arrival.Time - _firstResent;
            IsSecondTheFirst = arrival.Seq == view.Acknowledged;
        }

        return _resent <= plan.LostProbes ? Fate.Drops : Fate.Arrives;
    }

    /// <summary>An acknowledgment is sent.</summary>
    public void OnAcknowledged(in Acknowledgment ack)
    {
        if (!HasBegun)
        {
            return;
        }

        if (_resent == 0)
        {
            _lastAck = ack.Ack > ack.Before ? ack.Time : _lastAck;
        }
        else if (LostSegments > 0 && ack.Ack >= _end && !IsOver)
        {
            RepairNanos = ack.Time - _firstResent;
            IsOver = true;
        }
    }
}
