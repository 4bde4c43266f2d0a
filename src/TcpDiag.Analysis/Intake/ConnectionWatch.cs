using System;
using System.Collections.Generic;
using TcpDiag.Analysis.Connections;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Names;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Intake;

/// <summary>
/// Watches the connections of a live trace. What costs time is reported when it first shows on an open connection, and again if it becomes
/// graver; once a connection has ended and fallen silent, all that was found about it is reported.
/// </summary>
/// <param name="connections">The connections.</param>
/// <param name="names">Names and lookups seen.</param>
/// <param name="filter">Which connections are reported; null for all.</param>
/// <param name="onFindings">Receives findings, and whether their connections go on.</param>
sealed class ConnectionWatch(
    ConnectionTable connections, NameTable names, ConnectionFilter? filter, Action<IReadOnlyList<Finding>, bool> onFindings)
{
    const long EndedInterval = 100_000_000; // ns
    const long OpenInterval = 1_000_000_000;

    // A younger connection shows no more than its slow start.
    const long MinAgeNanos = 1_000_000_000;

    readonly Dictionary<(int Connection, string Id, bool? IsFromClient), FindingSeverity> _reported = [];
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

    // What the whole trace lacks is reported at its end.
    void ReportEnded(TraceTime now)
    {
        List<Connection> ended = connections.Folded(now);
        if (ended.Count > _ended)
        {
            List<Connection> fresh = ended[_ended..];
            _ended = ended.Count;
            Select(fresh);
            onFindings(FindingRules.Judge(fresh, default), false);
        }
    }

    void ReportOpen(TraceTime now)
    {
        List<Connection> open = connections.Look(_lookedAtOpen, now);
        open.RemoveAll(connection => now - connection.Start < MinAgeNanos);
        Select(open);
        var news = new List<Finding>();
        foreach (Finding finding in FindingRules.Judge(open, default))
        {
            if (finding is { Connection: { } connection, SecondsLost: > 0, Severity: > FindingSeverity.Note })
            {
                var key = (connection.Index, finding.Id, finding.IsFromClient);
                if (!_reported.TryGetValue(key, out FindingSeverity before) || finding.Severity > before)
                {
                    _reported[key] = finding.Severity;
                    news.Add(finding);
                }
            }
        }

        if (news.Count > 0)
        {
            onFindings(news, true);
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
