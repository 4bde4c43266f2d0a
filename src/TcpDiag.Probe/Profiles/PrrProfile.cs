using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Probe.Receiving;
using TcpDiag.Probe.Results;
using TcpDiag.Probe.Trials;

namespace TcpDiag.Probe.Profiles;

/// <summary>
/// Loses single segments and reads how the sender sends while it repairs them: how much for each segment that is delivered, how evenly, and what is in flight
/// in the end (RFC 9937). Where the window was no limit before, a recovery reduces nothing; so there are several.
/// </summary>
public sealed class PrrProfile : ProbeProfile
{
    const int Recoveries = 8;
    const int MinFlight = 8;
    const int LimitRounds = 30;
    const double ReducedTo = 0.9; // of what was in flight before

    // PRR that halves sends one for two; and a window that is cut to 0.7 at once lets 0.3 of a flight arrive first, one cut in half the half.
    const int MaxEven = 2;
    const double MaxSilentShare = 0.1;

    readonly FlightWait _wait = new(MinFlight, LimitRounds);
    readonly List<RecoveryTrial> _trials = [];
    RecoveryTrial? _trial;

    /// <inheritdoc/>
    public override string Name => "prr";

    /// <inheritdoc/>
    public override bool IsDone => _wait.GaveUp is not null || _trials.Count == Recoveries;

    /// <inheritdoc/>
    public override Fate OnNew(in Arrival arrival, ReceiverView view)
    {
        if (_trial is null && view.IsQuiet && _trials.Count < Recoveries && _wait.IsOver(view, view.Settings.FlightSegments * 3 / 4))
        {
            _trial = new RecoveryTrial();
        }

        return _trial?.OnNew(arrival, view) ?? Fate.Arrives;
    }

    /// <inheritdoc/>
    public override Fate OnResent(in Arrival arrival, ReceiverView view) => _trial?.OnResent(arrival, view) ?? Fate.Arrives;

    /// <inheritdoc/>
    public override void OnAcknowledged(in Acknowledgment ack, ReceiverView view)
    {
        _trial?.OnAcknowledged(ack, view);
        if (_trial is { IsOver: true } over)
        {
            _trials.Add(over);
            _trial = null;
        }
    }

    /// <inheritdoc/>
    public override string Summarise(ReceiverView view, string end)
    {
        RecoveryTrial[] trials = [.. Reducing];
        if (trials.Length == 0)
        {
            return $"Nothing can be said of its recoveries, because {_wait.GaveUp ?? (_trials.Count > 0 ? "none reduced what was in flight" : end)}.";
        }

        double silence = ProbeReading.Median(trials.Select(SilentShare));
        string left = FormattableString.Invariant($"{ProbeReading.Median(trials.Select(Left)):0.00} of what was in flight is left");
        return silence < MaxSilentShare && ProbeReading.Median(trials.Select(Rate)) < 1
            ? FormattableString.Invariant($"It sends evenly while it repairs a loss, {ProbeReading.Median(trials.Select(Rate)):0.00} segments for each that ")
                + $"arrives; {left}: PRR."
            : FormattableString.Invariant($"It sends nothing while {silence:0.00} of a flight arrives, and repairs a loss meanwhile; {left}: not PRR.");
    }

    /// <inheritdoc/>
    public override IReadOnlyList<ProbeReading> Read(ReceiverView view, string end)
    {
        RecoveryTrial[] trials = [.. Reducing];
        string missing = _wait.GaveUp ?? (_trials.Count > 0 ? "no recovery reduced what was in flight" : end);
        ProbeReading Reading(string name, string unit, string rfc, Func<RecoveryTrial, double> value) =>
            trials.Length == 0 ? ProbeReading.Missing(name, unit, rfc, missing) : ProbeReading.Spread(name, unit, trials.Select(value), rfc);
        return
        [
            Reading("sent for each segment delivered", "segments", "0.7; Reno 0.5", Rate),
            Reading("most delivered in a row without an answer", "segments", "1 or 2", trial => trial.Silence),
            Reading("most ahead of what was delivered", "segments", "1", trial => trial.Ahead),
            Reading("in flight behind it, of before", "of 1", "70 %; Reno 50 %", Left),
        ];
    }

    IEnumerable<RecoveryTrial> Reducing => _trials.Where(trial => trial.IsRead && trial.Behind < ReducedTo * trial.Before);

    static double Rate(RecoveryTrial trial) => (double)trial.Sent / trial.Delivered;

    static double Left(RecoveryTrial trial) => (double)trial.Behind / trial.Before;

    static double SilentShare(RecoveryTrial trial) => Math.Max(trial.Silence - MaxEven, 0) / (double)trial.Before;
}
