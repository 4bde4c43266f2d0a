using System;
using TcpDiag.Probe.Receiving;
using TcpDiag.Wire;

namespace TcpDiag.Probe.Trials;

/// <summary>
/// One loss in the flow, and how the sender goes on sending while it repairs it: each acknowledgment that the probe sends delivers a segment, and what follows
/// is counted against that (PRR, RFC 9937 §6.2).
/// </summary>
sealed class RecoveryTrial
{
    // An early end would miss what the last acknowledgments let out.
    const int RoundsBehind = 1;

    Arrival? _hole;
    SequenceNumber _point;
    TraceTime? _begun;
    TraceTime? _filled;
    long _smss;
    int _unanswered;

    /// <summary>Segments in flight before the loss.</summary>
    public int Before { get; private set; }

    /// <summary>Segments in flight when the recovery was over.</summary>
    public int Behind { get; private set; }

    /// <summary>Segments that acknowledgments delivered while the sender repaired.</summary>
    public int Delivered { get; private set; }

    /// <summary>Segments it sent in this time, the retransmission among them.</summary>
    public int Sent { get; private set; }

    /// <summary>By how many it was ahead of what had been delivered, at most.</summary>
    public int Ahead { get; private set; }

    /// <summary>The most acknowledgments in a row, each of which delivered a segment, that it answered with none.</summary>
    public int Silence { get; private set; }

    /// <summary>Whether it has come to its end.</summary>
    public bool IsOver { get; private set; }

    /// <summary>Whether the sender repaired the loss in fast recovery.</summary>
    public bool IsRead => _filled is not null && Delivered > 0;

    /// <summary>A new segment came; the first that does is lost.</summary>
    public Fate OnNew(in Arrival arrival, ReceiverView view)
    {
        if (_hole is null)
        {
            (_hole, Before, _smss) = (arrival, view.Flight, Math.Max(arrival.End - arrival.Seq, 1));
            return Fate.Drops;
        }

        OnSent();
        return Fate.Arrives;
    }

    /// <summary>A segment came again.</summary>
    public Fate OnResent(in Arrival arrival, ReceiverView view)
    {
        if (_hole is { } hole && _begun is null && arrival.Seq == hole.Seq)
        {
            (_begun, _point) = (arrival.Time, view.HighestSent);
        }

        OnSent();
        return Fate.Arrives;
    }

    /// <summary>An acknowledgment is sent.</summary>
    public void OnAcknowledged(in Acknowledgment ack, ReceiverView view)
    {
        if (_begun is null || IsOver)
        {
            return;
        }

        if (_filled is { } filled)
        {
            IsOver = ack.Time - filled > RoundsBehind * (view.Settings.DelayNanos + view.PathNanos);
        }
        else if (ack.Ack >= _point)
        {
            _filled = ack.Time;
            Behind = (int)((view.HighestSent - ack.Ack) / _smss);
        }
        else
        {
            Delivered++;
            _unanswered++;
            Silence = Math.Max(Silence, _unanswered - 1); // the answer to this one is still to come
        }
    }

    // What comes after the recovery's last acknowledgment was let out by cwnd.
    void OnSent()
    {
        if (_begun is null || _filled is not null)
        {
            return;
        }

        Sent++;
        Ahead = Math.Max(Ahead, Sent - Delivered);
        _unanswered = 0;
    }
}
