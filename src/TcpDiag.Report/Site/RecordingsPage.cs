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

/// <summary>The list of recordings, with a form that chooses among them.</summary>
public static class RecordingsPage
{
    static readonly (string Column, string Title)[] Shown =
    [
        ("started_ns", "recorded, UTC"), ("machine", "machine"), ("build", "build"), ("connections", "connections"), ("findings", "findings"),
        ("lost_ns", "time lost"),
        ("first_finding", "mend first"), ("path", "file"), (RowHead.SourceName, "SHA-256"),
    ];

    /// <summary>Writes the page.</summary>
    /// <param name="output">Takes the page; stays open.</param>
    /// <param name="search">What is asked.</param>
    /// <param name="rows">Rows of its query.</param>
    /// <param name="total">How many recordings there are.</param>
    public static void Write(Stream output, RecordingSearch search, IReadOnlyList<StoreValue[]> rows, long total)
    {
        ArgumentNullException.ThrowIfNull(search);
        ArgumentNullException.ThrowIfNull(rows);
        using StreamWriter page = ScriptlessPage.Open(output);
        SitePage.Begin(page, SiteLinks.Served, "/recordings", "serve", Quantity.Count(total, "recording"));
        page.WriteLine(Form(search));
        if (rows.Count == 0)
        {
            page.WriteLine("<p>No recording is so.</p>");
        }
        else
        {
            page.WriteLine(RowTable.Of("Recordings", StoreSchema.Recordings, Shown, rows.Take(RecordingSearch.PageRows), Cell));
        }

        page.WriteLine(Pager(search, total, rows.Count > RecordingSearch.PageRows));
        SitePage.End(page);
    }

    static string Form(RecordingSearch search)
    {
        IEnumerable<string> sorts = RecordingSearch.Sorts.Select(sort =>
            $"<option value=\"{sort.Name}\"{(string.Equals(sort.Name, search.Sort, StringComparison.Ordinal) ? " selected" : string.Empty)}>"
            + $"{sort.Title}</option>");
        return SearchField.Form("/recordings", RecordingSearch.Columns, search.ValueOf,
            $"<label>Order<select name=\"sort\">{string.Concat(sorts)}</select></label>");
    }

    static string? Cell(string column, StoreValue[] row)
    {
        StoreValue value = RowTable.Value(StoreSchema.Recordings, row, column);
        string source = RowTable.Value(StoreSchema.Recordings, row, RowHead.SourceName).Text!;
        return column switch
        {
            "started_ns" => SiteLinks.Served.Recording(source, StoreText.Of(StoreSchema.Recordings.Require(column), value)),
            "machine" or "build" or "first_finding" when value.Text is { } text => SiteLinks.Served.Recordings(column, text),
            "path" when value.Text is { } path => HtmlText.Encode(path.Split('/', '\\')[^1]),
            RowHead.SourceName => $"<code>{HtmlText.Encode(source[..Math.Min(source.Length, 12)])}</code>",
            _ => null,
        };
    }

    static string Pager(RecordingSearch search, long total, bool hasMore)
    {
        long pages = Math.Max((total + RecordingSearch.PageRows - 1) / RecordingSearch.PageRows, 1);
        string before = search.Page > 1 ? $"<a rel=\"prev\" href=\"{HtmlText.Encode(search.AddressOf(search.Page - 1))}\">Page before</a>" : string.Empty;
        string next = hasMore && search.Page < RecordingSearch.MaxPages
            ? $"<a rel=\"next\" href=\"{HtmlText.Encode(search.AddressOf(search.Page + 1))}\">Next page</a>" : string.Empty;
        return FormattableString.Invariant(
            $"<nav class=\"pager\" aria-label=\"Pages of the list\">{before}<span>Page {search.Page} of {pages}</span>{next}</nav>");
    }
}
