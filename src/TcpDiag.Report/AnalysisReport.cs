using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Spectre.Console;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Results;
using TcpDiag.Traces;
using TcpDiag.Traces.Bundles;
using TcpDiag.Wire;

namespace TcpDiag.Report;

/// <summary>
/// The text form of an analysis: a summary, what was found, then a few lines for each connection, the one with the most bytes first.
/// Every line fits 80 columns, or the console where that is wider; there, endpoints and names have more room. IPv6 endpoints may take a line of their own.
/// </summary>
public static class AnalysisReport
{
    const int Columns = 80;
    const int EndpointsWidth = 48;
    const int OwnerWidth = 14;

    const string SecondHeader = "            up      down  goodput b/s  rtt min/med     rtx 0win  process/→name";

    /// <summary>Writes the report.</summary>
    /// <param name="console">Takes the report.</param>
    /// <param name="analysis">The analysis.</param>
    /// <param name="reader">The trace, read to its end.</param>
    /// <param name="extent">How much to show.</param>
    /// <param name="bundles">What the bundles among the files say about their recordings; null without any.</param>
    public static void Write(
        IAnsiConsole console, TraceAnalysis analysis, TraceReader reader, AnalysisExtent extent, IReadOnlyList<BundleContents>? bundles = null)
    {
        Line(console, Summary(analysis));
        if (extent.Zone is { } zone && analysis.Packets + analysis.StackEvents > 0)
        {
            Line(console, $"{WallClock.Of(analysis.From, zone)} to {WallClock.Of(analysis.End, zone)}");
        }

        foreach (string line in (bundles ?? []).SelectMany(bundle => BundleText.Of(bundle, console.Profile.Width)))
        {
            Line(console, line);
        }

        foreach (string remark in TraceRemarks.Of(analysis, reader, console.Profile.Width))
        {
            Line(console, remark);
        }

        if (NothingFound.Reason(analysis) is { } reason)
        {
            FindingsReport.WriteNothing(console, reason);
        }

        FindingsReport.Write(console, analysis.Findings, extent.Findings, extent.Explained);
        if (analysis.Connections.Count == 0)
        {
            return;
        }

        int top = extent.Connections;

        Line(console, string.Empty);
        Connection[] listed = [.. ConnectionSorter.Sort(analysis, extent.Order).Take(top)];
        int spare = Math.Max(console.Profile.Width - Columns, 0);
        int endpoints = EndpointsWidth + Math.Min(spare, Math.Max(listed.Select(LengthOfEndpoints).DefaultIfEmpty().Max() - EndpointsWidth, 0));
        Line(console, $"   #  {"client → server".PadRight(endpoints)}     start   lasted  end\n{SecondHeader}");
        foreach (Connection connection in listed)
        {
            WriteConnection(console, connection, analysis.Start, extent.Zone, endpoints);
            Line(console, Details(connection, OwnerWidth + spare));
            foreach (string line in LimitText.Of(connection).Concat(EcnText.Of(connection)))
            {
                Line(console, line);
            }
        }

        if (analysis.Connections.Count > top)
        {
            Line(console, Invariant($"… and {analysis.Connections.Count - top} more; --top {analysis.Connections.Count} lists them, --json has them all"));
        }
    }

    static string Summary(TraceAnalysis analysis)
    {
        IReadOnlyList<Connection> connections = analysis.Connections;
        long resent = connections.Sum(connection => connection.FromClient.Retransmissions + connection.FromServer.Retransmissions);
        string bytes = Quantity.Bytes(connections.Sum(ConnectionMeasures.Bytes));
        string events = analysis.StackEvents > 0 ? $" and {Quantity.Count(analysis.StackEvents, "stack event")}" : string.Empty;
        string counts = Invariant($"{Quantity.Count(analysis.Packets, "packet")}{events}, captured over {Quantity.Duration(analysis.Length)}");
        string ends = string.Join(", ", connections
            .GroupBy(connection => connection.End)
            .OrderBy(group => group.Key)
            .Select(group => Invariant($"{group.Count()} {Name(group.Key)}")));
        int all = connections.Count + analysis.LeftOut;
        string number = analysis.LeftOut == 0 ? string.Empty : Invariant($"{connections.Count} of ");
        string what = Invariant($"{number}{Quantity.Count(all, "TCP connection")} with {bytes} of payload, {Quantity.Count(resent, "segment")} resent");
        return connections.Count == 0 ? counts : $"{counts}\n{what} ({ends})";
    }

