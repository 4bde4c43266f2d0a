using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Findings.Rules;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Analysis.Findings;

/// <summary>
/// The list of all rules. A rule is a class with a method <c>Judge</c>, which tests for its finding, and a method <c>Describe</c>, which makes it: apart,
/// because the text is built by a closure, which only a finding should allocate.
/// </summary>
static class FindingRules
{
    delegate Finding? DirectionRule(in DirectionSubject subject);

    static readonly DirectionRule[] OfDirections =
    [
        SendBufferRule.Judge,
        ReceiveWindowRule.Judge,
        HostRule.Judge,
        ZeroWindowRule.Judge,
        ReorderingCwndRule.Judge,
        PathFullRule.Judge,
        EcnRule.Judge,
        CwndRule.Judge,
        ApplicationRule.Judge,
        NagleRule.Judge,
        PolicerRule.Judge,
        PathLossRule.Judge,
        PathReorderingRule.Judge,
        SpuriousRetransmissionRule.Judge,
        DuplicationRule.Judge,
        DsackIgnoredRule.Judge,
        PingPongRule.Judge,
        ReassemblyRule.Judge,
        TimeoutRule.Judge,
        TailLossRule.Judge,
        LostRetransmissionRule.Judge,
        MtuBlackHoleRule.Judge,
        BufferbloatRule.Judge,
        IdleRestartRule.Judge,
        SlowStartRule.Judge,
        EarlyExitRule.Judge,
        SplitConnectionRule.Judge,
        DisagreementRule.Judge,
    ];

    static readonly Func<Connection, Finding?>[] OfConnections =
    [
        NameLookupRule.Judge,
        ConnectRule.Judge,
        LateSynAckRule.Judge,
        LateRequestRule.Judge,
        static connection => ApplicationTimeoutRule.Judge(connection) ?? DeadPeerRule.Judge(connection) ?? ResetRule.Judge(connection),
        WindowScalingRule.Judge,
        SackRule.Judge,
        TimestampsRule.Judge,
        SegmentSizeRule.Judge,
    ];

    /// <summary>Applies all rules to the connections of a trace.</summary>
    public static IReadOnlyList<Finding> Judge(IReadOnlyList<Connection> connections, in TraceCompleteness completeness)
    {
        var context = new TraceContext();
        foreach (Connection connection in connections)
        {
            context.Add(connection, hasWholePairs: true);
        }

        List<Finding> findings = context.Judge(connections, hasWholePairs: true);
        findings.AddRange(context.Judge(completeness));
        return FindingOrder.Sorted(findings);
    }

    /// <summary>Applies the rules that look at one connection at a time, at what its hosts reach, and at what else goes on between them.</summary>
    public static List<Finding> JudgeEach(IReadOnlyList<Connection> connections, HostRates rates, Companions companions)
    {
        var findings = new List<Finding>();
        foreach (Connection connection in connections)
        {
            Judge(connection, rates, companions, findings);
        }

        return findings;
    }

    /// <summary>Reports a slow opening once, with its reason.</summary>
    public static void Explain(List<Finding> findings, IEnumerable<Finding> reused)
    {
        var explained = reused.ToDictionary(finding => finding.Connection!);
        if (explained.Count > 0)
        {
            findings.RemoveAll(finding => finding is { Id: FindingIds.SynRetransmitted, Connection: { } connection } && explained.ContainsKey(connection));
            findings.AddRange(explained.Values);
        }
    }

    static void Judge(Connection connection, HostRates rates, Companions companions, List<Finding> findings)
    {
        Add(findings, SlowAnswersRule.Judge(connection, companions));
        foreach (Func<Connection, Finding?> rule in OfConnections)
        {
            Add(findings, rule(connection));
        }

        for (int side = 0; side < 2; side++)
        {
            var subject = new DirectionSubject(connection, side == 0) { HostRates = rates, Companions = companions };
            if (IsSilent(subject.Direction))
            {
                continue;
            }

            foreach (DirectionRule rule in OfDirections)
            {
                Add(findings, rule(subject));
            }
        }
    }

    // Of a direction in which nothing was sent but acknowledgments, as one of most connections, no rule has anything to say.
    static bool IsSilent(ConnectionDirection direction) =>
        direction is
        {
            ActiveTime: null, Retransmissions: 0, Dsacks: 0, Reordering: null, Ecn: null, Evidence: Evidence.Packets, Patterns: null or { Copies: 0 },
        };

    static void Add(List<Finding> findings, Finding? finding)
    {
        if (finding is not null)
        {
            findings.Add(finding);
        }
    }
}
