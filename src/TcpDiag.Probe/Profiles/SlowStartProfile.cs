using System;
using System.Collections.Generic;
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
    const int MostSegments = 176; // 262,140 bytes of 1460
    const double SlowStartGrowth = 1.75; // sent for each acknowledgment; 2, less what a round's edges take
    const double LeftGrowth = 1.3; // above what conservative slow start takes (RFC 9406 §4.3)
    const int RoundsBehind = 3;

    readonly List<Round> _rounds = [];
    Round _round;
    SequenceNumber? _roundEnd;
    int _exit = -1;
    bool _isFull;

    /// <inheritdoc/>
    public override string Name => "slow-start";

    /// <inheritdoc/>
    public override bool IsDone => _isFull || (_exit >= 0 && _rounds.Count > _exit + RoundsBehind);

    /// <inheritdoc/>
    public override int WindowSegments(ProbeSettings settings) => Math.Min(WindowFactor * settings.FlightSegments, MostSegments);

    /// <inheritdoc/>
    public override Fate OnNew(in Arrival arrival, ReceiverView view)
    {
        _roundEnd ??= arrival.End;
        _round.Sent++;
        _round.Flight = Math.Max(_round.Flight, (int)((view.HighestSent - view.Acknowledged) / Math.Max(view.Smss, 1)));
        _isFull = view.Flight >= WindowSegments(view.Settings) - 1;
        return Fate.Arrives;
    }

    /// <inheritdoc/>
    public override Fate OnResent(in Arrival arrival, ReceiverView view) => Fate.Arrives;

    /// <inheritdoc/>
    public override void OnAcknowledged(in Acknowledgment ack, ReceiverView view)
    {
        if (_roundEnd is { } end && ack.Ack >= end)
        {
            EndRound(view);
        }

        _round.Acked++;
    }

    /// <inheritdoc/>
    public override string Summarise(ReceiverView view, string end) => _exit < 0
        ? FormattableString.Invariant($"It doubled its flight up to {view.Flight} segments, of which the path holds {view.Settings.FlightSegments} without a queue: no exit before a loss was seen.")
        : FormattableString.Invariant($"It left slow start with {ExitFlight} segments in flight, {Share(view):0.00} of what the path holds without a queue, and grew by {100 * (GrowthBehind - 1):0} % in the round trip after.");

    /// <inheritdoc/>
    public override IReadOnlyList<ProbeReading> Read(ReceiverView view, string end)
    {
        const string InFlight = "in flight when slow start was left";
        const string Growth = "growth in the round trip after";
        if (_exit < 0)
        {
            string missing = _isFull ? FormattableString.Invariant($"it doubled up to {view.Flight} segments, the whole window") : end;
            return [ProbeReading.Missing(InFlight, "segments", "queue of min_RTT/8", missing), ProbeReading.Missing(Growth, "of 1", "1.25 or less", missing)];
        }

        return
        [
            ProbeReading.Of(InFlight, "segments", new Interval(ExitFlight, ExitFlight), 1, "queue of min_RTT/8"),
            ProbeReading.Of(Growth, "of 1", new Interval(GrowthBehind, GrowthBehind), 1, "1.25 or less"),
        ];
    }

    // A round that hardly grows any more was not the one in which slow start was left, but the first behind it.
    int ExitFlight => _rounds[_exit].Growth >= LeftGrowth || _exit == 0 ? _rounds[_exit].Flight : _rounds[_exit - 1].Flight;

    double GrowthBehind => _exit + 1 < _rounds.Count ? _rounds[_exit + 1].Growth : 1;

    double Share(ReceiverView view) => (double)ExitFlight / view.Settings.FlightSegments;

    void EndRound(ReceiverView view)
    {
        bool doubles = _round.Growth >= SlowStartGrowth;
        _exit = doubles || _rounds.Count == 0 ? -1 : _exit >= 0 ? _exit : _rounds.Count; // the first flight had nothing to answer
        _rounds.Add(_round);
        _round = default;
        _roundEnd = view.HighestSent;
    }

    struct Round
    {
        public int Sent;
        public int Acked;
        public int Flight;

        public readonly double Growth => Acked > 0 ? (double)Sent / Acked : double.MaxValue;
    }
}
