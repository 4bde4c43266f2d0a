using System;
using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Store.Fleets;

/// <summary>Time lost to a finding by a machine in a week.</summary>
/// <param name="Finding">The finding.</param>
/// <param name="Machine">The machine.</param>
/// <param name="Week">The week.</param>
/// <param name="LostNanos">The time, nanoseconds.</param>
sealed record MachineFinding(string Finding, string Machine, string Week, long LostNanos)
{
    public bool IsOf(string week) => string.Equals(Week, week, StringComparison.Ordinal);
}

/// <summary>What the machines of a fleet suffer from.</summary>
static class FleetFindings
{
    /// <summary>The findings of a week: prevalence by machines, and the time that all of them lost, the most first.</summary>
    /// <param name="rows">Findings by machine and week.</param>
    /// <param name="latest">The week.</param>
    /// <param name="machines">Machines of that week.</param>
    /// <param name="hasBefore">Whether there is any recording of the weeks before.</param>
    public static IReadOnlyList<FleetFinding> Of(IReadOnlyList<MachineFinding> rows, string latest, int machines, bool hasBefore) =>
    [
        .. rows.GroupBy(row => row.Finding, StringComparer.Ordinal)
            .Where(finding => finding.Any(row => row.IsOf(latest)))
            .Select(finding => Of(finding.Key, [.. finding], latest, machines, hasBefore))
            .OrderByDescending(finding => finding.LostNanos)
            .ThenBy(finding => finding.Id, StringComparer.Ordinal),
    ];

    /// <summary>The machines of a week by the time they lost, the most first.</summary>
    public static IEnumerable<FleetMachine> MachinesOf(IReadOnlyList<MachineFinding> rows, string latest) => rows
        .Where(row => row.IsOf(latest))
        .GroupBy(row => row.Machine, StringComparer.Ordinal)
        .Select(machine => new FleetMachine(machine.Key, machine.Sum(row => row.LostNanos), machine.MaxBy(row => row.LostNanos)!.Finding))
        .Where(machine => machine.LostNanos > 0)
        .OrderByDescending(machine => machine.LostNanos)
        .ThenBy(machine => machine.Machine, StringComparer.Ordinal);

    static FleetFinding Of(string id, MachineFinding[] all, string latest, int machines, bool hasBefore)
    {
        MachineFinding[] now = [.. all.Where(row => row.IsOf(latest))];
        MachineFinding[] before = [.. all.Where(row => row.IsOf(FleetFigures.Before(latest, 1)))];
        return new(
            id,
            now.Length,
            (double)now.Length / Math.Max(machines, 1),
            now.Sum(row => row.LostNanos),
            before.Length == 0 ? null : before.Sum(row => row.LostNanos),
            hasBefore && now.Length == all.Length);
    }
}
