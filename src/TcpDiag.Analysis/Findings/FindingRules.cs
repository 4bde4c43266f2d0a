using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Findings.Rules;

namespace TcpDiag.Analysis.Findings;

/// <summary>All rules, and the order of what they find: most seconds lost first, then the gravest.</summary>
static class FindingRules
{
    delegate Finding? DirectionRule(in DirectionSubject subject);

    static readonly DirectionRule[] OfDirections =
    [
        SendBufferRule.Judge,
        ReceiveWindowRule.Judge,
        ZeroWindowRule.Judge,
        ReorderingCwndRule.Judge,
        CwndRule.Judge,
        ApplicationRule.Judge,
        PathLossRule.Judge,
        PathReorderingRule.Judge,
        SpuriousRetransmissionRule.Judge,
        DsackIgnoredRule.Judge,
        PingPongRule.Judge,
        ReassemblyRule.Judge,
        TimeoutRule.Judge,
        TailLossRule.Judge,
        LostRetransmissionRule.Judge,
        BufferbloatRule.Judge,
        IdleRestartRule.Judge,
        DisagreementRule.Judge,
    ];

    static readonly Func<Connection, Finding?>[] OfConnections =
    [
        NameLookupRule.Judge,
        ConnectRule.Judge,
        static connection => ApplicationTimeoutRule.Judge(connection) ?? ResetRule.Judge(connection),
        SlowAnswersRule.Judge,
        WindowScalingRule.Judge,
        SackRule.Judge,
        TimestampsRule.Judge,
        SegmentSizeRule.Judge,
    ];

    /// <summary>Judges the connections of a trace.</summary>
    /// <param name="connections">The connections, in order.</param>
    /// <param name="completeness">What the trace lacks.</param>
    /// <returns>The findings in order; those of each connection are also told to it.</returns>
    public static IReadOnlyList<Finding> Judge(IReadOnlyList<Connection> connections, in TraceCompleteness completeness)
    {
        var findings = new List<Finding>();
        foreach (Connection connection in connections)
        {
            Judge(connection, findings);
        }

        findings.AddRange(HalvedWindowRule.Judge(connections));
        Explain(findings, PortReuseRule.Judge(connections));
        Add(findings, OneSidedRule.Judge(connections));
        Add(findings, ClockStepRule.Judge(completeness.ClockSteps));
        Add(findings, CompletenessRule.Judge(connections, completeness));
        return Sorted(findings);
    }

    static void Judge(Connection connection, List<Finding> findings)
    {
        foreach (Func<Connection, Finding?> rule in OfConnections)
        {
            Add(findings, rule(connection));
        }

        for (int side = 0; side < 2; side++)
        {
            var subject = new DirectionSubject(connection, side == 0);
            foreach (DirectionRule rule in OfDirections)
            {
                Add(findings, rule(subject));
            }
        }
    }

    // A slow opening is told once, with its reason.
    static void Explain(List<Finding> findings, IEnumerable<Finding> reused)
    {
        var explained = reused.ToDictionary(finding => finding.Connection!);
        if (explained.Count > 0)
        {
            findings.RemoveAll(finding => finding is { Id: FindingIds.SynRetransmitted, Connection: { } connection } && explained.ContainsKey(connection));
            findings.AddRange(explained.Values);
        }
    }

    static void Add(List<Finding> findings, Finding? finding)
    {
        if (finding is not null)
        {
            findings.Add(finding);
        }
    }

    static Finding[] Sorted(List<Finding> findings)
    {
        var ranks = new FindingRank[findings.Count];
        for (int i = 0; i < ranks.Length; i++)
        {
            ranks[i] = FindingRank.Of(findings[i], i);
        }

        Array.Sort(ranks, FindingRank.Compare);
        return Array.ConvertAll(ranks, static rank => rank.Finding);
    }
}
