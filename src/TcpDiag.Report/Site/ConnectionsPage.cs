using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Report.Html;
using TcpDiag.Report.Stores;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;

namespace TcpDiag.Report.Site;

/// <summary>Connections of all recordings of a week, with a form that chooses among them.</summary>
public static class ConnectionsPage
{
    static readonly (string Column, string Title)[] Shown =
    [
        ("begin_ns", "began, UTC"), ("machine", "machine"), ("build", "build"), ("client_address", "client"), ("server_address", "server"),
        ("server_port", "port"),
        ("server_name", "name"), ("process", "process"), ("duration_ns", "duration"), ("round_trip_median_ns", "round trip"), ("end", "end"),
    ];

    /// <summary>Writes the page.</summary>
    /// <param name="output">Takes the page; stays open.</param>
    /// <param name="search">What is asked.</param>
    /// <param name="rows">Rows of its query.</param>
    public static void Write(Stream output, ConnectionSearch search, IReadOnlyList<StoreValue[]> rows)
    {
        ArgumentNullException.ThrowIfNull(search);
        ArgumentNullException.ThrowIfNull(rows);
        using StreamWriter page = ScriptlessPage.Open(output);
        string week = search.ValueOf(ConnectionSearch.Week);
        SitePage.Begin(page, SiteLinks.Served, "/connections", "serve", week.Length > 0 ? $"Connections, week of {week}" : "Connections");
        page.WriteLine(SearchField.Form("/connections", ConnectionSearch.Columns, search.ValueOf, string.Empty));
        page.WriteLine(rows.Count == 0 ? "<p>No connection is so.</p>"
            : RowTable.Of("Connections", ConnectionSearch.Table, Shown, rows.Take(ConnectionSearch.PageRows), Cell));
        page.WriteLine(Pager(search, rows.Count > ConnectionSearch.PageRows));
        SitePage.End(page);
    }

    static string? Cell(string column, StoreValue[] row)
    {
        StoreValue value = RowTable.Value(ConnectionSearch.Table, row, column);
        return column switch
        {
            "begin_ns" => SiteLinks.Served.Connection(
                RowTable.Value(ConnectionSearch.Table, row, RowHead.SourceName).Text!,
                RowTable.Value(ConnectionSearch.Table, row, "connection").Number ?? 0,
                StoreText.Of(ConnectionSearch.Table.Require(column), value)),
            "machine" or "build" when value.Text is { } text => SiteLinks.Served.Recordings(column, text),
            "server_port" => HtmlText.Encode(value.ToString()),
            _ => null,
        };
    }

    static string Pager(ConnectionSearch search, bool hasMore)
    {
        string before = search.Page > 1 ? $"<a rel=\"prev\" href=\"{HtmlText.Encode(search.AddressOf(search.Page - 1))}\">Page before</a>" : string.Empty;
        string next = hasMore && search.Page < ConnectionSearch.MaxPages
            ? $"<a rel=\"next\" href=\"{HtmlText.Encode(search.AddressOf(search.Page + 1))}\">Next page</a>" : string.Empty;
        return FormattableString.Invariant($"<nav class=\"pager\" aria-label=\"Pages of the list\">{before}<span>Page {search.Page}</span>{next}</nav>");
    }
}
