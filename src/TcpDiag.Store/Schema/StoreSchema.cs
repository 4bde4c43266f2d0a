using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Store.Rows;

namespace TcpDiag.Store.Schema;

/// <summary>
/// The tables of a store. Every engine makes its own from these. A column or table that is added says since which version (<see cref="StoreColumn.Since"/>);
/// nothing is ever renamed or taken away, so that older stores become newer ones by adding.
/// </summary>
public static class StoreSchema
{
    /// <summary>The version that this program writes.</summary>
    public const int Version = 3;

    /// <summary>All tables, the table of results first.</summary>
    public static IReadOnlyList<StoreTable> Tables { get; } =
    [
        ResultTable.Map.Table, RecordingTable.Map.Table, ConnectionTable.Map.Table, DirectionTable.Map.Table, FindingTable.Map.Table,
        ScoreTable.Map.Table, LabTable.Map.Table, ComparisonTable.Map.Table,
    ];

    /// <summary>The table of recordings.</summary>
    public static StoreTable Recordings => RecordingTable.Map.Table;

    /// <summary>The table of findings.</summary>
    public static StoreTable Findings => FindingTable.Map.Table;

    /// <summary>The table of directions.</summary>
    public static StoreTable Directions => DirectionTable.Map.Table;

    /// <summary>The table of results.</summary>
    internal static StoreTable Results => ResultTable.Map.Table;

    /// <summary>Finds a table.</summary>
    /// <param name="name">Its name.</param>
    /// <returns>The table; null where there is none of that name.</returns>
    public static StoreTable? Find(string name) => Tables.FirstOrDefault(table => string.Equals(table.Name, name, StringComparison.Ordinal));

    /// <summary>The tables in which a kind of result has its rows, without the table of results.</summary>
    internal static IReadOnlyList<StoreTable> TablesOf(ResultKind kind) => kind switch
    {
        ResultKind.Analysis => [RecordingTable.Map.Table, ConnectionTable.Map.Table, DirectionTable.Map.Table, FindingTable.Map.Table],
        ResultKind.Score => [ScoreTable.Map.Table],
        ResultKind.Lab => [LabTable.Map.Table],
        _ => [ComparisonTable.Map.Table],
    };
}
