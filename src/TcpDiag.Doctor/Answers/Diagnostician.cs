using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Doctor.Answers;

/// <summary>
/// Makes the answer of findings and checks: where the time is lost, what to do, and what it is not. Decides nothing about the connections: that the findings
/// have done.
/// </summary>
public static class Diagnostician
{
    const double NanosPerSecond = 1e9;
    const int MinSegments = 20; // fewer say nothing about losses
    const double MinLikelySeconds = 1;
    const double MinLikelyShare = 0.5; // of its connection: what people notice, whatever it is
    const double SmallShare = 0.1; // as for findings: below 10 % of the time nobody notices

    static readonly string[] OfLoss =
    [
        FindingIds.PathLoss, FindingIds.TailLoss, FindingIds.LostRetransmissions, FindingIds.RtoStalls, FindingIds.Policer, FindingIds.MtuBlackHole,
        FindingIds.SpuriousRetransmissions, FindingIds.CwndLimitedByReordering, FindingIds.PathReordering,
    ];

    static readonly string[] OfWindows =
        [FindingIds.ReceiveWindowLimited, FindingIds.SendBufferLimited, FindingIds.WindowOrBuffer, FindingIds.ZeroWindow, FindingIds.WindowScalingOff];

    // What a transfer fails of that the recording does not show.
    static readonly Dictionary<string, Side> Suspects = new(StringComparer.Ordinal)
    {
        [CheckIds.PathMtu] = Side.Network,
        [CheckIds.Connect] = Side.FarEnd,
        [CheckIds.Names] = Side.Network,
    };

    /// <summary>Makes the answer.</summary>
    /// <param name="analysis">What was recorded.</param>
    /// <param name="checks">What the checks beside it found; empty where there were none.</param>
    /// <param name="snapshot">The settings of the machine that recorded; null when they are not known.</param>
    /// <param name="transfer">How the transfer ended that was made to be recorded.</param>
    /// <returns>The answer; that nothing is wrong comes without any step but for problems that the checks found.</returns>
    public static Diagnosis Of(TraceAnalysis analysis, IReadOnlyList<Check> checks, SystemSnapshot? snapshot, TransferEnd transfer = TransferEnd.Complete)
    {
        ArgumentNullException.ThrowIfNull(analysis);
        ArgumentNullException.ThrowIfNull(checks);
        bool hasFailed = transfer is TransferEnd.Failed;
        List<Finding> costly = [.. analysis.Findings.Where(IsWorthMending).Where(finding => !IsOwnDoing(finding, transfer))];
        Finding? cause = costly.Where(finding => finding.IsSure).GroupBy(finding => finding.Id, StringComparer.Ordinal)
            .OrderByDescending(group => group.Sum(finding => finding.SecondsLost ?? 0)).ThenByDescending(group => group.Max(finding => finding.Severity))
            .Select(group => group.MaxBy(finding => finding.SecondsLost ?? 0)).FirstOrDefault()
            ?? costly.Where(IsLikely).MaxBy(finding => finding.SecondsLost);
        List<Finding> all = [.. analysis.Findings.Where(finding => string.Equals(finding.Id, cause?.Id, StringComparison.Ordinal))];
        // That one end fell silent is no more than that the transfer failed: a check may know why.
        cause = hasFailed && cause is not null && SideOf(cause) is Side.Unclear && checks.Any(IsSuspect) ? null : cause;
        Check? suspect = cause is null && hasFailed
            ? checks.FirstOrDefault(IsSuspect)
            : null;
        Side side = cause is not null ? SideOf(cause)
            : suspect is not null ? Suspects[suspect.Id]
            : costly.Count > 0 || hasFailed ? Side.Unclear
            : Side.Nothing;
        return new(side, cause)
        {
            Suspect = suspect,
            SecondsLost = all.Exists(finding => finding.SecondsLost is not null) ? all.Sum(finding => finding.SecondsLost ?? 0) : null,
            SecondsOf = all.Select(finding => finding.Connection).OfType<Connection>().Distinct()
                .Sum(connection => (connection.Last - connection.Start) / NanosPerSecond),
            Connections = analysis.Connections.Count,
            Bytes = analysis.Connections.Sum(connection => connection.FromClient.UniqueBytes + connection.FromServer.UniqueBytes),
            Steps = [.. StepsOf(cause, checks, snapshot)],
            RuledOut = [.. RuleOut(analysis, checks)],
            Others = [.. costly.Where(finding => !string.Equals(finding.Id, cause?.Id, StringComparison.Ordinal)).DistinctBy(
                finding => finding.Id, StringComparer.Ordinal)],
        };
    }

    static bool IsSuspect(Check check) => check.Result is CheckResult.Problem && Suspects.ContainsKey(check.Id);

    // A standing queue slows all others down, though it costs the transfer that fills it nothing.
    static bool IsWorthMending(Finding finding) => !finding.IsDescription
        && (finding.Severity > FindingSeverity.Note || finding is { Id: FindingIds.Bufferbloat, IsSure: true } || IsLikely(finding))
        && Culprits.ById[finding.Id] is not (Culprit.Nobody or Culprit.Recording);

    // Who cut a transfer short is the application that gave up.
    static bool IsOwnDoing(Finding finding, TransferEnd transfer) => transfer is TransferEnd.CutShort && finding.Id is FindingIds.ApplicationTimeout;

    // Where an end is what a transfer waits for most of the time, that much is sure; not, which of its settings or programs.
    static bool IsLikely(Finding finding) => finding is { IsSure: false, SecondsLost: >= MinLikelySeconds, Connection: { } connection }
        && Culprits.ById[finding.Id] is Culprit.Sender or Culprit.Receiver
        && finding.SecondsLost >= MinLikelyShare * (connection.Last - connection.Start) / NanosPerSecond;

