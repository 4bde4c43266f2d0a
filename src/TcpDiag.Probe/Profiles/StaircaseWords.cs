using System;
using System.Globalization;
using System.Linq;
using TcpDiag.Probe.Receiving;

namespace TcpDiag.Probe.Profiles;

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
