using System;
using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Store.Fleets;

/// <summary>
/// Goodput on one class of paths beside the same machine's other classes, week by week: what a machine is, fast or slow, is in both and falls out. What then
/// differs between groups is what a group does on such paths.
/// </summary>
sealed class PathDifferences
{
    readonly List<MachineWeek> _weeks;
    readonly PathClass[] _classes;
    readonly Dictionary<PathClass, Lazy<string?>> _outstanding;

    public PathDifferences(IEnumerable<MachineFigure> figures)
    {
        _weeks = [.. figures.GroupBy(figure => (figure.Group, figure.Machine, figure.Week))
            .Select(week => new MachineWeek(week.Key.Group, week.Key.Machine, week.ToDictionary(figure => figure.Path, figure => figure.Log)))];
        _classes = [.. _weeks.SelectMany(week => week.Logs.Keys).Distinct().OrderBy(path => path.Rtt).ThenBy(path => path.Rate)];
        _outstanding = _classes.ToDictionary(path => path, path => new Lazy<string?>(() => OutstandingOn(path)));
    }

    /// <summary>
    /// The questions about a group, one for each class. The class that stands out most is left out of what the others are compared with: else each of them
    /// would seem to differ the other way. So is the group that stands out most on a class.
    /// </summary>
    public IEnumerable<FleetQuestion> Questions(string group)
    {
        FleetQuestion[] all = [.. _classes.Where(path => IsOf(group, path)).Select(path => Question(group, path, null))];
        FleetQuestion? first = all.Where(question => question.IsTested).OrderBy(question => question.PValue).ThenBy(question => question.LogRatio.Value)
            .FirstOrDefault();
        return all.Select(question => Question(group, question.Path!.Value, question == first ? null : first?.Path));
    }

    FleetQuestion Question(string group, PathClass path, PathClass? without)
    {
        string? outstanding = _outstanding.GetValueOrDefault(path)?.Value;
        return Question(group, path, without, FleetBuilder.IsSame(outstanding ?? group, group) ? null : outstanding);
    }

    FleetQuestion Question(string group, PathClass path, PathClass? without, string? withoutGroup)
    {
        Dictionary<string, double> own = PerMachine(_weeks.Where(week => FleetBuilder.IsSame(week.Group, group)), path, without);
        HashSet<string> members = [.. _weeks.Where(week => FleetBuilder.IsSame(week.Group, group)).Select(week => week.Machine)];
        Dictionary<string, double> others = PerMachine(
            _weeks.Where(week => !members.Contains(week.Machine) && (withoutGroup is null || !FleetBuilder.IsSame(week.Group, withoutGroup))), path, without);
        return FleetQuestion.OfDifferences(group, path, [.. own.Values], [.. others.Values]);
    }

    // The group that stands out most on a class; null for none.
    string? OutstandingOn(PathClass path)
    {
        IEnumerable<string> groups = _weeks.Select(week => week.Group).Distinct(StringComparer.Ordinal).Where(group => IsOf(group, path));
        return FleetQuestion.OutstandingOf([.. groups.Select(group => Question(group, path, null, null))])?.Group;
    }

    bool IsOf(string group, PathClass path) => _weeks.Exists(week => FleetBuilder.IsSame(week.Group, group) && week.Logs.ContainsKey(path));

    static Dictionary<string, double> PerMachine(IEnumerable<MachineWeek> weeks, PathClass path, PathClass? without) => weeks
        .Select(week => (week.Machine, Difference: week.Difference(path, without)))
        .Where(week => week.Difference is not null)
        .GroupBy(week => week.Machine, week => week.Difference!.Value, StringComparer.Ordinal)
        .OrderBy(machine => machine.Key, StringComparer.Ordinal)
        .ToDictionary(machine => machine.Key, machine => machine.Average(), StringComparer.Ordinal);

    /// <summary>A machine in a week.</summary>
    sealed record MachineWeek(string Group, string Machine, Dictionary<PathClass, double> Logs)
    {
        // Null where it has no such paths, or no others.
        public double? Difference(PathClass path, PathClass? without)
        {
            double[] others = [.. Logs.Where(entry => entry.Key != path && entry.Key != without).OrderBy(entry => entry.Key.Rtt).ThenBy(entry => entry.Key.Rate)
                .Select(entry => entry.Value)];
            return Logs.TryGetValue(path, out double log) && others.Length > 0 ? log - others.Average() : null;
        }
    }
}
