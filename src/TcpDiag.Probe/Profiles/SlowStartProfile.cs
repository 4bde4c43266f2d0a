using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Probe.Receiving;
using TcpDiag.Probe.Results;
using TcpDiag.Wire;

namespace TcpDiag.Probe.Profiles;

/// <summary>
/// Loses nothing, and holds a slow link in front of the receiver: from the flight of one round trip on a queue stands. Reads when slow start is left: a sender
/// that doubles its flight each round trip sends two segments for each acknowledgment, and one from then on (RFC 5681 §3.1, RFC 9406).
/// </summary>
public sealed class SlowStartProfile : ProbeProfile
{
    const int WindowFactor = 5; // of what the path holds, as far as a window field goes
    const int MaxSegments = 176; // 262,140 bytes of 1460
    const int SomeAcks = 8;
    const int SlowStartAnswer = 12; // to so many acknowledgments: 16, less what a busy host holds up; 8 to 10 behind it (RFC 9406 §4.3)
    const int RoundsBehind = 2;

    readonly int[] _answers = new int[SomeAcks];
    TraceTime _exit = TraceTime.Latest; // the last acknowledgments so far that were answered as in slow start
    int _acks;
    int _exitFlight;
    int _flightBehind;
    bool _isFull;
    bool _isLeft;

    /// <inheritdoc/>
    public override string Name => "slow-start";

    /// <inheritdoc/>
    public override bool IsDone => _isFull || _isLeft;

    /// <inheritdoc/>
    public override int WindowSegments(ProbeSettings settings) => Math.Min(WindowFactor * settings.FlightSegments, MaxSegments);

    /// <inheritdoc/>
    public override Fate OnNew(in Arrival arrival, ReceiverView view)
    {
        _answers[_acks % SomeAcks]++;
        int flight = FlightOf(view);
        if (_acks >= SomeAcks && _answers.Sum() >= SlowStartAnswer)
        {
            (_exit, _exitFlight, _flightBehind) = (arrival.Time, Math.Max(_exitFlight, flight), 0);
        }
        else if (_exit < TraceTime.Latest && arrival.Time - _exit <= Rounds(1, view))
        {
            _flightBehind = Math.Max(_flightBehind, flight);
        }

        _isFull = view.Flight >= WindowSegments(view.Settings) - 1;
        return Fate.Arrives;
    }

    /// <inheritdoc/>
    public override Fate OnResent(in Arrival arrival, ReceiverView view) => Fate.Arrives;

    /// <inheritdoc/>
    public override void OnAcknowledged(in Acknowledgment ack, ReceiverView view)
    {
        _isLeft = _exit < TraceTime.Latest && ack.Time - _exit > Rounds(RoundsBehind, view);
        _acks++;
        _answers[_acks % SomeAcks] = 0;
    }

    /// <inheritdoc/>
    public override string Summarise(ReceiverView view, string end) => !_isLeft
        ? FormattableString.Invariant($"It doubled its flight up to {view.Flight} segments, of which the path holds {view.Settings.FlightSegments} ")
            + "without a queue: no exit before a loss was seen."
        : FormattableString.Invariant($"It left slow start with {_exitFlight} segments in flight, {Share(view):0.00} of what the path holds ")
            + FormattableString.Invariant($"without a queue, and grew by {100 * (GrowthBehind - 1):0} % in the round trip after.");

    /// <inheritdoc/>
    public override IReadOnlyList<ProbeReading> Read(ReceiverView view, string end)
    {
        const string InFlight = "in flight when slow start was left";
        const string Growth = "growth in the round trip after";
        if (!_isLeft)
        {
            string missing = _isFull ? FormattableString.Invariant($"it doubled up to {view.Flight} segments, the whole window") : end;
            return [ProbeReading.Missing(InFlight, "segments", "queue of min_RTT/8", missing), ProbeReading.Missing(Growth, "of 1", "125 % or less", missing)];
        }

        return
        [
            ProbeReading.Of(InFlight, "segments", new Interval(_exitFlight, _exitFlight), 1, "queue of min_RTT/8"),
            ProbeReading.Of(Growth, "of 1", new Interval(GrowthBehind, GrowthBehind), 1, "125 % or less"),
        ];
    }

    double GrowthBehind => (double)_flightBehind / Math.Max(_exitFlight, 1);

    double Share(ReceiverView view) => (double)_exitFlight / view.Settings.FlightSegments;

    static int FlightOf(ReceiverView view) => (int)((view.HighestSent - view.Acknowledged) / Math.Max(view.Smss, 1));

    // With the queue that slow start has left.
    static long Rounds(int count, ReceiverView view) => count * Math.Max(view.SrttNanos, view.Settings.DelayNanos);
}
