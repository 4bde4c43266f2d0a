using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Report.Json;

namespace TcpDiag.Report;

/// <summary>
/// The live table of <c>tcpdiag watch</c> as lines that fit a terminal of any size. On a wide one the peer, the process and this machine's port get the
/// room.
/// </summary>
public static class WatchTable
{
    const int NumbersWidth = 56;
    const int MinPeer = 16;
    const int MaxPeer = 47; // an IPv6 address and a port
    const int MinProcess = 7;
    const int MaxProcess = 16;
    const int PortWidth = 7;
    const long NanosecondsPerMicrosecond = 1000;

    // Each includes the blank in front of it.
    static readonly int[] Widths = [7, 7, 6, 7, 6, 5, 4, 7, 7];

    /// <summary>The lines.</summary>
    /// <param name="watch">The connections.</param>
    /// <param name="width">Columns of the terminal.</param>
    /// <param name="height">Lines of the terminal; connections that do not fit are counted.</param>
    /// <returns>At most so many lines, none longer than the terminal.</returns>
    public static IReadOnlyList<string> Lines(WatchDocument watch, int width, int height)
    {
        ArgumentNullException.ThrowIfNull(watch);
        int rest = Math.Max(width - NumbersWidth - MinPeer - MinProcess - 1, 0);
        int process = MinProcess + Math.Min(rest / 3, MaxProcess - MinProcess);
        rest -= process - MinProcess;
        bool hasPort = rest > PortWidth + 8;
        int peer = Math.Min(MinPeer + rest - (hasPort ? PortWidth : 0), MaxPeer);
        int shown = Math.Clamp(height - 2, 0, watch.Connections.Count);
        long left = watch.Connections.Count - shown + watch.LeftOut;
        string more = left > 0 ? string.Create(CultureInfo.InvariantCulture, $", {left} not shown") : string.Empty;
        string connections = Quantity.Count(watch.Connections.Count + watch.LeftOut, "connection");
        IEnumerable<string> lines =
        [
            string.Create(CultureInfo.InvariantCulture, $"{watch.TimeUtc:HH:mm:ss} UTC, {connections}{more}; the most time lost first"),
            Line("peer", "process", hasPort ? "port" : null, ["rate", "srtt", "cwnd", "flight", "wnd", "rtx", "reo", "limit", "lost"]),
            .. watch.Connections.Take(shown).Select(connection => Row(connection)),
        ];
        return [.. lines.Take(height).Select(line => line.Length > width ? line[..width] : line)];

        string Row(WatchedConnectionEntry connection) => Line(
            NameOf(connection.Remote),
            connection.Process ?? "-",
            hasPort ? connection.Local.Port.ToString(CultureInfo.InvariantCulture) : null,
            [
                Rate(connection), Time(connection.SrttMicroseconds), Quantity.Rate(connection.CwndBytes), Quantity.Rate(connection.InFlightBytes),
                Quantity.Rate(connection.SendWindowBytes), Quantity.Rate(connection.Retransmissions), Quantity.Rate(connection.Reorderings),
                NameOf(connection.Limit), Time(connection.LostMicroseconds),
            ]);

        string Line(string first, string second, string? port, string[] numbers) => string.Concat(
            Fit(first, peer),
            " ",
            Fit(second, process),
            port is null ? string.Empty : port.PadLeft(PortWidth),
            string.Concat(numbers.Zip(Widths, (text, columns) => text.PadLeft(columns))));
    }

    // The direction that carries more, with an arrow for it.
    static string Rate(WatchedConnectionEntry connection)
    {
        bool isSending = connection.SendBitsPerSecond >= (connection.ReceiveBitsPerSecond ?? 0);
        double? rate = isSending ? connection.SendBitsPerSecond : connection.ReceiveBitsPerSecond;
        return Quantity.Rate(rate) + (rate is > 0 ? isSending ? "↑" : "↓" : string.Empty);
    }

    static string Fit(string text, int width)
    {
        string safe = SafeText.OneLine(text);
        return safe.Length <= width ? safe.PadRight(width) : string.Concat(safe.AsSpan(0, width - 1), "…");
    }

    static string Time(long? microseconds) =>
        microseconds is { } time ? Quantity.Duration(time * NanosecondsPerMicrosecond).Replace(" ", string.Empty, StringComparison.Ordinal) : "-";

    static string NameOf(EndpointEntry end) => end.Address.Contains(':', StringComparison.Ordinal)
        ? string.Create(CultureInfo.InvariantCulture, $"[{end.Address}]:{end.Port}")
        : string.Create(CultureInfo.InvariantCulture, $"{end.Address}:{end.Port}");

    static string NameOf(string? limit) => limit switch
    {
        "application" => "app",
        "congestionWindow" => "cwnd",
        "receiveWindow" => "rwnd",
        "sendBuffer" => "sndbuf",
        "recovery" => "loss",
        "timeout" => "rto",
        _ => "-",
    };
}
