using System.Collections.Generic;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Report;

/// <summary>What a reader wants to know first, in one sentence: what slowed what down, and how much; or that there is nothing to mend.</summary>
public static class Answer
{
    /// <summary>Makes the sentence.</summary>
    /// <param name="analysis">The analysis.</param>
    /// <returns>One line without control characters.</returns>
    public static string Of(TraceAnalysis analysis)
    {
        IReadOnlyList<FindingGroup> groups = FindingGroups.Of(analysis.Findings);
        if (analysis.Connections.Count == 0 && groups.Count == 0)
        {
            return "There is no TCP connection in this trace.";
        }

        return SafeText.OneLine(groups is [{ Worst.IsBreakOff: true } broken, ..] ? $"{Clause(broken.Worst.Title)} ({FindingWords.Extent(broken)})."
            : Costly(groups) is { } worst ? Blame(worst)
            : NothingLost(analysis, groups));
    }

    // A note costs too little to be worth mending, however many connections have it.
    static FindingGroup? Costly(IReadOnlyList<FindingGroup> groups)
    {
        foreach (FindingGroup group in groups)
        {
            if (group.SecondsLost > 0 && group.Severity > FindingSeverity.Note)
            {
                return group;
            }
        }

        return null;
    }

    static string Blame(FindingGroup group)
    {
        Finding worst = group.Worst;
        string cost = FindingWords.Cost(worst.SecondsLost)!;
        string what = Clause(worst.Title);
        if (group.Findings.Count > 1)
        {
            string all = FindingWords.Cost(group.SecondsLost)!;
            return $"{what}; this cost {FindingWords.Extent(group)} {all}, the worst of them, {Name(worst)}, {cost}.";
        }

        return worst.Connection is { } connection
            ? $"{what}; this cost {Name(worst)} {cost} of its {Quantity.Duration(connection.Last - connection.Start)}."
            : $"{what}; this cost {cost}.";
    }

    static string NothingLost(TraceAnalysis analysis, IReadOnlyList<FindingGroup> groups)
    {
        foreach (FindingGroup group in groups)
        {
            if (group.Severity > FindingSeverity.Note)
            {
                string of = group.Connections > 0 ? $" ({FindingWords.Extent(group)})" : string.Empty;
                return $"No connection is known to have lost time, but see this: {Clause(group.Worst.Title)}{of}.";
            }
        }

        return groups.Count == 0 && NothingFound.Reason(analysis) is { } reason ? reason
            : groups is [{ SecondsLost: > 0 } most, ..]
            ? $"Nothing to mend: what cost most, {most.Id}, cost {FindingWords.Cost(most.SecondsLost)} on {FindingWords.Extent(most)}."
            : "Nothing to mend: no finding cost any time.";
    }

    static string Name(Finding finding) => finding.Connection is { } connection
        ? $"{FindingWords.Subject(finding)} ({connection.Client} → {connection.Server})"
        : "the trace";

    static string Clause(string title) => title.TrimEnd('.', ' ');
}
