using System;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Triggers;

/// <summary>
/// Waits for a connection that is busy and yet slow. Bytes count when they are acknowledged (snd_una moves, or an event says how
/// many), or received. Busy is what moves bytes, or has data that waits to be sent or acknowledged, for the whole time with no
/// pause of more than an eighth of it: an idle connection is not slow, and one that is asked for little now and then neither.
/// </summary>
/// <param name="condition">How slow, for how long.</param>
sealed class GoodputProbe(GoodputBelow condition) : ConnectionProbe<GoodputProbe.Pace>
{
    const int BitsPerByte = 8;

    /// <inheritdoc/>
    protected override Pace Begin(TraceTime now) => new(condition.Time, now);

    /// <inheritdoc/>
    protected override void Count(Pace pace, StackEvent stackEvent) => pace.Count(stackEvent);

    /// <inheritdoc/>
    protected override string? Judge(ConnectionEnds ends, Pace pace, TraceTime now) =>
        pace.IsBusy(now) && pace.Moved.Sum(now) is { } bytes && bytes * BitsPerByte < condition.BitsPerSecond * condition.Time.TotalSeconds
            ? FormattableString.Invariant($"goodput of {ends} was {bytes * BitsPerByte / condition.Time.TotalSeconds:F0} bit/s for {condition.Time.TotalSeconds} s")
            : null;

    /// <summary>What a connection moves, and since when it is busy.</summary>
    /// <param name="time">The stretch of time that is judged.</param>
    /// <param name="begun">When the connection was met, which counts as busy.</param>
    internal sealed class Pace(TimeSpan time, TraceTime begun)
    {
        readonly long _pause = PaceWindow.SlotNanoseconds(time);

        // Busy from the one to the other without a longer pause than that.
        TraceTime _busySince = begun;
        TraceTime _busyUntil = begun;
        uint? _una;
        bool _isInFlight;
        bool _isUnsent;

        /// <summary>Bytes acknowledged and received.</summary>
        public PaceWindow Moved { get; } = new(time);

        bool IsWaiting => _isInFlight || _isUnsent;

        /// <summary>Whether it has been busy for as long as the window may reach back, and is still.</summary>
        /// <param name="now">What time it is.</param>
        /// <returns>False for one that is idle, or was so shortly before.</returns>
        public bool IsBusy(TraceTime now)
        {
            GoOnWaiting(now);
            return now - _busyUntil <= _pause && now - _busySince >= PaceWindow.ReachNanoseconds(time);
        }

        /// <summary>Counts an event.</summary>
        /// <param name="stackEvent">The event.</param>
        public void Count(StackEvent stackEvent)
        {
            GoOnWaiting(stackEvent.Time);
            long moved = Acknowledged(stackEvent) + Received(stackEvent);
            Moved.Add(stackEvent.Time, moved);
            LookWhatWaits(stackEvent);
            if (moved > 0 || IsWaiting)
            {
                _busySince = stackEvent.Time - _busyUntil > _pause ? stackEvent.Time : _busySince;
                _busyUntil = Later(stackEvent.Time);
            }
        }

        void GoOnWaiting(TraceTime now) => _busyUntil = IsWaiting ? Later(now) : _busyUntil;

        // An event that came late tells of the past.
        TraceTime Later(TraceTime now) => now.Nanoseconds > _busyUntil.Nanoseconds ? now : _busyUntil;

        void LookWhatWaits(StackEvent stackEvent)
        {
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
