using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Probe.Results;
using TcpDiag.Probe.Trials;

namespace TcpDiag.Probe.Profiles;

/// <summary>The readings of lost tails.</summary>
static class TailReadings
{
    const double NanosPerMs = 1e6;

    /// <summary>All readings.</summary>
    public static IReadOnlyList<ProbeReading> Of(IReadOnlyList<TailTrial> trials, string end) =>
    [
        Probed(trials, end),
        Timeout(Several(trials), "PTO with several segments in flight", "2", end),
        Timeout(Single(trials), "PTO with one segment in flight", "2 + ACK delay", end),
        Repair(Several(trials), end),
        Second(trials, end),
        SecondTime(trials, end),
    ];

    /// <summary>The readings in words.</summary>
    public static string Summarise(IReadOnlyList<TailTrial> trials, string end)
    {
        TailTrial[] several = [.. Several(trials)];
        if (several.Length == 0)
        {
            return $"Nothing can be said of tail loss probes, because {end}.";
        }

        int probed = several.Count(trial => trial.IsProbe);
        double srtts = ProbeReading.Median(several.Select(InSrtts));
        string first = FormattableString.Invariant($"{srtts:0.00} SRTT after the last acknowledgment, {probed} times of {several.Length}");
        return probed * 2 > several.Length
            ? $"It probes a silent tail with its last segment {first}."
            : FormattableString.Invariant($"It has no tail loss probe: the first missing segment came again {srtts:0.00} SRTT after the last acknowledgment.");
    }

    static IEnumerable<TailTrial> Several(IEnumerable<TailTrial> trials) => trials.Where(trial => trial.LostSegments > 1 && trial.Plan.LostProbes == 0);

    static IEnumerable<TailTrial> Single(IEnumerable<TailTrial> trials) => trials.Where(trial => trial.LostSegments == 1);

    static double InSrtts(TailTrial trial) => (double)trial.TimeoutNanos!.Value / Math.Max(trial.SrttNanos, 1);

    static ProbeReading Probed(IEnumerable<TailTrial> trials, string end)
    {
        const string Name = "tails probed with the last segment";
        TailTrial[] several = [.. trials.Where(trial => trial.LostSegments > 1)];
        if (several.Length == 0)
        {
            return ProbeReading.Missing(Name, "of 1", "all", end);
        }

        double part = (double)several.Count(trial => trial.IsProbe) / several.Length;
        return ProbeReading.Of(Name, "of 1", new Interval(part, part), several.Length, "all");
    }

    static ProbeReading Timeout(IEnumerable<TailTrial> trials, string name, string rfc, string end)
    {
        TailTrial[] all = [.. trials];
        TailTrial[] probed = [.. all.Where(trial => trial.IsProbe)];
        return probed.Length > 0
            ? ProbeReading.Spread(name, "SRTT", probed.Select(InSrtts), rfc)
            : ProbeReading.Missing(name, "SRTT", rfc, all.Length == 0 ? end : "the first missing segment came first: the retransmission timer");
    }

    static ProbeReading Repair(IEnumerable<TailTrial> trials, string end)
    {
        TailTrial[] all = [.. trials];
        return all.Length > 0
            ? ProbeReading.Spread("repair after the first came again", "SRTT", all.Select(trial => (double)trial.RepairNanos / Math.Max(trial.SrttNanos, 1)),
                "2 to 3")
            : ProbeReading.Missing("repair after the first came again", "SRTT", "2 to 3", end);
    }

    static ProbeReading Second(IEnumerable<TailTrial> trials, string end)
    {
        const string Name = "lost probes followed by the first segment";
        TailTrial[] lost = [.. trials.Where(trial => trial is { IsProbe: true, Plan.LostProbes: > 0, SecondNanos: not null })];
        if (lost.Length == 0)
        {
            return ProbeReading.Missing(Name, "of 1", "all", trials.Any() ? "no probe was lost" : end);
        }

        double part = (double)lost.Count(trial => trial.IsSecondTheFirst) / lost.Length;
        return ProbeReading.Of(Name, "of 1", new Interval(part, part), lost.Length, "all");
    }

    static ProbeReading SecondTime(IEnumerable<TailTrial> trials, string end)
    {
        const string Name = "RTO after a lost probe";
        IEnumerable<TailTrial> lost = trials.Where(trial => trial is { IsProbe: true, IsSecondTheFirst: true, Plan.LostProbes: > 0 });
        double[] times = [.. lost.Select(trial => trial.SecondNanos!.Value / NanosPerMs)];
        return times.Length > 0 ? ProbeReading.Spread(Name, "ms", times, "RTO")
            : ProbeReading.Missing(Name, "ms", "RTO", trials.Any() ? "no probe was lost" : end);
    }
}
