using System;
using TcpDiag.Wire;

namespace TcpDiag.Probe.Receiving;

/// <summary>What a script may know of its receiver.</summary>
public sealed class ReceiverView
{
    const double SrttGain = 1.0 / 8; // RFC 6298 §2.3

    double _srtt;
    long _minDelayed;

    /// <summary>Creates the view of a receiver that has received nothing.</summary>
    /// <param name="settings">Its network.</param>
    public ReceiverView(ProbeSettings settings) => Settings = settings;

    /// <summary>The pretended network.</summary>
    public ProbeSettings Settings { get; }

    /// <summary>The clock at the latest event.</summary>
    public TraceTime Now { get; internal set; }

    /// <summary>Round trip of the real path, ns: the smallest so far, from what was sent to what it let the sender send.</summary>
    public long PathNanos { get; internal set; }

    /// <summary>The smallest round trip the sender can have measured, ns; 0 before the first.</summary>
    public long MinRttNanos => _minDelayed == 0 ? 0 : _minDelayed + PathNanos;

    /// <summary>About the SRTT the sender has, ns.</summary>
    public long SrttNanos => _minDelayed == 0 ? 0 : (long)_srtt + PathNanos;

    /// <summary>The largest data segment so far, bytes.</summary>
    public int Smss { get; internal set; }

    /// <summary>Segments of the sender that it does not know to have arrived.</summary>
    public int Flight { get; internal set; }

    /// <summary>Whether the pretended receiver misses something.</summary>
    public bool HasHole { get; internal set; }

    /// <summary>When data was last sent again.</summary>
    public TraceTime LastResent { get; internal set; } = TraceTime.Earliest;

    /// <summary>The number behind the last byte that came.</summary>
    public SequenceNumber HighestSent { get; internal set; }

    /// <summary>The number behind the last byte acknowledged.</summary>
    public SequenceNumber Acknowledged { get; internal set; }

    /// <summary>The right edge of the window.</summary>
    public SequenceNumber WindowEdge { get; internal set; }

    /// <summary>Whether all that was sent is acknowledged, or will be without a gap, and nothing was sent again for two round trips.</summary>
    public bool IsQuiet => !HasHole && (LastResent == TraceTime.Earliest || Now - LastResent > 2 * (Settings.DelayNanos + PathNanos));

    /// <summary>A segment that was sent once is acknowledged now.</summary>
    internal void OnRoundTrip(long nanos)
    {
        _minDelayed = _minDelayed == 0 ? nanos : Math.Min(_minDelayed, nanos);
        _srtt = _srtt == 0 ? nanos : _srtt + (SrttGain * (nanos - _srtt));
    }
}
