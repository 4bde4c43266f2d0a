using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Findings.Rules;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Analysis.Findings;

/// <summary>
/// The list of all rules, and the order of what they find: sure ones first, notes behind others, those that only describe behind those, then most seconds lost.
/// A rule is a class with a method <c>Judge</c>, which tests for its finding, and a method <c>Describe</c>, which makes it: apart, because the text is built by
/// a closure, which only a finding should allocate.
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
        SlowAnswersRule.Judge,
        WindowScalingRule.Judge,
        SackRule.Judge,
        TimestampsRule.Judge,
        SegmentSizeRule.Judge,
    ];

    /// <summary>Applies all rules to the connections of a trace.</summary>
    public static IReadOnlyList<Finding> Judge(IReadOnlyList<Connection> connections, in TraceCompleteness completeness)
    {
        var findings = new List<Finding>();
        var rates = new HostRates(connections);
        foreach (Connection connection in connections)
        {
            Judge(connection, rates, findings);
        }

        MeasuredTransfers.Soften(findings, connections);
        findings.AddRange(HalvedWindowRule.Judge(connections));
        Explain(findings, PortReuseRule.Judge(connections));
        Add(findings, OneSidedRule.Judge(connections));
        Add(findings, ClockStepRule.Judge(completeness.ClockSteps));
        Add(findings, CompletenessRule.Judge(connections, completeness));
        return Sorted(findings);
    }

    static void Judge(Connection connection, HostRates rates, List<Finding> findings)
    {
        foreach (Func<Connection, Finding?> rule in OfConnections)
        {
            Add(findings, rule(connection));
        }

        for (int side = 0; side < 2; side++)
        {
            var subject = new DirectionSubject(connection, side == 0) { HostRates = rates };
            foreach (DirectionRule rule in OfDirections)
            {
                Add(findings, rule(subject));
            }
        }
    }

    // A slow opening is reported once, with its reason.
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

    /// <summary>Puts findings into their order.</summary>
    public static Finding[] Sorted(IReadOnlyList<Finding> findings)
    {
        var ids = new FindingIdOrder(findings);
        var keys = new FindingSortKey[findings.Count];
        for (int i = 0; i < keys.Length; i++)
        {
            keys[i] = FindingSortKey.Of(findings[i], ids, i);
        }

        Array.Sort(keys, FindingSortKey.Compare);
        return Array.ConvertAll(keys, static key => key.Finding);
    }
}

/// <summary>
/// The sort key of a finding: whether it is sure, whether a note, seconds lost, severity, id, connection. Keys that lie next to each other in memory, and say
/// all there is to compare, compare many times faster than the findings would.
/// </summary>
/// <param name="Finding">The finding.</param>
/// <param name="SecondsLost">Seconds lost; 0 when unknown.</param>
/// <param name="Rank">Whether it is sure, whether a note: what decides before the seconds.</param>
/// <param name="Kind">Severity and id: what decides behind the seconds.</param>
/// <param name="Connection">Index of its connection; −1 for the whole trace.</param>
/// <param name="Found">In which order it was found; decides where all else is equal.</param>
readonly record struct FindingSortKey(Finding Finding, double SecondsLost, byte Rank, short Kind, int Connection, int Found)
{
    public static FindingSortKey Of(Finding finding, FindingIdOrder ids, int found) => new(
        finding, finding.SecondsLost ?? 0, RankOf(finding), KindOf(finding, ids), finding.Connection?.Index ?? -1, found);

    public static int Compare(FindingSortKey left, FindingSortKey right)
    {
        int order = left.Rank - right.Rank;
        order = order != 0 ? order : right.SecondsLost.CompareTo(left.SecondsLost);
        order = order != 0 ? order : left.Kind - right.Kind;
        order = order != 0 ? order : left.Connection.CompareTo(right.Connection);
        return order != 0 ? order : left.Found.CompareTo(right.Found);
    }

    // Of notes those that name a cause stand in front of those that only describe.
    static byte RankOf(Finding finding) =>
        (byte)((finding.IsSure ? 0 : 3) + (finding.Severity > FindingSeverity.Note ? 0 : finding.IsDescription ? 2 : 1));

    static short KindOf(Finding finding, FindingIdOrder ids) =>
        (short)(((FindingSeverity.Critical - finding.Severity) * FindingIdOrder.MaxIds) + ids.Of(finding.Id));
}

/// <summary>The order of the ids of some findings, as numbers.</summary>
sealed class FindingIdOrder(IEnumerable<Finding> findings)
{
    /// <summary>More ids than there are.</summary>
    public const int MaxIds = 1 << 10;

    readonly Dictionary<string, int> _numbers = findings.Select(finding => finding.Id).Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal)
        .Select((id, number) => KeyValuePair.Create(id, number)).ToDictionary(StringComparer.Ordinal);

    /// <summary>The number of an id of one of them.</summary>
    public int Of(string id) => _numbers[id];
}
