using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text.RegularExpressions;
using TcpDiag.Analysis.Findings;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Doctor.Checks;

/// <summary>Settings of Linux by which a machine sends otherwise than others do; each may be meant to be so.</summary>
static partial class SenderSettings
{
    const int InitialWindow = 10; // segments, RFC 6928 and Linux since 2.6.39

    static readonly string[] Usual = ["cubic", "bbr", "bbr2", "bbr3"];

    /// <summary>Of the sysctls, those that stand out.</summary>
    public static Check? Of(SnapshotFact fact) => fact switch
    {
        { Name: "net.ipv4.tcp_congestion_control", Value: var control } when !Usual.Contains(control, StringComparer.Ordinal) => Note(
            $"congestion control is {control}, which takes longer than cubic to fill a long path again",
            [FindingIds.PathLoss, FindingIds.CwndLimitedByReordering],
            Remedy.By("Sets the one that Linux has by itself.", Change(fact, "cubic"))),
        { Name: "net.ipv4.tcp_ecn", Value: "1" } => Note(
            "connections that begin here ask for ECN (net.ipv4.tcp_ecn = 1), for which some middleboxes drop the SYN",
            [FindingIds.SynRetransmitted, FindingIds.EcnMarks],
            Remedy.By("Sets it back to the default.", Change(fact, "2"))),
        _ => null,
    };

    /// <summary>Of a route, an initial window below what is usual.</summary>
    public static Check? OfRoute(SnapshotFact fact) =>
        Window().Match(fact.Value) is { Success: true } match
        && int.TryParse(match.Groups["segments"].ValueSpan, NumberStyles.None, CultureInfo.InvariantCulture, out int segments) && segments < InitialWindow
            ? Note(
                $"{fact.Name} at {fact.Subject} lets connections begin with {segments} segments instead of {InitialWindow}",
                [FindingIds.SlowStart],
                new Remedy("Take `initcwnd` off the route (ip route change).", null, null, Doer.Administrator))
            : null;

    static Check Note(Message found, IReadOnlyList<string> bearsOn, Remedy remedy) =>
        new(CheckIds.TcpSettings, CheckResult.Note, found) { Remedy = remedy, BearsOn = bearsOn };

    static SettingChange Change(SnapshotFact fact, string value) => SettingChange.Of(SettingKind.Sysctl, string.Empty, fact.Name, fact.Value, value);

    [GeneratedRegex(@"\binitcwnd (?<segments>\d{1,9})\b", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Window();
}
