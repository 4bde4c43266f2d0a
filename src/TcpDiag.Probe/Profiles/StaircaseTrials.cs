using System.Collections.Generic;
using System.Linq;
using TcpDiag.Probe.Receiving;
using TcpDiag.Probe.Results;
using TcpDiag.Probe.Trials;

namespace TcpDiag.Probe.Profiles;

/// <summary>What the holes of a staircase showed, step by step.</summary>
sealed class StaircaseTrials
{
    // A window of one step and one of two are one step apart: half of it is between them.
    const double HalfStep = 0.125; // min_RTT

    readonly Dictionary<StaircaseStep, List<HoleTrial>> _trials = [];

    /// <summary>The holes of a step.</summary>
    public IReadOnlyList<HoleTrial> this[StaircaseStep step] => _trials.GetValueOrDefault(step) ?? [];

    /// <summary>The window without DSACKs, ns; 0 while it was not read.</summary>
    public double BaseNanos => Windows(StaircaseStep.Base) is { Count: > 0 } windows ? Interval.Overlap(windows).Middle : 0;

    /// <summary>Whether the latest loss after the DSACKs was repaired as soon as one before them.</summary>
    public bool HasFallenBack => this[StaircaseStep.Persistence] is [.., { ReoWnd: { } last }] && last.Middle < (BaseNanos + GrownNanos) / 2;

    /// <summary>The window after the last DSACK, ns; that without DSACKs while it was not read.</summary>
    public double GrownNanos => Windows(StaircaseStep.Growth) is { Count: > 0 } windows ? windows[^1].Middle : BaseNanos;

    /// <summary>The windows that were read in a step, ns.</summary>
    public IReadOnlyList<Interval> Windows(StaircaseStep step) => [.. this[step].Select(trial => trial.ReoWnd).OfType<Interval>()];

    /// <summary>Whether the window followed the DSACKs by at least a step.</summary>
    public bool HasGrown(ReceiverView view) => GrownNanos - BaseNanos > HalfStep * view.MinRttNanos;

    /// <summary>Adds a hole.</summary>
    public void Add(StaircaseStep step, HoleTrial trial)
    {
        if (!_trials.TryGetValue(step, out List<HoleTrial>? trials))
        {
            _trials.Add(step, trials = []);
        }

        trials.Add(trial);
    }
}
