using System;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Receivers;

/// <summary>
/// When Linux acknowledges, where RFC 9293 and RFC 5681 leave it open or say otherwise (net/ipv4/tcp_input.c): quick acknowledgments at the beginning, behind
/// duplicates, marks and silence, and while its window grows; what was pushed, once the program has read it; and of duplicate acknowledgments behind the third
/// one for a while. Every acknowledgment that is sent says all that was held back.
/// </summary>
struct LinuxAcks
{
    const int DupThresh = 3; // TCP_FASTRETRANS_THRESH
    const int QuickAcksBehindMark = 2; // tcp_data_ecn_check
    const long MaxHoldNanos = 1_000_000; // tcp_comp_sack_delay_ns
    const long SlackNanos = 100_000; // tcp_comp_sack_slack_ns: an idle processor wakes at the end of it
    const int RttShare = 20; // 5 % of the round trip
    const long MinRtoNanos = 200_000_000; // TCP_RTO_MIN

    readonly int _maxQuick;
    readonly int _maxHeld;
    int _quick;
    int _held;
    int _duplicates;
    SequenceNumber? _duplicated; // RCV.NXT that these repeat
    TraceTime? _lastData;
    bool _isPushed;

    /// <summary>The state of a connection's start.</summary>
    /// <param name="quickAcks">Segments acknowledged at once each in quick-acknowledgment mode (TCP_MAX_QUICKACKS).</param>
    /// <param name="compressedSacks">How many acknowledgments are held back at most (tcp_comp_sack_nr); 0 for none.</param>
    public LinuxAcks(int quickAcks, int compressedSacks)
    {
        _maxQuick = _quick = quickAcks;
        _maxHeld = compressedSacks;
    }

    /// <summary>When what is held back is sent; <see cref="TraceTime.Latest"/> when nothing is.</summary>
    public TraceTime Due { get; private set; } = TraceTime.Latest;

    /// <summary>How many acknowledgments are held back.</summary>
    public readonly int Held => _held;

    /// <summary>A duplicate arrived, or what the window does not take (tcp_enter_quickack_mode).</summary>
    public void OnDuplicate() => _quick = Math.Max(_quick, _maxQuick);

    /// <summary>A segment is the first that carries CE since the sender reduced its window: it may have little in flight.</summary>
    public void OnMarked() => _quick = Math.Max(_quick, QuickAcksBehindMark);

    /// <summary>The window grew (tcp_grow_window): the sender should know.</summary>
    public void OnWindowGrown() => _quick = Math.Max(_quick, 1);

    /// <summary>Data in order arrived (tcp_event_data_recv).</summary>
    /// <param name="now">When.</param>
    /// <param name="isPushed">Whether it carries PSH, or is less than a full segment.</param>
    /// <param name="rttNanos">The round trip, ns; 0 when it is not known.</param>
    public void OnInOrder(TraceTime now, bool isPushed, long rttNanos)
    {
        if (_lastData is { } last && now - last > MinRtoNanos + rttNanos)
        {
            _quick = Math.Max(_quick, _maxQuick); // the sender may have restarted from its initial window
        }

        _lastData = now;
        _isPushed |= isPushed;
    }

    /// <summary>Whether what has arrived is acknowledged at once, as long as it lacks a reason of the RFC (__tcp_ack_snd_check).</summary>
    /// <param name="rcvNxt">RCV.NXT.</param>
    /// <param name="hasHoles">Whether something is held out of order.</param>
    /// <param name="now">The time.</param>
    /// <param name="rttNanos">The round trip, ns; 0 when it is not known.</param>
    public bool MustAck(SequenceNumber rcvNxt, bool hasHoles, TraceTime now, long rttNanos)
    {
        if (_quick > 0)
        {
            return true;
        }

        return hasHoles && !Holds(rcvNxt, now, rttNanos);
    }

    /// <summary>Whether data that is acknowledged late otherwise is acknowledged now that the program has read all there is (tcp_cleanup_rbuf).</summary>
    public readonly bool MustAckRead => _isPushed;

    /// <summary>An acknowledgment was sent (tcp_event_ack_sent).</summary>
    public void OnSent()
    {
        _quick = Math.Max(_quick - 1, 0);
        _held = 0;
        _isPushed = false;
        Due = TraceTime.Latest;
    }

    bool Holds(SequenceNumber rcvNxt, TraceTime now, long rttNanos)
    {
        if (_held >= _maxHeld)
        {
            return false;
        }

        if (_duplicated != rcvNxt)
        {
            _duplicated = rcvNxt;
            _duplicates = 0;
        }

        if (_duplicates < DupThresh)
        {
            _duplicates++;
            return false;
        }

        _held++;
        Due = Due < TraceTime.Latest ? Due : now + Math.Min(MaxHoldNanos, rttNanos / RttShare) + SlackNanos;
        return true;
    }
}
