using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Report.Html;
using TcpDiag.Report.Stores;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;

namespace TcpDiag.Report.Site;

/// <summary>What the page of a recording shows.</summary>
/// <param name="Row">The recording.</param>
/// <param name="Findings">Its findings, what to mend first in front.</param>
/// <param name="Connections">A page of its connections, in the order of their numbers.</param>
/// <param name="Directions">What their ends sent.</param>
/// <param name="First">Number of the first connection of the page.</param>
public sealed record RecordingContent(
    StoreValue[] Row, IReadOnlyList<StoreValue[]> Findings, IReadOnlyList<StoreValue[]> Connections, IReadOnlyList<StoreValue[]> Directions, long First)
{
    /// <summary>Connections of a page.</summary>
    public const int PageConnections = 200;

    /// <summary>Findings of a page.</summary>
    public const int MaxFindings = 200;

    /// <summary>SHA-256 of the recording.</summary>
    public string Source => RowTable.Value(StoreSchema.Recordings, Row, RowHead.SourceName).Text!;

    /// <summary>Connections of the recording.</summary>
    internal long All => RowTable.Value(StoreSchema.Recordings, Row, "connections").Number ?? 0;
}

/// <summary>A recording: what is known of it, its findings and its connections.</summary>
public static class RecordingPage
{
    static readonly (string Column, string Title)[] OfFindings =
        [("finding", "finding"), ("severity", "severity"), ("lost_ns", "time lost"), ("confidence_ppm", "confidence"), ("connection", "connection"),
            ("sender", "data of")];

    static readonly (string Column, string Title)[] OfConnections =
    [
        ("connection", "connection"), ("client_address", "client"), ("server_address", "server"), ("process", "process"), ("duration_ns", "duration"),
        ("round_trip_median_ns", "round trip"), ("client_port", "from client"), ("server_port", "from server"), ("end", "end"),
    ];

    /// <summary>Writes the page.</summary>
    /// <param name="output">Takes the page; stays open.</param>
    /// <param name="content">What it shows.</param>
    public static void Write(Stream output, RecordingContent content)
    {
        ArgumentNullException.ThrowIfNull(content);
        using StreamWriter page = ScriptlessPage.Open(output);
        string name = RowTable.Value(StoreSchema.Recordings, content.Row, "path").Text?.Split('/', '\\')[^1] ?? content.Source[..12];
        SitePage.Begin(page, SiteLinks.Served, "/recordings", "serve", $"Recording {name}");
        page.WriteLine("<section><h2>Findings</h2>");
        page.WriteLine(content.Findings.Count == 0
            ? "<p>Nothing was found that made a connection slow.</p>"
            : RowTable.Of("Findings", StoreSchema.Findings, OfFindings, content.Findings, (column, row) => FindingCell(content, column, row)));
        page.WriteLine("</section><section><h2>Connections</h2>");
        page.WriteLine(RowTable.Of("Connections", Table, OfConnections, content.Connections, Cells(content)));
        page.WriteLine(Pager(content));
        page.WriteLine("</section><section><h2>The recording</h2>");
        page.WriteLine(RowTable.Facts("The recording", StoreSchema.Recordings, ["value"], [content.Row]));
        page.WriteLine("</section>");
        SitePage.End(page);
    }

    static StoreTable Table { get; } = StoreSchema.Find("connection")!;

    static string? FindingCell(RecordingContent content, string column, StoreValue[] row) =>
        column is "connection" && RowTable.Value(StoreSchema.Findings, row, column).Number is { } connection
            ? SiteLinks.Served.Connection(content.Source, connection, FormattableString.Invariant($"{connection}"))
            : null;

    // Ports stand with their addresses; in their place stands what each end sent.
    static Func<string, StoreValue[], string?> Cells(RecordingContent content)
    {
        StoreTable table = StoreSchema.Directions;
        Dictionary<(long?, string?), StoreValue[]> sent = content.Directions
            .ToDictionary(row => (RowTable.Value(table, row, "connection").Number, RowTable.Value(table, row, "sender").Text));
        return (column, row) => column switch
        {
            "connection" when RowTable.Value(Table, row, column).Number is { } number =>
                SiteLinks.Served.Connection(content.Source, number, FormattableString.Invariant($"{number}")),
            "client_address" => End(row, column, "client_port"),
            "server_address" => End(row, column, "server_port"),
            "client_port" => Sent("client", row),
            "server_port" => Sent("server", row),
            _ => null,
        };

        string Sent(string sender, StoreValue[] row) =>
            sent.GetValueOrDefault((RowTable.Value(Table, row, "connection").Number, sender)) is { } direction
            && RowTable.Value(table, direction, "unique_bytes").Number is { } bytes ? HtmlText.Encode(Quantity.Bytes(bytes) + RateOf(direction)) : "-";

        string RateOf(StoreValue[] direction) => RowTable.Value(table, direction, "goodput_bps").Number is { } rate ? $", {Quantity.BitRate(rate)}"
            : string.Empty;
    }

    static string End(StoreValue[] row, string address, string port) =>
        HtmlText.Encode($"{StoreText.Of(Table.Require(address), RowTable.Value(Table, row, address))} : {RowTable.Value(Table, row, port)}");

    static string Pager(RecordingContent content)
    {
        const int size = RecordingContent.PageConnections;
        string address = $"/recordings/{Uri.EscapeDataString(content.Source)}";
        string before = content.First > 0 ? Link("prev", "Connections before", Math.Max(content.First - size, 0)) : string.Empty;
        string next = content.First + size < content.All ? Link("next", "Next connections", content.First + size) : string.Empty;
        long last = Math.Min(content.First + size, content.All) - 1;
        string shown = content.All == 0 ? "none" : FormattableString.Invariant($"{content.First} to {last} of {content.All}");
        return $"<nav class=\"pager\" aria-label=\"Pages of connections\">{before}<span>{shown}</span>{next}</nav>";

        string Link(string relation, string text, long from) => FormattableString.Invariant($"<a rel=\"{relation}\" href=\"{address}?from={from}\">{text}</a>");
    }
}
