using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Report.Tests;

/// <summary>Findings to be reported.</summary>
static class FindingsOf
{
    const long NanosecondsPerSecond = 1_000_000_000;

    /// <summary>A finding of an upload on each of several connections of ten seconds.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="secondsLost">What it cost each of them.</param>
    public static IReadOnlyList<Finding> Connections(string id, params double[] secondsLost) =>
        [.. secondsLost.Select((lost, index) => Of(id, lost, Connection(index)))];

    /// <summary>A finding.</summary>
    public static Finding Of(string id, double? lost, Connection? connection = null, FindingSeverity severity = FindingSeverity.Warning) =>
        new(id, connection, connection is null ? null : true, severity, lost, 0.9, () => new FindingText($"This is {id}.", "Because.", [], []));

    /// <summary>A connection of ten seconds without data.</summary>
    public static Connection Connection(int index) => new()
    {
        Index = index,
        Client = new Endpoint(IpAddress.TryParse("10.0.0.1", out IpAddress client) ? client : default, (ushort)(50000 + index)),
        Server = new Endpoint(IpAddress.TryParse("10.0.0.2", out IpAddress server) ? server : default, 443),
        Start = default,
        Last = new TraceTime(10 * NanosecondsPerSecond),
        End = ConnectionEnd.Fin,
        FromClient = new ConnectionDirection(),
        FromServer = new ConnectionDirection(),
    };
}