    static int LengthOfEndpoints(Connection connection) => $"{connection.Client} → {connection.Server}".Length;

    static void WriteConnection(IAnsiConsole console, Connection connection, TraceTime start, TimeZoneInfo? zone, int width)
    {
        string client = connection.Client.ToString();
        string server = connection.Server.ToString();
        string endpoints = $"{client} → {server}";
        string index = connection.Index.ToString(CultureInfo.InvariantCulture).PadLeft(4);
        if (endpoints.Length > width)
        {
            Line(console, $"{index}  {client}");
            index = "    ";
            endpoints = $"→ {server}";
        }

        string begun = Quantity.Duration(connection.Start - start).PadLeft(9);
        string lasted = Quantity.Duration(connection.Last - connection.Start).PadLeft(8);
        Line(console, $"{index}  {endpoints.PadRight(width)}{begun} {lasted}  {Name(connection.End)}");
        if (zone is not null)
        {
            Line(console, $"      {WallClock.Of(connection.Start, zone)} to {WallClock.Of(connection.Last, zone)}");
        }
    }

    static string Details(Connection connection, int ownerWidth)
    {
        ConnectionDirection up = connection.FromClient;
        ConnectionDirection down = connection.FromServer;
        string goodput = $"{Quantity.Rate(up.GoodputBitsPerSecond)}/{Quantity.Rate(down.GoodputBitsPerSecond)}".PadLeft(12);
        RttSummary rtt = RoundTrip.Of(connection);
        string times = (rtt.Samples == 0 ? "-" : $"{Quantity.Duration(rtt.Min)}/{Quantity.Duration(rtt.Median)}").PadRight(15);
        string counts = Invariant($"{up.Retransmissions + down.Retransmissions,4} {up.ZeroWindows + down.ZeroWindows,4}");
        return $"      {Known(up),8}  {Known(down),8} {goodput}  {times} {counts}  {Owner(connection, ownerWidth)}".TrimEnd();
    }

    static string Known(ConnectionDirection direction) =>
        direction.Evidence == Evidence.None ? "-" : Quantity.Bytes(direction.PayloadBytes);

    static string Owner(Connection connection, int width)
    {
        string id = connection.ProcessId is { } process ? Invariant($"{process}") : string.Empty;
        if (id.Length == 0 && connection.ProcessName is null)
        {
            return connection.ServerName is { } server ? SafeText.OneLine($"→ {server}", width) : string.Empty;
        }

        return SafeText.OneLine($"{id} {connection.ProcessName}".Trim(), width);
    }

    static string Name(ConnectionEnd end) => end switch
    {
        ConnectionEnd.Fin => "fin",
        ConnectionEnd.Rst => "rst",
        ConnectionEnd.Timeout => "timeout",
        _ => "open",
    };

    static string Invariant(FormattableString text) => FormattableString.Invariant(text);

    // Text, not markup: brackets in it are no tags.
    static void Line(IAnsiConsole console, string text) => console.Write(new Text(text + "\n"));
}

/// <summary>How much of an analysis the text report shows, and how.</summary>
/// <param name="Connections">Connections to list, at most.</param>
/// <param name="Findings">Findings to list, at most.</param>
/// <param name="Explained">How many of these come with cause, evidence and advice.</param>
/// <param name="Order">Which connections come first.</param>
/// <param name="Zone">Zone of wall-clock times beside those from the start of the trace; null without.</param>
public readonly record struct AnalysisExtent(
    int Connections, int Findings, int Explained, ConnectionOrder Order = ConnectionOrder.Bytes, TimeZoneInfo? Zone = null);

/// <summary>Marks of congestion, in a line for each direction that got any.</summary>
static class EcnText
{
    /// <summary>The lines.</summary>
    /// <returns>None where no mark shows.</returns>
    public static IEnumerable<string> Of(Connection connection) =>
        new[] { Line("up", connection.FromClient.Ecn), Line("down", connection.FromServer.Ecn) }.OfType<string>();

    static string? Line(string way, EcnSummary? ecn) => ecn is { IsMarked: true }
        ? FormattableString.Invariant($"      {way,4} ECN: {Quantity.Count(ecn.Marked, "packet")} marked here{Echoed(ecn)}")
        : null;

