using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Report.Html;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;

namespace TcpDiag.Report.Site;

/// <summary>What the page of a connection shows.</summary>
/// <param name="Recording">The recording.</param>
/// <param name="Row">The connection.</param>
/// <param name="Directions">What its ends sent, the client first.</param>
/// <param name="Findings">Its findings.</param>
/// <param name="Graphs">Whether its graphs can be drawn; else the reason why not.</param>
public sealed record ConnectionContent(
    StoreValue[] Recording, StoreValue[] Row, IReadOnlyList<StoreValue[]> Directions, IReadOnlyList<StoreValue[]> Findings, string? Graphs)
{
    /// <summary>SHA-256 of the recording.</summary>
    public string Source => RowTable.Value(StoreSchema.Recordings, Recording, RowHead.SourceName).Text!;
}

/// <summary>A connection of a recording: its findings, what its ends sent side by side, and the way to its graphs.</summary>
public static class ConnectionPage
{
    static readonly string[] OfHead = [.. RowHead.Names];

    static readonly (string Column, string Title)[] OfFindings =
        [("finding", "finding"), ("severity", "severity"), ("lost_ns", "time lost"), ("confidence_ppm", "confidence"), ("sender", "data of")];

    /// <summary>Writes the page.</summary>
    /// <param name="output">Takes the page; stays open.</param>
    /// <param name="content">What it shows.</param>
    public static void Write(Stream output, ConnectionContent content)
    {
        ArgumentNullException.ThrowIfNull(content);
        StoreTable table = StoreSchema.Find("connection")!;
        using StreamWriter page = ScriptlessPage.Open(output);
        string number = RowTable.Value(table, content.Row, "connection").ToString();
        string name = RowTable.Value(StoreSchema.Recordings, content.Recording, "path").Text?.Split('/', '\\')[^1] ?? content.Source;
        SitePage.Begin(page, SiteLinks.Served, "/recordings", "serve", $"Connection {number}");
        page.WriteLine($"<p>Of the recording {SiteLinks.Served.Recording(content.Source, name)}. {Graphs(content, number)}</p>");
        page.WriteLine("<section><h2>Findings</h2>");
        page.WriteLine(content.Findings.Count == 0
            ? "<p>None.</p>"
            : RowTable.Of("Findings", StoreSchema.Findings, OfFindings, content.Findings, (_, _) => null));
        page.WriteLine("</section><section><h2>What its ends sent</h2>");
        string[] senders = [.. content.Directions.Select(row => RowTable.Value(StoreSchema.Directions, row, "sender").Text ?? "unknown")];
        page.WriteLine(LimitBars.Of(content.Directions, senders));
        page.WriteLine(RowTable.Facts("What its ends sent", StoreSchema.Directions, senders, content.Directions, [.. OfHead, "connection", "sender"]));
        page.WriteLine("</section><section><h2>The connection</h2>");
        page.WriteLine(RowTable.Facts("The connection", table, ["value"], [content.Row], OfHead));
        page.WriteLine("</section>");
        SitePage.End(page);
    }

    static string Graphs(ConnectionContent content, string number) => content.Graphs is { } reason
        ? $"No graphs: {HtmlText.Encode(reason)}"
        : $"<a href=\"/recordings/{Uri.EscapeDataString(content.Source)}/connections/{number}/graphs\">Graphs of this connection</a>";
}

/// <summary>What limited each end, as bars.</summary>
static class LimitBars
{
    const double Width = 600;
    const double Height = 16;

    static readonly (string Column, string Title)[] Limits =
    [
        ("limited_application_ns", "application"), ("limited_idle_ns", "idle"), ("limited_send_buffer_ns", "send buffer"),
        ("limited_congestion_window_ns", "cwnd"),
        ("limited_receive_window_ns", "receive window"), ("limited_pacing_ns", "pacing"), ("limited_recovery_ns", "recovery"),
        ("limited_timeout_ns", "timeout"),
        ("limited_reassembly_ns", "reassembly"),
    ];

    /// <summary>Draws them.</summary>
    /// <param name="directions">What each end sent.</param>
    /// <param name="senders">The ends.</param>
    /// <returns>Empty where no limit is known.</returns>
    public static string Of(IReadOnlyList<StoreValue[]> directions, IReadOnlyList<string> senders) =>
        string.Concat(directions.Select((row, i) => Bar(row, senders[i])));

    static string Bar(StoreValue[] row, string sender)
    {
        long[] times = [.. Limits.Select(limit => RowTable.Value(StoreSchema.Directions, row, limit.Column).Number ?? 0)];
        double all = times.Sum(time => (double)time);
        if (all <= 0)
        {
            return string.Empty;
        }

        string words = string.Join(", ", Limits.Zip(times).Where(pair => pair.Second > 0).OrderByDescending(pair => pair.Second)
            .Select(pair => FormattableString.Invariant($"{pair.First.Title} {pair.Second / all * 100:0} %")));
        string parts = string.Empty;
        double x = 0;
        for (int i = 0; i < times.Length; i++)
        {
            double width = times[i] / all * Width;
            parts += width > 0 ? Svg.Rect($"part limit{i}", x, 0, width, Height) : string.Empty;
            x += width;
        }

        return $"<figure class=\"limits\"><figcaption>What limited the {HtmlText.Encode(sender)}: {HtmlText.Encode(words)}</figcaption>"
            + $"{Svg.Open(Width, Height, HtmlText.Encode(words))}{parts}</svg></figure>\n";
    }
}
