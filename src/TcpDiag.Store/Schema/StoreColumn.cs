using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace TcpDiag.Store.Schema;

/// <summary>A column of a table. Its name says the unit: <c>_ns</c> nanoseconds, <c>_bps</c> bit/s, <c>_ppm</c> millionths of the whole.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Kind">What it holds.</param>
/// <param name="About">What it says, in a few words.</param>
public sealed record StoreColumn(string Name, ColumnKind Kind, string About)
{
    /// <summary>Whether every row has it.</summary>
    public bool IsRequired { get; init; }

    /// <summary>Whether it names somebody: a pseudonym unless addresses were asked for.</summary>
    public bool IsPersonal { get; init; }

    /// <summary>The version of the schema that brought it.</summary>
    public int Since { get; init; } = 1;
}

/// <summary>What a column holds. There are no fractions: sums of whole numbers are the same in every engine and order.</summary>
public enum ColumnKind
{
    /// <summary>A whole number of 64 bits.</summary>
    Number,

    /// <summary>1 for yes, 0 for no.</summary>
    Flag,

    /// <summary>A word of which there are few: an enumeration, a build.</summary>
    Word,

    /// <summary>Any text.</summary>
    Text,

    /// <summary>A day, <c>2026-11-23</c>.</summary>
    Day,
}

/// <summary>A table.</summary>
/// <param name="Name">Its name.</param>
/// <param name="About">What a row is.</param>
/// <param name="Columns">Its columns.</param>
/// <param name="Key">The columns that tell a row from others, and by which they are sorted.</param>
public sealed record StoreTable(string Name, string About, IReadOnlyList<StoreColumn> Columns, IReadOnlyList<string> Key)
{
    /// <summary>The version of the schema that brought it.</summary>
    public int Since => Columns.Min(column => column.Since);

    /// <summary>Finds a column.</summary>
    /// <param name="name">Its name.</param>
    /// <returns>The column; null where there is none of that name.</returns>
    public StoreColumn? Find(string name) => Columns.FirstOrDefault(column => string.Equals(column.Name, name, System.StringComparison.Ordinal));

    /// <summary>Finds a column that must be there.</summary>
    /// <param name="name">Its name.</param>
    /// <exception cref="StoreException">There is none of that name.</exception>
    public StoreColumn Require(string name) => Find(name)
        ?? throw new StoreException($"the table {Name} has no column '{name}'. Its columns: {string.Join(", ", Columns.Select(column => column.Name))}.");
}

/// <summary>A value of a row: a number, a text, or neither where nothing is known.</summary>
/// <param name="Number">The number; null for a text and for nothing.</param>
/// <param name="Text">The text; null for a number and for nothing.</param>
public readonly record struct StoreValue(long? Number, string? Text)
{
    /// <summary>Nothing.</summary>
    public static StoreValue None => default;

    /// <summary>Whether nothing is known.</summary>
    public bool IsNone => Number is null && Text is null;

    /// <summary>A number, or nothing.</summary>
    public static StoreValue Of(long? number) => new(number, null);

    /// <summary>A text, or nothing.</summary>
    public static StoreValue Of(string? text) => new(null, text);

    /// <summary>The number in digits, or the text; empty where nothing is known.</summary>
    public override string ToString() => Number?.ToString(CultureInfo.InvariantCulture) ?? Text ?? string.Empty;
}
