using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Findings;

namespace TcpDiag.Report;

/// <summary>Findings of one cause on any number of connections: what a reader mends once, however often it shows.</summary>
/// <param name="Findings">The findings, one or more of one id, the worst first.</param>
public sealed record FindingGroup(IReadOnlyList<Finding> Findings)
{
    /// <summary>Their id.</summary>
    public string Id => Worst.Id;

    /// <summary>The one that lost most time; of equal ones the gravest.</summary>
    public Finding Worst => Findings[0];

    /// <summary>The gravest severity of them.</summary>
    public FindingSeverity Severity { get; } = Findings.Max(finding => finding.Severity);

    /// <summary>Seconds lost by all of them. Connections wait side by side: it may be longer than the trace.</summary>
    public double SecondsLost { get; } = Findings.Sum(finding => finding.SecondsLost ?? 0);

    /// <summary>How many connections they concern; 0 for findings about the trace as a whole.</summary>
    public int Connections { get; } = Findings.Select(finding => finding.Connection?.Index).OfType<int>().Distinct().Count();
}

/// <summary>Puts findings of one id together, for text and page; the JSON lists each, and its <c>id</c> names its group.</summary>
public static class FindingGroups
{
    /// <summary>Groups findings.</summary>
    /// <param name="findings">The findings, the worst first.</param>
    /// <returns>A group for each id, in the order of findings: sure ones first, notes behind the others, then most seconds lost, then by severity.</returns>
    public static IReadOnlyList<FindingGroup> Of(IReadOnlyList<Finding> findings) =>
    [
        .. findings
            .GroupBy(finding => finding.Id, StringComparer.Ordinal)
            .Select(group => new FindingGroup([.. group]))
            .OrderByDescending(group => group.Worst.IsSure)
            .ThenBy(group => group.Severity == FindingSeverity.Note)
            .ThenByDescending(group => group.SecondsLost)
            .ThenByDescending(group => group.Severity),
    ];
}
