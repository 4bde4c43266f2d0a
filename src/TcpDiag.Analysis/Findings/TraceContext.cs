using System.Collections.Generic;
using TcpDiag.Analysis.Findings.Rules;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Analysis.Findings;

/// <summary>
/// What rules ask of all connections of a trace. Connections are added one by one, in any order, and need not be kept: a trace may be judged a part at a time.
/// What is asked of all connections between two hosts is learnt from those that are judged, unless some of them are in other parts.
/// </summary>
sealed class TraceContext
{
    readonly HalvedWindowRule _windows = new();
    readonly HostRates _dividedRates = new([]); // of hosts whose connections are in several parts
    readonly Companions _dividedCompanions = new([]);
    readonly MeasuredTransfers _dividedTransfers = new();
    Connection? _firstOneSided;
    int _oneSided;
    int _count;
    long _unseen;
    long _notJudged;

    /// <summary>Looks at a connection.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="hasWholePairs">Whether all connections between its hosts are judged together with it.</param>
    public void Add(Connection connection, bool hasWholePairs)
    {
        _windows.Add(connection);
        if (!hasWholePairs)
        {
            _dividedRates.Add(connection);
            _dividedCompanions.Add(connection);
            _dividedTransfers.Add(connection);
        }

        _count++;
        _notJudged += NotJudged(connection.FromClient) + NotJudged(connection.FromServer);
        if (connection.IsOneSided)
        {
            _oneSided++;
            _firstOneSided ??= connection;
        }
        else
        {
            _unseen += connection.FromClient.UnseenBytes + connection.FromServer.UnseenBytes;
        }
    }

    /// <summary>Judges connections, when all have been added.</summary>
    /// <param name="connections">Those that are to be judged, in the order of their numbers.</param>
    /// <param name="hasWholePairs">Whether they are all that there are between their hosts.</param>
    /// <returns>Findings in the order in which they were found.</returns>
    public List<Finding> Judge(IReadOnlyList<Connection> connections, bool hasWholePairs)
    {
        List<Finding> findings = FindingRules.JudgeEach(
            connections, hasWholePairs ? new HostRates(connections) : _dividedRates, hasWholePairs ? new Companions(connections) : _dividedCompanions);
        if (MeasuredTransfers.IsAny(findings))
        {
            (hasWholePairs ? TransfersOf(connections) : _dividedTransfers).Soften(findings);
        }

        findings.AddRange(_windows.Judge(connections));
        FindingRules.Explain(findings, PortReuseRule.Judge(connections));
        return findings;
    }

    /// <summary>Judges the trace as a whole, when all connections have been added.</summary>
    /// <param name="completeness">What is known of the recording.</param>
    /// <returns>Findings in the order in which they were found.</returns>
    public IEnumerable<Finding> Judge(TraceCompleteness completeness)
    {
        Finding?[] findings =
        [
            OneSidedRule.Judge(_firstOneSided, _oneSided, _count),
            ClockStepRule.Judge(completeness.ClockSteps),
            CompletenessRule.Judge(_unseen, _notJudged, completeness),
        ];
        foreach (Finding? finding in findings)
        {
            if (finding is not null)
            {
                yield return finding;
            }
        }
    }

    static MeasuredTransfers TransfersOf(IReadOnlyList<Connection> connections)
    {
        var transfers = new MeasuredTransfers();
        foreach (Connection connection in connections)
        {
            transfers.Add(connection);
        }

        return transfers;
    }

    static long NotJudged(ConnectionDirection direction) => direction.Limits?.Times.In(LimitState.NotJudged) ?? 0;
}
