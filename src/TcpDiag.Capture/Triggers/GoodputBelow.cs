using System;
using System.Globalization;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Triggers;

/// <summary><c>goodput below 1mbit for 5s</c>: a connection that is busy moves fewer new bytes than that, both directions together.</summary>
/// <param name="BitsPerSecond">The threshold.</param>
/// <param name="Time">For how long.</param>
public sealed record GoodputBelow(double BitsPerSecond, TimeSpan Time) : TriggerCondition
{
    /// <inheritdoc/>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"goodput below {Rate} for {Time.TotalSeconds}s");

    // In the command-line unit that keeps the number short.
    string Rate => FormattableString.Invariant(BitsPerSecond switch
    {
        >= 1e9 => $"{BitsPerSecond / 1e9}gbit",
        >= 1e6 => $"{BitsPerSecond / 1e6}mbit",
        >= 1e3 => $"{BitsPerSecond / 1e3}kbit",
        _ => $"{BitsPerSecond}bit",
    });

    private protected override TriggerProbe CreateProbe() => new GoodputProbe(this);
}

/// <summary>
/// Waits for a connection that is busy and yet slow. Bytes count when they are acknowledged (snd_una moves, or an event says how
/// many), or received. Busy is what moves bytes, or has data that waits to be sent or acknowledged, for the whole time with no
/// pause of more than an eighth of it: an idle connection is not slow, nor is one with little to send now and then.
/// </summary>
sealed class GoodputProbe(GoodputBelow condition) : ConnectionProbe<GoodputProbe.Meter>
{
    const int BitsPerByte = 8;

    protected override Meter Begin(TraceTime now) => new(condition.Time, now);

    protected override void Count(Meter meter, StackEvent stackEvent) => meter.Count(stackEvent);

    protected override string? Judge(ConnectionEnds ends, Meter meter, TraceTime now) =>
        meter.IsBusy(now) && meter.Moved.Sum(now) is { } bytes && bytes * BitsPerByte < condition.BitsPerSecond * condition.Time.TotalSeconds
            ? string.Create(
                CultureInfo.InvariantCulture,
                $"goodput of {ends} was {bytes * BitsPerByte / condition.Time.TotalSeconds:F0} bit/s for {condition.Time.TotalSeconds} s")
            : null;

    /// <summary>What a connection moves, and since when it is busy.</summary>
    internal sealed class Meter(TimeSpan time, TraceTime begun)
    {
        readonly long _pauseNanos = SlidingSum.SlotNanos(time);

        // Busy from the one to the other without a longer pause than that.
        TraceTime _busySince = begun;
        TraceTime _busyUntil = begun;
        uint? _una;
        bool _isInFlight;
        bool _isUnsent;

        /// <summary>Bytes acknowledged and received.</summary>
        public SlidingSum Moved { get; } = new(time);

        bool IsWaiting => _isInFlight || _isUnsent;

        /// <summary>Whether it has been busy for as long as the window may reach back, and is still.</summary>
        /// <returns>False for one that is idle, or was so shortly before.</returns>
        public bool IsBusy(TraceTime now)
        {
            GoOnWaiting(now);
            return now - _busyUntil <= _pauseNanos && now - _busySince >= SlidingSum.ReachNanos(time);
        }

        public void Count(StackEvent stackEvent)
        {
            GoOnWaiting(stackEvent.Time);
            long moved = Acknowledged(stackEvent) + Received(stackEvent);
            Moved.Add(stackEvent.Time, moved);
            LookWhatWaits(stackEvent);
            if (moved > 0 || IsWaiting)
            {
                _busySince = stackEvent.Time - _busyUntil > _pauseNanos ? stackEvent.Time : _busySince;
                _busyUntil = Later(stackEvent.Time);
            }
        }

        void GoOnWaiting(TraceTime now) => _busyUntil = IsWaiting ? Later(now) : _busyUntil;

        // A late event describes the past.
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

            // Sequence numbers count modulo 2³²; a late event describes the past.
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
