using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Probe.Receiving;
using TcpDiag.Probe.Results;
using TcpDiag.Probe.Trials;

namespace TcpDiag.Probe.Profiles;

/// <summary>The readings of a staircase. Windows are given in min_RTT, of which the window has a quarter for each step (RFC 8985 §6.2 step 4).</summary>
static class StaircaseReadings
{
    const string MinRtt = "min_RTT";
    const string TooSmall = "the window is too small to be met by a late segment";
    const int DupThresh = 3; // RFC 8985 §6.2 step 4, RFC 5681 §3.2

    /// <summary>All readings of a staircase.</summary>
    public static IReadOnlyList<ProbeReading> Of(StaircaseTrials trials, ReceiverView view, string end)
    {
        List<ProbeReading> readings = [BeforeReordering(trials, end), Base(trials, view, end)];
        readings.Add(Borne(trials, StaircaseStep.Within, "waited for when late by 0.8 reo_wnd", end));
        readings.Add(Borne(trials, StaircaseStep.Beyond, "waited for when late by 1.3 reo_wnd", end));
        int dsacks = 0;
        foreach (HoleTrial late in trials[StaircaseStep.Growth].Where(trial => trial.IsResent)) // what was borne came once, and brought no DSACK
        {
            if (dsacks > 0)
            {
                readings.Add(AfterDsacks(late, dsacks, view));
            }

            dsacks++;
        }

        readings.Add(Persistence(trials, view, end));
        return readings;
    }

    static ProbeReading BeforeReordering(StaircaseTrials trials, string end)
    {
        const string Name = "SACKed above a loss before any reordering";
        const string Rfc = "3, then no wait";
        return trials[StaircaseStep.BeforeReordering] is [{ IsResent: true } first, ..]
            ? ProbeReading.Of(Name, "segments", new Interval(first.SackedAbove, first.SackedAbove), 1, Rfc)
            : ProbeReading.Missing(Name, "segments", Rfc, end);
    }

    static ProbeReading Base(StaircaseTrials trials, ReceiverView view, string end)
    {
        const string Name = "reo_wnd without DSACK";
        const string Rfc = "0.25";
        IReadOnlyList<Interval> windows = trials.Windows(StaircaseStep.Base);
        if (windows.Count == 0)
        {
            return ProbeReading.Missing(Name, MinRtt, Rfc, end);
        }

        return IsCounted(trials)
            ? ProbeReading.Missing(Name, MinRtt, Rfc, "it waits for a third SACK above the hole, not for a time") with { Count = windows.Count }
            : ProbeReading.Of(Name, MinRtt, Interval.Overlap(windows).Per(view.MinRttNanos), windows.Count, Rfc);
    }

    /// <summary>Whether losses are told by the number of segments SACKed above them, reordering or not.</summary>
    public static bool IsCounted(StaircaseTrials trials) =>
        trials[StaircaseStep.Base] is { Count: > 0 } holes && holes.All(hole => hole.IsResent && hole.SackedAbove is DupThresh or DupThresh + 1);

    static ProbeReading Borne(StaircaseTrials trials, StaircaseStep step, string name, string end)
    {
        string rfc = step == StaircaseStep.Within ? "all" : "none";
        IReadOnlyList<HoleTrial> late = trials[step];
        if (late.Count == 0)
        {
            return ProbeReading.Missing(name, "of 1", rfc, trials[StaircaseStep.Growth].Count > 0 ? TooSmall : end);
        }

        double part = (double)late.Count(trial => !trial.IsResent) / late.Count;
        return ProbeReading.Of(name, "of 1", new Interval(part, part), late.Count, rfc);
    }

    static ProbeReading AfterDsacks(HoleTrial trial, int dsacks, ReceiverView view)
    {
        string name = FormattableString.Invariant($"reo_wnd after {dsacks} DSACK{(dsacks == 1 ? string.Empty : "s")}");
        double steps = Math.Min((dsacks + 1) / 4.0, Math.Max(1, (double)view.SrttNanos / view.MinRttNanos));
        string rfc = steps <= 1 ? FormattableString.Invariant($"{steps:0.##}") : "SRTT";
        return trial.ReoWnd is { } window
            ? ProbeReading.Of(name, MinRtt, window.Per(view.MinRttNanos), 1, rfc)
            : ProbeReading.Missing(name, MinRtt, rfc, "it was sent again by a timer, long after");
    }

    static ProbeReading Persistence(StaircaseTrials trials, ReceiverView view, string end)
    {
        const string Name = "recoveries for which the grown window lasts";
        const string Unit = "recoveries";
        const string Rfc = "16";
        IReadOnlyList<HoleTrial> losses = trials[StaircaseStep.Persistence];
        if (trials[StaircaseStep.Growth].Count > 0 && !trials.HasGrown(view))
        {
            return ProbeReading.Missing(Name, Unit, Rfc, "the window does not follow DSACKs");
        }

        if (!trials.HasFallenBack)
        {
            return ProbeReading.Missing(Name, Unit, Rfc, losses.Count > StaircaseProfile.RfcPersistence ? $"it still lasted after {losses.Count}" : end);
        }

        return ProbeReading.Of(Name, Unit, new Interval(losses.Count - 1, losses.Count - 1), 1, Rfc);
    }
}

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