    static bool IsClientHere(Connection? connection) => connection?.Vantage is not Vantage.Server;

    static Side SideOf(Finding finding)
    {
        Connection? connection = finding.Connection;
        bool isFromHere = finding.IsFromClient == IsClientHere(connection);
        return (Culprits.ById[finding.Id], connection?.Vantage) switch
        {
            (Culprit.Path, _) => Side.Network,
            (Culprit.Unclear, _) or (_, Vantage.Middle) => Side.Unclear,
            (Culprit.Sender, _) when finding.IsFromClient is not null => isFromHere ? Side.ThisComputer : Side.FarEnd,
            (Culprit.Receiver, _) when finding.IsFromClient is not null => isFromHere ? Side.FarEnd : Side.ThisComputer,
            (Culprit.Client, _) => IsClientHere(connection) ? Side.ThisComputer : Side.FarEnd,
            (Culprit.Server, _) => IsClientHere(connection) ? Side.FarEnd : Side.ThisComputer,
            _ => Side.Unclear,
        };
    }

    // Settings of this machine that may be the cause come first; then the advice of the finding; then problems that have nothing to do with it.
    static IEnumerable<Remedy> StepsOf(Finding? cause, IReadOnlyList<Check> checks, SystemSnapshot? snapshot)
    {
        Check[] own =
        [
            .. checks.Where(check => cause is not null && check.BearsOn.Contains(cause.Id, StringComparer.Ordinal)
            && check.Result is (CheckResult.Problem or CheckResult.Note)),
        ];
        IEnumerable<Remedy> first = own.Select(Step).OfType<Remedy>();
        IEnumerable<Remedy> beside = checks.Except(own).Where(check => check.Result is CheckResult.Problem).Select(Step).OfType<Remedy>();
        if (cause is null)
        {
            return beside;
        }

        var advice = new AdviceSteps(
            IsClientHere(cause.Connection),
            SystemOf(cause.Connection?.ClientSystem, IsClientHere(cause.Connection), snapshot),
            SystemOf(cause.Connection?.ServerSystem, !IsClientHere(cause.Connection), snapshot),
            name => snapshot?.Sections.SelectMany(section => section.Facts)
                .FirstOrDefault(fact => string.Equals(fact.Name, name, StringComparison.Ordinal))?.Value);
        // A check and the finding may name the same setting.
        IEnumerable<Remedy> steps = [.. first, .. advice.Of(cause.Advice), .. beside];
        return steps.DistinctBy(step => step.Command ?? step.What.Text, StringComparer.Ordinal);
    }

    static Remedy? Step(Check check) => check.Remedy is { } remedy ? remedy with { Because = check.Found } : null;

    // What the snapshot says of the machine that recorded is sure.
    static EndSystem SystemOf(EndSystem? seen, bool isHere, SystemSnapshot? snapshot) => isHere && snapshot is not null
        ? snapshot.OperatingSystem.StartsWith("Windows", StringComparison.Ordinal) ? EndSystem.Windows : EndSystem.Linux
        : seen ?? EndSystem.Unknown;

    static IEnumerable<RuledOut> RuleOut(TraceAnalysis analysis, IReadOnlyList<Check> checks)
    {
        Connection? largest = analysis.Connections.MaxBy(connection => connection.FromClient.UniqueBytes + connection.FromServer.UniqueBytes);
        IEnumerable<RuledOut> found = largest is null ? [] : OfTransfer(analysis, largest);
        return found.Concat(checks.Where(check => check.Result is CheckResult.Fine && check.Id is (CheckIds.Names or CheckIds.PathMtu or CheckIds.TcpSettings))
            .Select(check => new RuledOut(check.Id, check.Found)));
    }

    static IEnumerable<RuledOut> OfTransfer(TraceAnalysis analysis, Connection connection)
    {
        ConnectionDirection direction = connection.FromClient.UniqueBytes >= connection.FromServer.UniqueBytes ? connection.FromClient : connection.FromServer;
        if (direction.WireSegments >= MinSegments && !Has(analysis, OfLoss))
        {
            yield return new("loss", $"{direction.Retransmissions} of {direction.WireSegments}");
        }

        if (direction.Limits is { Times: { Total: > 0 } times } && !Has(analysis, OfWindows)
            && (times.In(LimitState.ReceiveWindow) + times.In(LimitState.SendBuffer)) / (double)times.Total is < SmallShare and var share)
        {
            yield return new("windows", $"{share:0 %}");
        }

        if (RoundTrip.Of(connection) is { Samples: >= MinSegments } rtt && !Has(analysis, [FindingIds.Bufferbloat, FindingIds.PathFull]))
        {
            yield return new("queue", $"{new Figure(Quantity.Duration(rtt.Min))} to {new Figure(Quantity.Duration(rtt.P95))}");
        }

        if (connection.FromServer.Answers is { Count: > 0 } answers && !Has(analysis, [FindingIds.SlowAnswers]))
        {
            yield return new("answers", $"{new Figure(Quantity.Duration(answers.Time))}");
        }
    }

    static bool Has(TraceAnalysis analysis, string[] ids) => analysis.Findings.Any(finding => ids.Contains(finding.Id, StringComparer.Ordinal));
}

/// <summary>How a transfer ended that was made to be recorded.</summary>
public enum TransferEnd
{
    /// <summary>All of it came, or none was made.</summary>
    Complete,

    /// <summary>This program ended it while data was still coming: enough was seen, or the limit was reached.</summary>
    CutShort,

    /// <summary>It failed: then something is wrong, whatever the recording shows.</summary>
    Failed,
}
