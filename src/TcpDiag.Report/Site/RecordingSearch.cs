using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;

namespace TcpDiag.Report.Site;

/// <summary>Which recordings a list shows.</summary>
/// <param name="Conditions">Columns and what they are; that of the source begins so.</param>
/// <param name="Sort">One of <see cref="Sorts"/>.</param>
/// <param name="Page">From 1 on.</param>
public sealed record RecordingSearch(IReadOnlyList<(string Column, string Value)> Conditions, string Sort, int Page)
{
    /// <summary>Rows of a page.</summary>
    public const int PageRows = 100;

    /// <summary>Pages that can be turned to: who looks for more narrows the search.</summary>
    public const int MaxPages = 10_000;

    /// <summary>Columns that may be asked for, with what they are called.</summary>
    public static IReadOnlyList<(string Column, string Title)> Columns { get; } =
    [
        (SearchField.Part, "Part of a name"),
        ("machine", "Machine"), ("build", "Build"), ("platform", "Platform"), ("site", "Site"), ("nic", "Adapter"), ("first_finding", "First finding"),
        ("week", "Week (Monday)"), (RowHead.SourceName, "SHA-256 begins"),
    ];

    /// <summary>Orders, with what they are called and the column that they go by, the largest first.</summary>
    public static IReadOnlyList<(string Name, string Title, string Column)> Sorts { get; } =
        [("newest", "newest first", "started_ns"), ("lost", "most time lost first", "lost_ns"), ("connections", "most connections first", "connections")];

    /// <summary>The rows of the page, and one more where there is another page.</summary>
    public StoreQuery Query => new(StoreSchema.Recordings, Filter)
    {
        Largest = StoreSchema.Recordings.Require(Sorts.First(sort => string.Equals(sort.Name, Sort, StringComparison.Ordinal)).Column),
        Limit = PageRows + 1,
        Skipped = (long)(Page - 1) * PageRows,
    };

    /// <summary>The condition.</summary>
    public StoreFilter Filter => new([.. Conditions.Select(one => SearchField.Condition(StoreSchema.Recordings, one.Column, one.Value, Named))]);

    // The columns that names stand in.
    static readonly string[] Named = ["machine", "site", "build", "nic", "first_finding", "path"];

    /// <summary>The address of another page of the same search.</summary>
    internal string AddressOf(int page) => SiteLinks.Address(
        "/recordings", [.. Conditions, ("sort", Sort is "newest" ? string.Empty : Sort),
            ("page", page == 1 ? string.Empty : FormattableString.Invariant($"{page}"))]);

    /// <summary>What a column is asked to be; empty where it is not asked for.</summary>
    internal string ValueOf(string column) => Conditions.FirstOrDefault(one => string.Equals(one.Column, column, StringComparison.Ordinal))
        .Value ?? string.Empty;
}
