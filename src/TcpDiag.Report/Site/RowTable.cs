using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using TcpDiag.Report.Html;
using TcpDiag.Report.Stores;
using TcpDiag.Store.Schema;

namespace TcpDiag.Report.Site;

/// <summary>Rows of a store as markup, with the units that people read.</summary>
static class RowTable
{
    /// <summary>A table with some columns of rows.</summary>
    /// <param name="name">What it is called by programs that read aloud.</param>
    /// <param name="table">The table that the rows are of, with all its columns.</param>
    /// <param name="shown">The columns shown, the first as heading of its row.</param>
    /// <param name="rows">The rows.</param>
    /// <param name="cell">Markup of a value that is to be more than its text; null where it is not.</param>
    public static string Of(
        string name, StoreTable table, IReadOnlyList<(string Column, string Title)> shown, IEnumerable<StoreValue[]> rows, Func<string, StoreValue[],
        string?> cell)
    {
        StoreColumn[] columns = [.. shown.Select(one => table.Require(one.Column))];
        int[] places = [.. columns.Select(column => IndexOf(table, column))];
        var markup = new StringBuilder(SitePage.Table(name, "rows", [.. shown.Select((one, i) => Heading(columns[i], one.Title))]));
        foreach (StoreValue[] row in rows)
        {
            markup.Append("<tr>");
            for (int i = 0; i < columns.Length; i++)
            {
                string text = cell(columns[i].Name, row) ?? HtmlText.Encode(StoreText.Of(columns[i], row[places[i]]));
                markup.Append(i == 0 ? $"<th scope=\"row\">{text}</th>" : $"<td class=\"{KindOf(columns[i])}\">{text}</td>");
            }

            markup.Append("</tr>\n");
        }

        return markup.Append(SitePage.EndTable).ToString();
    }

    /// <summary>What is known of one row, or of several side by side: a line for each column of which any is known.</summary>
    /// <param name="name">What it is called by programs that read aloud.</param>
    /// <param name="table">The table.</param>
    /// <param name="titles">What each row is called; empty without headings.</param>
    /// <param name="rows">The rows.</param>
    /// <param name="leftOut">Columns that are shown elsewhere.</param>
    public static string Facts(string name, StoreTable table, IReadOnlyList<string> titles, IReadOnlyList<StoreValue[]> rows, params string[] leftOut)
    {
        var markup = new StringBuilder(SitePage.Table(name, "facts",
            [SitePage.Heading("figure"), .. titles.Select(SitePage.Heading), SitePage.TextHeading("what it is")]));
        for (int i = 0; i < table.Columns.Count; i++)
        {
            StoreColumn column = table.Columns[i];
            if (!leftOut.Contains(column.Name, StringComparer.Ordinal) && rows.Any(row => !row[i].IsNone))
            {
                IEnumerable<string> values = rows.Select(row => $"<td class=\"value\">{HtmlText.Encode(StoreText.Whole(column, row[i]))}</td>");
                markup.Append($"<tr><th scope=\"row\">{StoreText.TitleOf(column).Replace('_', ' ')}</th>{string.Concat(values)}<td "
                    + $"class=\"text\"><small>{HtmlText.Encode(column.About)}</small></td></tr>\n");
            }
        }

        return markup.Append(SitePage.EndTable).ToString();
    }

    /// <summary>A value of a row.</summary>
    public static StoreValue Value(StoreTable table, StoreValue[] row, string column) => row[IndexOf(table, table.Require(column))];

    static int IndexOf(StoreTable table, StoreColumn column) => table.Columns.Index().First(one => ReferenceEquals(one.Item, column)).Index;

    static string Heading(StoreColumn column, string title) => column.Kind == ColumnKind.Number ? SitePage.Heading(title) : SitePage.TextHeading(title);

    static string KindOf(StoreColumn column) => column.Kind == ColumnKind.Number ? "number" : "left";
}
