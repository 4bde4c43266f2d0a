using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Report.Html;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;

namespace TcpDiag.Report.Site;

/// <summary>The fields by which rows of a store are searched: columns, and one for a part of any name.</summary>
static class SearchField
{
    /// <summary>The field for a part of any name.</summary>
    public const string Part = "q";

    /// <summary>What a field asks.</summary>
    /// <param name="table">Of this table.</param>
    /// <param name="field">The field: a column, or <see cref="Part"/>.</param>
    /// <param name="value">What stands in it.</param>
    /// <param name="named">The columns that names stand in.</param>
    public static StoreCondition Condition(StoreTable table, string field, string value, IReadOnlyList<string> named) => field switch
    {
        Part => new(named[0], ConditionKind.Contains, StoreValue.Of(value)) { Or = [.. named.Skip(1)] },
        RowHead.SourceName => new(field, ConditionKind.BeginsWith, StoreValue.Of(value)),
        _ when table.Require(field).Kind is ColumnKind.Number => new(field, ConditionKind.Is, StoreValue.Of(NumberOf(value))),
        _ => new(field, ConditionKind.Is, StoreValue.Of(value)),
    };

    /// <summary>The form with the fields.</summary>
    /// <param name="action">Where it asks.</param>
    /// <param name="fields">The fields, with what they are called.</param>
    /// <param name="value">What stands in each.</param>
    /// <param name="more">Markup of what else may be chosen.</param>
    public static string Form(string action, IEnumerable<(string Column, string Title)> fields, Func<string, string> value, string more) =>
        $"<form action=\"{action}\" role=\"search\">" + string.Concat(fields.Select(one =>
            $"<label>{one.Title}<input name=\"{one.Column}\" value=\"{HtmlText.Encode(value(one.Column))}\" autocomplete=\"off\"></label>"))
                + $"{more}<button>Search</button></form>";

    // What is no number is that of no row.
    static long NumberOf(string value) => long.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out long number) ? number : -1;
}
