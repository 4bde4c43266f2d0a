using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.RunSets;
using TcpDiag.Scores.Statistics;

namespace TcpDiag.Store.Fleets;

/// <summary>
/// One question about a group, measured but not judged. The unit is the machine, as connections of one machine share what ails it: in pairs of its own weeks,
/// by
/// signed ranks; or beside the machines of other groups, by the ranks of Mann and Whitney.
/// </summary>
sealed class FleetQuestion
{
    /// <summary>Machines, or pairs of weeks of one, that an interval of 95 % needs.</summary>
    public const int FewestMachines = ComparisonSettings.MinRuns;

    FleetQuestion(string group, FleetMetric metric, FleetBaseline baseline, PathClass? path)
    {
        Group = group;
        Metric = metric;
        Baseline = baseline;
        Path = path;
    }

    public string Group { get; }

    public FleetMetric Metric { get; }

    public FleetBaseline Baseline { get; }

    public PathClass? Path { get; }

    /// <summary>Machines of the group.</summary>
    public int Machines { get; private init; }

    /// <summary>Whether there are enough machines to judge.</summary>
    public bool IsTested => Reason is null;

    /// <summary>Why there are not.</summary>
    public string? Reason { get; private init; }

    /// <summary>Logarithm of the ratio to the baseline.</summary>
    public Estimate LogRatio { get; private init; }

    /// <summary>Of the test.</summary>
    public double PValue { get; private init; } = 1;

    /// <summary>Share of machines, or of pairs of machines, in which the group's figure is higher.</summary>
    public double HigherShare { get; private init; } = 0.5;

    /// <summary>A group beside itself a week before: each machine that has figures of the same class in both weeks is one difference.</summary>
    public static FleetQuestion OfWeeks(FleetMetric metric, string group, PathClass? path, IEnumerable<MachineFigure> now, IEnumerable<MachineFigure> before)
    {
        Dictionary<(string, PathClass), double> known = before.ToDictionary(figure => (figure.Machine, figure.Path), figure => figure.Log);
        double[] differences =
        [
            .. now.Where(figure => known.ContainsKey((figure.Machine, figure.Path)))
                .GroupBy(figure => figure.Machine, figure => figure.Log - known[(figure.Machine, figure.Path)], StringComparer.Ordinal)
                .OrderBy(machine => machine.Key, StringComparer.Ordinal)
                .Select(machine => machine.Average()),
        ];
        string? reason = FewOf(differences.Length, "with like paths in both weeks");
        if (differences.Length == 0)
        {
            return new(group, metric, FleetBaseline.WeekBefore, path) { Reason = reason };
        }

        return new(group, metric, FleetBaseline.WeekBefore, path)
        {
            Machines = differences.Length,
            Reason = reason,
            LogRatio = RankIntervals.OfPairs(differences),
            PValue = SignFlips.PValue(SignFlips.SignedRanks(differences)),
            HigherShare = (differences.Count(one => one > 0) + (differences.Count(one => one == 0) / 2.0)) / differences.Length,
        };
    }

    /// <summary>
    /// A group beside the machines of all others, over all paths: each figure counts by its distance from the middle of its class. A machine that was in both
    /// counts for the group alone.
    /// </summary>
    /// <param name="metric">What is compared.</param>
    /// <param name="group">The group.</param>
    /// <param name="figures">Of all groups.</param>
    /// <param name="without">A group that is not among the others; null for none.</param>
    public static FleetQuestion OfOthers(FleetMetric metric, string group, IReadOnlyList<MachineFigure> figures, string? without = null)
    {
        Dictionary<PathClass, double> middles = figures.GroupBy(figure => figure.Path, figure => figure.Log).ToDictionary(path => path.Key, MiddleOf);
        MachineFigure[] alike = [.. figures.Select(figure => figure with { Log = figure.Log - middles[figure.Path] })];
        double[] own = PerMachine(alike.Where(figure => IsOf(figure, group)));
        HashSet<string> members = [.. alike.Where(figure => IsOf(figure, group)).Select(figure => figure.Machine)];
        double[] others = PerMachine(alike.Where(figure => !members.Contains(figure.Machine) && (without is null || !IsOf(figure, without))));
        return OfSamples(metric, group, null, own, others, FewOf(own.Length, string.Empty) ?? FewOf(others.Length, "of other groups"));
    }

