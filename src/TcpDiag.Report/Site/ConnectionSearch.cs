using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Schema;

namespace TcpDiag.Report.Site;

/// <summary>Which connections of all recordings of a week a list shows, the latest first.</summary>
/// <param name="Conditions">Fields and what stands in them; the week among them.</param>
/// <param name="Page">From 1 on.</param>
public sealed record ConnectionSearch(IReadOnlyList<(string Column, string Value)> Conditions, int Page)
{
    /// <summary>Rows of a page.</summary>
    public const int PageRows = 100;

    /// <summary>Pages that can be turned to: who looks for more narrows the search.</summary>
    public const int MaxPages = 100;

    /// <summary>The field of the week: connections are many, and those of a week lie together.</summary>
    public const string Week = "week";

    static readonly string[] Named = ["server_name", "server_address", "client_address", "process", "machine"];

    /// <summary>The table.</summary>
    public static StoreTable Table { get; } = StoreSchema.Find("connection")!;

    /// <summary>Fields that may be asked for, with what they are called.</summary>
    public static IReadOnlyList<(string Column, string Title)> Columns { get; } =
    [
        (SearchField.Part, "Part of a name or address"), ("server_port", "Server's port"), ("end", "End"), ("machine", "Machine"), ("build", "Build"),
        (Week, "Week (Monday)"),
    ];

    /// <summary>The rows of the page, and one more where there is another page.</summary>
    public StoreQuery Query => new(Table, new([.. Conditions.Select(one => SearchField.Condition(Table, one.Column, one.Value, Named))]))
    {
        Largest = Table.Require("begin_ns"),
        Limit = PageRows + 1,
        Skipped = (long)(Page - 1) * PageRows,
    };

    /// <summary>The address of another page of the same search.</summary>
    internal string AddressOf(int page) =>
        SiteLinks.Address("/connections", [.. Conditions, ("page", page == 1 ? string.Empty : FormattableString.Invariant($"{page}"))]);

    /// <summary>What a field is asked to be; empty where it is not asked for.</summary>
    internal string ValueOf(string column) => Conditions.FirstOrDefault(one => string.Equals(one.Column, column, StringComparison.Ordinal))
        .Value ?? string.Empty;
}
