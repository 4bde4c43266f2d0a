using System;
using System.Collections.Generic;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Triggers;

/// <summary>
/// Waits for a connection that is busy and yet slow. Bytes count when they are acknowledged (snd_una moves, or an event says how
/// many), or received. Busy is what moved a byte within the time, or has data that waits to be sent or
/// acknowledged: an idle connection is not slow.
/// </summary>
/// <param name="condition">How slow, for how long.</param>
sealed class GoodputProbe(GoodputBelow condition) : TriggerProbe
{
    const int BitsPerByte = 8;

    readonly ConnectionPaces<Pace> _paces = new();

    /// <inheritdoc/>
    public override string? OnEvent(StackEvent stackEvent, ConnectionEnds? connection)
    {
        if (connection is not { } ends)
        {
            return null;
        }

        if (stackEvent.Kind is StackEventKind.Closed or StackEventKind.Reset)
        {
            _paces.Remove(ends);
        }
        else if (_paces.TryGet(ends, () => new Pace(condition.Time), out Pace? pace))
        {
            pace.Count(stackEvent);
        }

        return null;
    }

    /// <inheritdoc/>
    public override string? OnTick(TraceTime now, IReadOnlyDictionary<int, string> processes)
    {
        foreach ((ConnectionEnds ends, Pace pace) in _paces.All)
        {
            if (pace.Moved.Sum(now) is { } bytes && (bytes > 0 || pace.IsWaiting) && bytes * BitsPerByte < condition.BitsPerSecond * condition.Time.TotalSeconds)
            {
                return FormattableString.Invariant($"goodput of {ends} was {bytes * BitsPerByte / condition.Time.TotalSeconds:F0} bit/s for {condition.Time.TotalSeconds} s");
            }
        }

        return null;
    }

    sealed class Pace(TimeSpan time)
    {
        uint? _una;
        bool _isInFlight;
        bool _isUnsent;

        public PaceWindow Moved { get; } = new(time);

        public bool IsWaiting => _isInFlight || _isUnsent;

        public void Count(StackEvent stackEvent)
        {
            long moved = Acknowledged(stackEvent) + Received(stackEvent);
            Moved.Add(stackEvent.Time, moved);
            if (stackEvent.TryGet(StackField.BytesInFlight, out long flight))
            {
                _isInFlight = flight > 0;
            }
            else if (stackEvent.TryGet(StackField.SndNxt, out long next) && _una is { } una)
            {
                _isInFlight = (uint)next != una;
            }
            else if (stackEvent.Kind is StackEventKind.SegmentRetransmitted or StackEventKind.RetransmissionTimeout)
            {
                _isInFlight = true;
            }

            if (stackEvent.TryGet(StackField.SendAvailable, out long unsent))
            {
                _isUnsent = unsent > 0;
            }
        }

        long Acknowledged(StackEvent stackEvent)
        {
            if (!stackEvent.TryGet(StackField.SndUna, out long value))
            {
                return stackEvent.Kind == StackEventKind.AckReceived && stackEvent.TryGet(StackField.Bytes, out long acknowledged) ? acknowledged : 0;
            }

            // Sequence numbers count modulo 2³²; an event that came late tells of the past.
            int advance = (int)((uint)value - (_una ?? (uint)value));
            if (_una is null || advance > 0)
            {
                _una = (uint)value;
            }

            return Math.Max(advance, 0);
        }

        static long Received(StackEvent stackEvent) =>
            stackEvent.Kind is StackEventKind.SegmentReceived or StackEventKind.CwndSample && stackEvent.TryGet(StackField.Bytes, out long bytes) ? bytes : 0;
    }
}