    /// <summary>
    /// Of the same question about all groups the one that stands out most. It is left out of what the other groups are compared with: else each of them would
    /// seem to differ the other way. Where there are two groups there is nothing to leave out.
    /// </summary>
    public static FleetQuestion? OutstandingOf(IReadOnlyList<FleetQuestion> questions) => questions.Count <= 2 ? null
        : questions.Where(question => question.IsTested).OrderBy(question => question.PValue).ThenByDescending(question => Math.Abs(question.LogRatio.Value))
            .FirstOrDefault();

    /// <summary>A group on one class of paths, each machine beside its own other classes, beside what that is on the machines of other groups.</summary>
    /// <param name="group">The group.</param>
    /// <param name="path">The class.</param>
    /// <param name="own">Differences of logarithms, one for each machine of the group.</param>
    /// <param name="others">The same of the machines of others.</param>
    public static FleetQuestion OfDifferences(string group, PathClass path, double[] own, double[] others) => OfSamples(
        FleetMetric.Goodput, group, path, own, others,
        FewOf(own.Length, "with such paths and others") ?? FewOf(others.Length, "of other groups with such paths and others"));

    static FleetQuestion OfSamples(FleetMetric metric, string group, PathClass? path, double[] own, double[] others, string? reason)
    {
        if (own.Length == 0 || others.Length == 0)
        {
            return new(group, metric, FleetBaseline.Others, path) { Machines = own.Length, Reason = reason };
        }

        var test = MannWhitney.Of(others, own);
        return new(group, metric, FleetBaseline.Others, path)
        {
            Machines = own.Length,
            Reason = reason,
            LogRatio = RankIntervals.OfSamples(others, own),
            PValue = test.PValue(),
            HigherShare = test.U / test.Pairs,
        };
    }

    static double MiddleOf(IEnumerable<double> logs)
    {
        double[] sorted = [.. logs.Order()];
        return sorted[(sorted.Length - 1) / 2];
    }

    static bool IsOf(MachineFigure figure, string group) => string.Equals(figure.Group, group, StringComparison.Ordinal);

    static double[] PerMachine(IEnumerable<MachineFigure> figures) =>
        [.. figures.GroupBy(figure => figure.Machine, StringComparer.Ordinal).OrderBy(machine => machine.Key, StringComparer.Ordinal)
            .Select(machine => machine.OrderBy(figure => figure.Week, StringComparer.Ordinal).Average(figure => figure.Log))];

    static string? FewOf(int machines, string which) => machines >= FewestMachines ? null
        : FormattableString.Invariant($"{(machines == 0 ? "no machine" : machines == 1 ? "one machine" : $"{machines} machines")}")
            + FormattableString.Invariant($"{(which.Length > 0 ? $" {which}" : string.Empty)}, {FewestMachines} are needed");
}

/// <summary>A class of paths that are alike: by round trip and by the rate of their slowest link.</summary>
/// <param name="Rtt">Class of the round trip, from 0; null where it is not known.</param>
/// <param name="Rate">Class of the rate, from 0; null where it is not known.</param>
public readonly record struct PathClass(int? Rtt, int? Rate)
{
    /// <summary>Lower ends of the classes of round trips, nanoseconds.</summary>
    public static IReadOnlyList<long> RttBounds => PathClasses.RttBounds;

    /// <summary>Lower ends of the classes of rates, bit/s.</summary>
    public static IReadOnlyList<long> RateBounds => PathClasses.RateBounds;

    /// <inheritdoc/>
    public override string ToString() =>
        $"RTT {PathClasses.Name(Rtt, RttBounds, Quantity.Duration)}, rate {PathClasses.Name(Rate, RateBounds, bound => Quantity.BitRate(bound))}";
}
