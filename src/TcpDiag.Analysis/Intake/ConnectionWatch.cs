using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Connections;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Names;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Intake;

/// <summary>
/// Watches the connections of a live trace. What costs time is reported when it first shows on an open connection, and again if it becomes
/// graver; once a connection has ended and fallen silent, all that was found about it is reported, and what was told before and does not hold is withdrawn.
/// </summary>
/// <param name="segments">Where the segments go to their connections.</param>
/// <param name="names">Names and lookups seen.</param>
/// <param name="filter">Which connections are reported; null for all.</param>
/// <param name="onFindings">Receives findings, and what is told of them.</param>
sealed class ConnectionWatch(
    SegmentCoalescer segments, NameTable names, ConnectionFilter? filter, Action<IReadOnlyList<Finding>, FindingNews> onFindings)
{
    const long EndedInterval = 100_000_000; // ns
    const long OpenInterval = 1_000_000_000;

    // A younger connection shows no more than its slow start.
    const long MinAgeNanos = 1_000_000_000;

    readonly Dictionary<FindingKey, Finding> _told = [];
    TraceTime _lookedForEnded;
    TraceTime _lookedAtOpen;
    int _ended;

    /// <summary>Looks at the connections if it is time to.</summary>
    /// <param name="now">Instant of the latest record.</param>
    public void OnTime(TraceTime now)
    {
        if (now - _lookedForEnded >= EndedInterval)
        {
            _lookedForEnded = now;
            ReportEnded(now);
        }

        if (now - _lookedAtOpen >= OpenInterval)
        {
            ReportOpen(now);
            _lookedAtOpen = now;
        }
    }

    /// <summary>Withdraws what was told and is not among the findings of the whole trace.</summary>
    /// <param name="findings">These.</param>
    public void OnEnd(IReadOnlyList<Finding> findings) => Withdraw(findings, [.. _told.Values]);

    // What the whole trace lacks is reported at its end.
    void ReportEnded(TraceTime now)
    {
        List<Connection> ended = segments.Connections.Folded(now);
        if (ended.Count > _ended)
        {
            List<Connection> fresh = ended[_ended..];
            _ended = ended.Count;
            Select(fresh);
            IReadOnlyList<Finding> findings = FindingRules.Judge(fresh, default);
            onFindings(findings, FindingNews.Final);
            WithdrawOf(fresh, findings);
            foreach (Finding finding in findings)
            {
                _told[FindingKey.Of(finding)] = finding;
            }
        }
    }

    void WithdrawOf(List<Connection> ended, IReadOnlyList<Finding> findings)
    {
        if (_told.Count > 0)
        {
            var starts = new HashSet<(TraceTime, Endpoint, Endpoint)>(ended.Select(FindingKey.Of));
            Withdraw(findings, [.. _told.Values.Where(finding => finding.Connection is { } connection && starts.Contains(FindingKey.Of(connection)))]);
        }
    }

    void Withdraw(IReadOnlyList<Finding> holding, IReadOnlyList<Finding> told)
    {
        var keys = new HashSet<FindingKey>(holding.Select(FindingKey.Of));
        Finding[] withdrawn = [.. told.Where(finding => !keys.Contains(FindingKey.Of(finding)))];
        foreach (Finding finding in withdrawn)
        {
            _told.Remove(FindingKey.Of(finding));
        }

        if (withdrawn.Length > 0)
        {
            onFindings(withdrawn, FindingNews.Withdrawn);
        }
    }

    void ReportOpen(TraceTime now)
    {
        List<Connection> open = segments.Connections.Look(_lookedAtOpen, now);
        open.RemoveAll(connection => now - connection.Start < MinAgeNanos);
        Select(open);
        var news = new List<Finding>();
        foreach (Finding finding in FindingRules.Judge(open, default))
        {
            if (finding is { Connection: not null, SecondsLost: > 0, Severity: > FindingSeverity.Note })
            {
                var key = FindingKey.Of(finding);
                if (!_told.TryGetValue(key, out Finding? before) || finding.Severity > before.Severity)
                {
                    _told[key] = finding;
                    news.Add(finding);
                }
            }
        }

        if (news.Count > 0)
        {
            onFindings(news, FindingNews.SoFar);
        }
    }

    void Select(List<Connection> found)
    {
        names.Attribute(found);
        if (filter is not null)
        {
            found.RemoveAll(connection => !filter.Selects(connection));
        }
    }
}

/// <summary>What is told of a finding while a trace goes on.</summary>
public enum FindingNews
{
    /// <summary>It holds so far; its connection goes on.</summary>
    SoFar,

    /// <summary>Its connection has ended.</summary>
    Final,

    /// <summary>It was told, and does not hold for all of its connection.</summary>
    Withdrawn,
}

/// <summary>A finding about a connection, whatever number that has.</summary>
readonly record struct FindingKey(string Id, bool? IsFromClient, (TraceTime Start, Endpoint Client, Endpoint Server) Connection)
{
    public static FindingKey Of(Finding finding) => new(finding.Id, finding.IsFromClient, finding.Connection is { } connection ? Of(connection) : default);

    public static (TraceTime Start, Endpoint Client, Endpoint Server) Of(Connection connection) => (connection.Start, connection.Client, connection.Server);
}
