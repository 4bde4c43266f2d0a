using System.Collections.Generic;
using TcpDiag.Wire;

namespace TcpDiag.Probe.Trials;

/// <summary>The acknowledgments of segments above a hole: when each was sent, and how late the missing segment was by then.</summary>
sealed class AckTrack
{
    readonly List<(TraceTime Time, long LateNanos, long RttNanos)> _acks = [];

    /// <summary>How many.</summary>
    public int Count => _acks.Count;

    /// <summary>When the last one was sent; only with at least one.</summary>
    public TraceTime LastTime => _acks[^1].Time;

    /// <summary>The lateness at the last one, ns; 0 without one.</summary>
    public long Last => _acks.Count > 0 ? _acks[^1].LateNanos : 0;

    /// <summary>RACK.rtt after the last one, without the path's own round trip, ns; only with at least one.</summary>
    public long LastRtt => _acks[^1].RttNanos;

    /// <summary>The lateness at the one before whatever was sent within the same instant as the last, ns; 0 without one.</summary>
    public long BeforeLast
    {
        get
        {
            int i = _acks.Count - 1;
            while (i > 0 && _acks[i - 1].LateNanos == _acks[^1].LateNanos)
            {
                i--;
            }

            return i > 0 ? _acks[i - 1].LateNanos : 0;
        }
    }

    /// <summary>Adds one.</summary>
    public void Add(TraceTime time, long lateNanos, long rttNanos) => _acks.Add((time, lateNanos, rttNanos));

    /// <summary>Takes out what was sent too late to have caused what happened at an instant.</summary>
    public void RemoveAfter(TraceTime cause)
    {
        while (_acks.Count > 0 && _acks[^1].Time > cause)
        {
            _acks.RemoveAt(_acks.Count - 1);
        }
    }
}