    static string Echoed(EcnSummary ecn) => ecn is { Echoes: { } echoes, Reductions: { } reductions }
        ? $", {Quantity.Count(echoes, "echo", "echoes")} back, window reduced {Quantity.Count(reductions, "time")}"
        : string.Empty;
}

/// <summary>What limited a connection, in a line for each direction that carried data.</summary>
static class LimitText
{
    const double MinShare = 0.005; // what rounds to 0 % is left out
    const double MinDoubt = 0.05; // less changes no verdict
    const int MaxStates = 3;

    /// <summary>The lines.</summary>
    /// <returns>None where no data was sent; else the states, or why there are none.</returns>
    public static IEnumerable<string> Of(Connection connection) =>
        new[] { Line("up", connection, connection.FromClient), Line("down", connection, connection.FromServer) }.OfType<string>();

    static string? Line(string way, Connection connection, ConnectionDirection direction) => direction.Limits switch
    {
        { Times.Total: > 0 } limits => $"      {way,4} {States(limits.Times)}{Doubt(limits)}",
        null when MissingMeasures.WhyNoLimits(connection, direction) is { } reason => $"      {way,4} limits unknown: {reason}",
        _ => null,
    };

    // Nothing limits a direction that is idle.
    static string States(LimitTimes times)
    {
        double total = times.Total;
        LimitState[] most = [.. Enum.GetValues<LimitState>()
            .Where(state => times.In(state) >= MinShare * total)
            .OrderByDescending(state => times.In(state))
            .Take(MaxStates)];
        string Share(LimitState state) => $"{Name(state)} {(times.In(state) / total).ToString("0 %", CultureInfo.InvariantCulture)}";
        string limits = string.Join(", ", most.Where(state => state != LimitState.Idle).Select(Share));
        string idle = most.Contains(LimitState.Idle) ? Share(LimitState.Idle) : string.Empty;
        return (idle, limits) switch
        {
            (_, "") => idle,
            ("", _) => $"limited by {limits}",
            _ when most[0] == LimitState.Idle => $"{idle}, limited by {limits}",
            _ => $"limited by {limits}; {idle}",
        };
    }

    // How much of the shares of congestion window and send buffer is uncertain.
    static string Doubt(LimitSummary limits)
    {
        double share = (double)(limits.Uncertain + limits.UncertainSendBuffer) / limits.Times.Total;
        return share < MinDoubt ? "" : $" (uncertain: {share.ToString("0 %", CultureInfo.InvariantCulture)} of the time)";
    }

    static string Name(LimitState state) => state switch
    {
        LimitState.Application => "application",
        LimitState.Idle => "idle",
        LimitState.SendBuffer => "send buffer",
        LimitState.CongestionWindow => "cwnd",
        LimitState.ReceiveWindow => "receive window",
        LimitState.Pacing => "pacing",
        LimitState.Recovery => "recovery",
        LimitState.Timeout => "timeout",
        LimitState.Reassembly => "reassembly",
        _ => "not judged",
    };
}

/// <summary>Writes instants as people's clocks show them, so that <c>--from</c> and <c>--to</c> read them back without quotes (ISO 8601).</summary>
public static class WallClock
{
    const long NanosecondsPerTick = 100;

    /// <summary>An instant.</summary>
    /// <param name="time">The instant.</param>
    /// <param name="zone">The zone; that of <see cref="TimeZoneInfo.Utc"/> is written as <c>Z</c>.</param>
    /// <returns>E.g. <c>2026-11-21T10:24:58.500000Z</c>, <c>2026-11-21T11:24:58.500000+01:00</c>; microseconds, those that have begun.</returns>
    public static string Of(TraceTime time, TimeZoneInfo zone)
    {
        ArgumentNullException.ThrowIfNull(zone);
        DateTimeOffset instant = DateTimeOffset.UnixEpoch.AddTicks(Math.DivRem(time.Nanoseconds, NanosecondsPerTick).Quotient);
        string format = ReferenceEquals(zone, TimeZoneInfo.Utc) ? "yyyy-MM-dd'T'HH:mm:ss.ffffff'Z'" : "yyyy-MM-dd'T'HH:mm:ss.ffffffzzz";
        return TimeZoneInfo.ConvertTime(instant, zone).ToString(format, CultureInfo.InvariantCulture);
    }
}
