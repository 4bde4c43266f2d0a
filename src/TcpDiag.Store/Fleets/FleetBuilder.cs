using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.Statistics;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.Fleets;

/// <summary>
/// Makes the report of a fleet. All its questions share one error budget (docs/decisions/0034): half of it belongs to goodput, half to time lost; what is
/// decided
/// leaves its part to the rest. A difference needs a corrected p-value below 5 %, an interval without 1, and a ratio beyond the margin.
/// </summary>
public static class FleetBuilder
{
    const double Margin = 0.05;
    const int ShownMachines = 10;

    /// <summary>The columns that machines may be grouped by.</summary>
    public static IReadOnlyList<string> Groupings { get; } = ["build", "platform", "nic", "site"];

    /// <summary>Makes the report.</summary>
    /// <param name="store">The store.</param>
    /// <param name="by">What groups are, one of <see cref="Groupings"/>.</param>
    /// <param name="weeks">How many weeks are looked at, the latest with recordings the last; 2 or more.</param>
    /// <param name="filter">Which recordings.</param>
    /// <returns>The report.</returns>
    /// <exception cref="StoreException">The store cannot be read.</exception>
    public static FleetReport Build(IResultStore store, string by, int weeks, StoreFilter filter)
    {
        ArgumentNullException.ThrowIfNull(store);
        ArgumentNullException.ThrowIfNull(filter);
        (string Machine, string Week)[] seen = MachinesOf(store, filter, out long unknown);
        if (seen.Length == 0)
        {
            return new(null, null, 0, 0, unknown) { By = by };
        }

        string latest = seen.Select(one => one.Week).Max(StringComparer.Ordinal)!;
        string since = FleetFigures.Before(latest, weeks - 1);
        var figures = new FleetFigures(store, by, filter.And("week", ConditionKind.Min, StoreValue.Of(since)));
        FleetQuestion[] goodput = [.. Questions(FleetMetric.Goodput, figures.Goodput(), latest)];
        FleetQuestion[] lost = [.. Questions(FleetMetric.TimeLost, figures.TimeLost(), latest)];
        (string Machine, string Week)[] recent = [.. seen.Where(one => string.CompareOrdinal(one.Week, since) >= 0)];
        MachineFinding[] findings = [.. figures.Findings()];
        return new(latest, since, recent.DistinctBy(one => one.Machine, StringComparer.Ordinal).Count(), figures.Transfers, unknown)
        {
            By = by,
            Changes = Judged(goodput, lost),
            Findings = FleetFindings.Of(findings, latest, recent.Count(one => IsSame(one.Week, latest)), recent.Any(one => !IsSame(one.Week, latest))),
            Attention = [.. FleetFindings.MachinesOf(findings, latest).Take(ShownMachines)],
        };
    }

    internal static (string Machine, string Week)[] MachinesOf(IResultStore store, StoreFilter filter, out long unknown)
    {
        StoreTable table = StoreSchema.Recordings;
        StoreFilter real = filter.And("is_simulated", ConditionKind.Is, StoreValue.Of(0));
        StoreValue[][] rows = [.. store.Aggregate(new AggregateQuery(table, [new(table.Require("machine"), []), new(table.Require("week"), [])], [], real))];
        unknown = rows.Where(row => row[0].IsNone || row[1].IsNone).Sum(row => row[2].Number ?? 0);
        return [.. rows.Where(row => !row[0].IsNone && !row[1].IsNone).Select(row => (row[0].Text!, row[1].Text!))];
    }

    // Of a group: itself a week before; the others, over all paths; and on each class of paths, beside its own other classes.
    static IEnumerable<FleetQuestion> Questions(FleetMetric metric, List<MachineFigure> figures, string latest)
    {
        string before = FleetFigures.Before(latest, 1);
        string[] groups = [.. figures.Select(figure => figure.Group).Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal)];
        var differences = new PathDifferences(figures);
        FleetQuestion? outstanding = FleetQuestion.OutstandingOf([.. groups.Select(group => FleetQuestion.OfOthers(metric, group, figures))]);
        foreach (string group in groups)
        {
            MachineFigure[] own = [.. figures.Where(figure => IsSame(figure.Group, group))];
            MachineFigure[] now = [.. own.Where(figure => IsSame(figure.Week, latest))];
            MachineFigure[] then = [.. own.Where(figure => IsSame(figure.Week, before))];
            yield return FleetQuestion.OfWeeks(metric, group, null, now, then);
            foreach (FleetQuestion question in groups.Length > 1 ? BesideOthers(metric, group, figures, differences, outstanding?.Group) : [])
            {
                yield return question;
            }
        }
    }

    internal static IEnumerable<FleetQuestion> BesideOthers(FleetMetric metric, string group, List<MachineFigure> figures, PathDifferences differences,
        string? outstanding = null) =>
        (metric == FleetMetric.Goodput ? differences.Questions(group) : []).Prepend(
            FleetQuestion.OfOthers(metric, group, figures, outstanding is null || IsSame(outstanding, group) ? null : outstanding));

    internal static FleetChange[] Judged(FleetQuestion[] goodput, FleetQuestion[] lost)
    {
        FleetQuestion[] tested = [.. goodput.Concat(lost).Where(question => question.IsTested)];
        double[] weights = [.. tested.Select(question => ComparisonSettings.PrimaryWeight / tested.Count(other => other.Metric == question.Metric))];
        double[] corrected = HolmCorrection.Adjust([.. tested.Select(question => question.PValue)], weights);
        Dictionary<FleetQuestion, double> found = tested.Zip(corrected).ToDictionary(pair => pair.First, pair => pair.Second);
        return
        [
            .. goodput.Concat(lost)
                .Select(question => Judge(question, found.TryGetValue(question, out double p) ? p : null))
                .OrderBy(change => change.Judgement.Verdict is Verdict.NotEnoughEvidence ? 2 : change.Judgement.Verdict is Verdict.Equal ? 1 : 0)
                .ThenBy(change => change.Judgement.CorrectedPValue ?? 1),
        ];
    }

    static FleetChange Judge(FleetQuestion question, double? corrected)
    {
        double ratio = Math.Exp(question.LogRatio.Value);
        var interval = new Interval(Math.Exp(question.LogRatio.Bounds.Low), Math.Exp(question.LogRatio.Bounds.High));
        bool isBeyond = ratio is > 1 + Margin or < 1 / (1 + Margin);
        bool isDifferent = corrected < ComparisonSettings.Level && isBeyond && (interval.Low > 1 || interval.High < 1);
        bool isEqual = question.IsTested && interval is { Low: >= 1 / (1 + Margin), High: <= 1 + Margin };
        bool isBetter = ratio > 1 == (question.Metric == FleetMetric.Goodput);
        Verdict verdict = isDifferent ? (isBetter ? Verdict.Improved : Verdict.Regressed) : isEqual ? Verdict.Equal : Verdict.NotEnoughEvidence;
        string? reason = verdict == Verdict.NotEnoughEvidence ? question.Reason ?? "the machines differ too much to tell" : null;
        var judgement = new Judgement(ratio, interval, question.PValue, corrected, question.HigherShare, verdict, reason);
        return new(question.Group, question.Metric, question.Baseline, question.Path, question.Machines, judgement);
    }

    internal static bool IsSame(string one, string other) => string.Equals(one, other, StringComparison.Ordinal);
}
