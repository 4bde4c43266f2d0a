using System.Collections.Generic;
using TcpDiag.Probe.Receiving;
using TcpDiag.Probe.Results;
using TcpDiag.Probe.Trials;

namespace TcpDiag.Probe.Profiles;

/// <summary>
/// Loses the tails of flights and reads the sender's tail loss probe (RFC 8985 §7): whether there is one, after which time, what it holds, and that a second
/// loss is left to the retransmission timer.
/// </summary>
public sealed class TailProfile : ProbeProfile
{
    const int LimitRounds = 250;

    // RFC 8985 §7.2: several in flight, then one; §7.3: no second probe.
    static readonly TailPlan[] Plans =
    [
        new(3), new(3), new(3), new(3), new(3), new(3), new(1), new(1), new(1), new(1), new(3, LostProbes: 1), new(3, LostProbes: 1),
    ];

    readonly FlightWait _wait = new(int.MaxValue, LimitRounds); // a smaller flight does not do
    readonly List<TailTrial> _trials = [];
    TailTrial? _trial;

    /// <inheritdoc/>
    public override string Name => "tlp";

    /// <inheritdoc/>
    public override bool IsDone => _wait.GaveUp is not null || _trials.Count == Plans.Length;

    /// <inheritdoc/>
    public override bool HoldsWindow => _trial?.HoldsWindow ?? false;

    /// <summary>The tails, for tests.</summary>
    internal IReadOnlyList<TailTrial> Trials => _trials;

    /// <inheritdoc/>
    public override Fate OnNew(in Arrival arrival, ReceiverView view)
    {
        // The flight must fill the window: only then the sender comes to its edge, and SRTT is that of a steady flow.
        _trial ??= _trials.Count < Plans.Length ? new TailTrial(Plans[_trials.Count]) : null;
        if (_trial is { HasBegun: false } && view.IsQuiet
            && _wait.IsOver(view, view.Settings.FlightSegments / 2, isReady: view.WindowEdge - view.HighestSent > 0))
        {
            _trial.Begin(view);
        }

        return _trial?.OnNew(arrival) ?? Fate.Arrives;
    }

    /// <inheritdoc/>
    public override Fate OnResent(in Arrival arrival, ReceiverView view) => _trial?.OnResent(arrival, view) ?? Fate.Arrives;

    /// <inheritdoc/>
    public override void OnAcknowledged(in Acknowledgment ack, ReceiverView view)
    {
        _trial?.OnAcknowledged(ack);
        if (_trial is { IsOver: true } over)
        {
            _trials.Add(over);
            _trial = null;
        }
    }

    /// <inheritdoc/>
    public override string Summarise(ReceiverView view, string end) => TailReadings.Summarise(_trials, _wait.GaveUp ?? end);

    /// <inheritdoc/>
    public override IReadOnlyList<ProbeReading> Read(ReceiverView view, string end) => TailReadings.Of(_trials, _wait.GaveUp ?? end);
}
