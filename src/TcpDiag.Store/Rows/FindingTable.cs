using System.Collections.Generic;
using TcpDiag.Analysis.Findings;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.Rows;

/// <summary>A finding of a recording.</summary>
/// <param name="Head">The recording.</param>
/// <param name="Position">Its place among the findings, from 0: the one to mend first is the first.</param>
/// <param name="Finding">The finding.</param>
sealed record FindingSubject(RowHead Head, int Position, FindingFigures Finding);

/// <summary>The findings of a recording, added up.</summary>
/// <param name="Count">How many.</param>
/// <param name="First">What to mend first; null when nothing was found.</param>
/// <param name="SecondsLost">Time that those cost which name something to mend.</param>
readonly record struct FindingTotals(int Count, FindingFigures? First, double SecondsLost)
{
    /// <summary>Adds them up.</summary>
    /// <param name="findings">The findings, what to mend first in front.</param>
    public static FindingTotals Of(IEnumerable<FindingFigures> findings)
    {
        FindingTotals totals = default;
        foreach (FindingFigures finding in findings)
        {
            double lost = finding.IsDescription ? 0 : finding.SecondsLost ?? 0;
            totals = new(totals.Count + 1, totals.First ?? finding, totals.SecondsLost + lost);
        }

        return totals;
    }
}

/// <summary>The table of findings, without their sentences: those may name somebody, and analyze says them again.</summary>
static class FindingTable
{
    const double NanosPerSecond = 1e9;

    public static TableMap<FindingSubject> Map { get; } = new TableMap<FindingSubject>("finding", "a finding about a recording", row => row.Head)
        .Key("position", row => row.Position, "its place, from 0: what to mend first")
        .Word("finding", row => row.Finding.Id, "its name, e.g. path-loss")
        .Number("connection", row => row.Finding.Connection, "the connection; none where it concerns the whole recording")
        .Word("sender", row => row.Finding.IsFromClient is { } isFromClient ? (isFromClient ? "client" : "server") : null, "whose data it concerns")
        .Word("severity", row => Names.Of(row.Finding.Severity), "note, warning, critical")
        .Rounded("lost_ns", row => row.Finding.SecondsLost * NanosPerSecond, "time a user waited for it")
        .Rounded("lost_min_ns", row => row.Finding.MinSecondsLost * NanosPerSecond, "the least of it")
        .Share("confidence_ppm", row => row.Finding.Confidence, "how sure")
        .Flag("is_description", row => row.Finding.IsDescription, "tells a state only, names nothing to mend");
}
