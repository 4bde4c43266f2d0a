using System.Collections.Generic;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.ClickHouse;

/// <summary>A statement that asks for rows.</summary>
/// <param name="Text">The statement; names in it are those of the schema, never of a user.</param>
/// <param name="Kinds">What its columns are.</param>
sealed record ClickHouseQuestion(string Text, BinaryKind[] Kinds)
{
    /// <summary>The external table <c>given</c> that goes with it; null for none.</summary>
    public GivenRows? Given { get; init; }
}

/// <summary>Rows that a statement reads beside those of the server.</summary>
/// <param name="Columns">Their columns.</param>
/// <param name="Rows">The rows.</param>
sealed record GivenRows(IReadOnlyList<GivenColumn> Columns, IReadOnlyList<StoreValue[]> Rows);

/// <summary>A column of rows that are given.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Type">Its type.</param>
/// <param name="Kind">How it is written.</param>
sealed record GivenColumn(string Name, string Type, BinaryKind Kind)
{
    /// <summary>A column of numbers.</summary>
    public static GivenColumn Number(string name) => new(name, "Int64", BinaryKind.Number);

    /// <summary>A column of texts.</summary>
    public static GivenColumn Text(string name) => new(name, "String", BinaryKind.Text);
}
