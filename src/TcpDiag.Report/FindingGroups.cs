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
    public required FindingSeverity Severity { get; init; }

    /// <summary>Seconds lost by all of them. Connections wait side by side: it may be longer than the trace.</summary>
    public required double SecondsLost { get; init; }

    /// <summary>How many connections they concern; 0 for findings about the trace as a whole.</summary>
    public required int Connections { get; init; }
}

/// <summary>Puts findings of one id together, for text and page; the JSON lists each, and its <c>id</c> names its group.</summary>
public static class FindingGroups
{
    /// <summary>Groups findings.</summary>
    /// <param name="findings">The findings, the worst first.</param>
    /// <returns>A group for each id, in the order of findings: sure ones first, in front those that broke something off, notes behind the others,
    /// then most seconds lost, then by severity.</returns>
    public static IReadOnlyList<FindingGroup> Of(IReadOnlyList<Finding> findings) =>
    [
        .. Grouped(findings)
            .OrderByDescending(group => group.Worst.IsSure)
            .ThenByDescending(group => group.Worst.IsBreakOff)
            .ThenBy(group => group.Severity == FindingSeverity.Note)
            .ThenByDescending(group => group.SecondsLost)
            .ThenByDescending(group => group.Severity),
    ];

    // Loops: there may be a hundred thousand findings of a few ids.
    static IEnumerable<FindingGroup> Grouped(IReadOnlyList<Finding> findings)
    {
        var groups = new Dictionary<string, List<Finding>>(StringComparer.Ordinal);
        var order = new List<List<Finding>>();
        for (int i = 0; i < findings.Count; i++)
        {
            Finding finding = findings[i];
            if (!groups.TryGetValue(finding.Id, out List<Finding>? group))
            {
                groups.Add(finding.Id, group = []);
                order.Add(group);
            }

            group.Add(finding);
        }

        return order.Select(Of);
    }

    static FindingGroup Of(List<Finding> findings)
    {
        FindingSeverity severity = FindingSeverity.Note;
        double seconds = 0;
        var connections = new HashSet<int>(findings.Count);
        foreach (Finding finding in findings)
        {
            severity = finding.Severity > severity ? finding.Severity : severity;
            seconds += finding.SecondsLost ?? 0;
            if (finding.Connection is { } connection)
            {
                connections.Add(connection.Index);
            }
        }

        return new(findings) { Severity = severity, SecondsLost = seconds, Connections = connections.Count };
    }
}
