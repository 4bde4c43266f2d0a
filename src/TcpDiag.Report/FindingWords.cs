using System;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Report;

/// <summary>Short texts about findings, the same on a terminal and on a page.</summary>
static class FindingWords
{
    const double NanosecondsPerSecond = 1e9;

    /// <summary>The word for a severity.</summary>
    public static string Of(FindingSeverity severity) => severity switch
    {
        FindingSeverity.Critical => "critical",
        FindingSeverity.Warning => "warning",
        _ => "note",
    };

    /// <summary>A time that was lost.</summary>
    /// <param name="seconds">Seconds; null when not known.</param>
    /// <returns>The duration; null when nothing is known to be lost.</returns>
    public static string? Cost(double? seconds) =>
        seconds is > 0 and { } lost ? Quantity.Duration((long)Math.Min(lost * NanosecondsPerSecond, long.MaxValue)) : null;

    /// <summary>Connection and direction, e.g. <c>#3 upload</c>.</summary>
    /// <returns>Empty for a finding about the trace as a whole.</returns>
    public static string Subject(Finding finding) => finding.Connection is { } connection
        ? FormattableString.Invariant($"#{connection.Index}{Way(finding.IsFromClient)}")
        : string.Empty;

    /// <summary>What several findings concern, e.g. <c>24 transfers of 18 connections</c>, <c>6 connections</c>.</summary>
    public static string Extent(FindingGroup group)
    {
        string connections = Quantity.Count(group.Connections, "connection");
        int transfers = group.Findings.Count(finding => finding.IsFromClient is not null);
        return group switch
        {
            { Connections: 0 } => Quantity.Count(group.Findings.Count, "time"),
            _ when transfers > group.Connections => $"{Quantity.Count(transfers, "transfer")} of {connections}",
            _ => connections,
        };
    }

    static string Way(bool? isFromClient) => isFromClient switch
    {
        true => " upload",
        false => " download",
        null => string.Empty,
    };
}
