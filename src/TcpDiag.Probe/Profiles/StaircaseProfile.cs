using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Probe.Receiving;
using TcpDiag.Probe.Results;
using TcpDiag.Probe.Trials;

namespace TcpDiag.Probe.Profiles;

/// <summary>
/// Reads RACK's reordering window (RFC 8985 §6.2 step 4): before any reordering, after one segment was overtaken, with each DSACK, and how long the grown
/// window lasts. A hole reads the window at the retransmission; two late segments, one within what was read and one beyond it, test the reading.
/// </summary>
public sealed class StaircaseProfile : HoleProfile
{
    /// <summary>Recoveries for which a grown window lasts (RFC 8985 §6.2 step 4).</summary>
    public const int RfcPersistence = 16;

    const int ReorderedSegments = 2;
    const int BaseHoles = 4;
    const int Dsacks = 6;
    const int MaxRecoveries = RfcPersistence + 4;
    const int PersistenceFlight = 10;

    // Beyond every window, which SRTT bounds: the original comes last, and its retransmission was needless.
    const double BeyondSrtt = 1.25;
    const double WithinReading = 0.8;
    const double BeyondReading = 1.3;

    readonly StaircaseTrials _trials = new();
    StaircaseStep _step;
    int _done;

    /// <inheritdoc/>
    public override string Name => "staircase";

    /// <summary>What the holes showed, for the readings and for tests.</summary>
    internal StaircaseTrials Trials => _trials;

    private protected override bool HasNext => _step != StaircaseStep.Done;

    /// <inheritdoc/>
    public override IReadOnlyList<ProbeReading> Read(ReceiverView view, string end) => StaircaseReadings.Of(_trials, view, GaveUp ?? end);

    /// <inheritdoc/>
    public override string Summarise(ReceiverView view, string end) => StaircaseWords.Of(_trials, view, GaveUp ?? end);

    private protected override int WantedFlight(ReceiverView view) =>
        _step == StaircaseStep.Persistence ? Math.Min(PersistenceFlight, base.WantedFlight(view)) : base.WantedFlight(view);

    private protected override HolePlan Next(ReceiverView view) => _step switch
    {
        // One place and a half: one segment overtakes, or two, but not three.
        StaircaseStep.ShowReordering => new HolePlan(view.Settings.SpacingNanos * 3 / 2),
        StaircaseStep.Within => new HolePlan((long)(WithinReading * _trials.BaseNanos)),
        StaircaseStep.Beyond => new HolePlan((long)(BeyondReading * _trials.BaseNanos)),
        StaircaseStep.Growth => new HolePlan((long)(BeyondSrtt * view.SrttNanos), ReportsDuplicate: true),
        _ => new HolePlan(LateNanos: null),
    };

    private protected override void OnOver(HoleTrial trial, ReceiverView view)
    {
        _trials.Add(_step, trial);
        _done++;
        int wanted = _step switch
        {
            StaircaseStep.ShowReordering => ReorderedSegments,
            StaircaseStep.Base => BaseHoles,
            StaircaseStep.Within or StaircaseStep.Beyond => 2,
            StaircaseStep.Growth => Dsacks,
            StaircaseStep.Persistence => _trials.HasFallenBack || !_trials.HasGrown(view) ? _done : MaxRecoveries,
            _ => 1,
        };
        if (_done >= wanted)
        {
            _done = 0;
            _step = After(_step, view);
        }
    }

    // A delay between two acknowledgments cannot be told: what is too small to be tested is not.
    StaircaseStep After(StaircaseStep step, ReceiverView view) => step switch
    {
        StaircaseStep.Base when _trials.BaseNanos < 4 * view.Settings.SpacingNanos => StaircaseStep.Growth,
        StaircaseStep.Growth when !_trials.HasGrown(view) => StaircaseStep.Done,
        _ => step + 1,
    };
}

/// <summary>The steps of the staircase, in their order.</summary>
enum StaircaseStep
{
    /// <summary>A loss before any segment was overtaken.</summary>
    BeforeReordering,

    /// <summary>Segments are overtaken by one or two others.</summary>
    ShowReordering,

    /// <summary>Losses without DSACK.</summary>
    Base,

    /// <summary>Segments late by less than what was read.</summary>
    Within,

    /// <summary>Segments late by more than what was read.</summary>
    Beyond,

    /// <summary>Segments late by more than SRTT, each reported as DSACK when it came twice.</summary>
    Growth,

    /// <summary>Losses until the window falls back.</summary>
    Persistence,

    /// <summary>Nothing more.</summary>
    Done,
}

/// <summary>A staircase in words.</summary>
static class StaircaseWords
{
    const double Step = 0.25; // min_RTT, RFC 8985 §6.2 step 4

    /// <summary>What the sender does with segments that come late.</summary>
    public static string Of(StaircaseTrials trials, ReceiverView view, string end)
    {
        if (trials.Windows(StaircaseStep.Base).Count == 0)
        {
            return $"Nothing can be said of the reordering window, because {end}.";
        }

        if (StaircaseReadings.IsCounted(trials))
        {
            return "It takes a segment for lost when three behind it are SACKed, however little it is late: it counts, as before RACK.";
        }

        string window = FormattableString.Invariant($"It waits {trials.BaseNanos / view.MinRttNanos:0.00} min_RTT for a late segment before it sends it again");
        return trials.Windows(StaircaseStep.Growth).Count < 2 ? $"{window}; how it follows DSACKs is not read, because {end}."
            : trials.HasGrown(view) ? $"{window}, and {Growth(trials, view)}; {Persistence(trials, end)}."
            : FormattableString.Invariant($"{window}, and does not learn from {trials[StaircaseStep.Growth].Count} DSACKs.");
    }

    static string Growth(StaircaseTrials trials, ReceiverView view)
    {
        double[] windows = [.. trials.Windows(StaircaseStep.Growth).Select(window => window.Middle / view.MinRttNanos)];
        double first = windows[1] - windows[0];
        string more = Math.Abs(first - Step) < Step / 2 ? "a quarter" : first.ToString("0.00", CultureInfo.InvariantCulture);
        return FormattableString.Invariant($"{more} more after the first DSACK, up to {windows.Max():0.00}");
    }

    static string Persistence(StaircaseTrials trials, string end)
    {
        int losses = trials[StaircaseStep.Persistence].Count;
        return trials.HasFallenBack ? $"the grown window lasts for {losses - 1} recoveries"
            : losses > StaircaseProfile.RfcPersistence ? $"the grown window still lasts after {losses} recoveries"
            : $"for how long is not read, because {end}";
    }
}
