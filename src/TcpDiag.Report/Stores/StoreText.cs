using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Store.Schema;
using TcpDiag.Wire;

namespace TcpDiag.Report.Stores;

/// <summary>Rows of a store as text: a few columns as a table, many as a paragraph for each row. Times and rates are in units that people read.</summary>
public static class StoreText
{
    const int MaxColumnsOfTable = 10;
    const int ShownOfSource = 12; // of recordings of one store no two begin alike in so many digits
    const double Millionths = 1e6;

    static readonly string[] OfList = ["source", "started_ns", "machine", "build", "connections", "findings", "lost_ns", "first_finding", "path"];

    /// <summary>The columns of recordings that a list shows.</summary>
    public static IReadOnlyList<StoreColumn> ColumnsOfList { get; } = [.. OfList.Select(StoreSchema.Recordings.Require)];

    /// <summary>Writes rows.</summary>
    /// <param name="output">Takes the text.</param>
    /// <param name="columns">The columns of the rows.</param>
    /// <param name="rows">The rows.</param>
    public static void Write(TextWriter output, IReadOnlyList<StoreColumn> columns, IEnumerable<StoreValue[]> rows)
    {
        ArgumentNullException.ThrowIfNull(output);
        ArgumentNullException.ThrowIfNull(columns);
        if (columns.Count <= MaxColumnsOfTable)
        {
            WriteTable(output, columns, rows);
            return;
        }

        foreach (StoreValue[] row in rows)
        {
            WriteFacts(output, columns, row);
            output.WriteLine();
        }
    }

    /// <summary>Writes what is known of a row, a line each.</summary>
    public static void WriteFacts(TextWriter output, IReadOnlyList<StoreColumn> columns, StoreValue[] row)
    {
        ArgumentNullException.ThrowIfNull(output);
        int width = columns.Max(column => TitleOf(column).Length);
        for (int i = 0; i < row.Length; i++)
        {
            if (!row[i].IsNone)
            {
                output.WriteLine($"{TitleOf(columns[i]).PadRight(width)}  {Whole(columns[i], row[i])}");
            }
        }
    }

    /// <summary>A value with its unit.</summary>
    /// <param name="column">Its column.</param>
    /// <param name="value">The value.</param>
    /// <returns>One line; a dash where nothing is known.</returns>
    public static string Of(StoreColumn column, StoreValue value)
    {
        ArgumentNullException.ThrowIfNull(column);
        return column.Name is "source" && value.Text is { Length: > ShownOfSource } source ? source[..ShownOfSource] : Whole(column, value);
    }

    /// <summary>A value with its unit, hashes in full.</summary>
    internal static string Whole(StoreColumn column, StoreValue value) => (column.Name, value) switch
    {
        (_, { IsNone: true }) => "-",
        (_, { Text: { } text }) => SafeText.OneLine(text),
        ("started_ns" or "begin_ns" or "added_ns", { Number: { } time }) => new TraceTime(time).ToString()[..^11].Replace('T', ' '),
        (_, { Number: { } flag }) when column.Kind == ColumnKind.Flag => flag == 0 ? "no" : "yes",
        ({ } name, { Number: { } time }) when name.EndsWith("_ns", StringComparison.Ordinal) => Quantity.Duration(time),
        ({ } name, { Number: { } rate }) when name.EndsWith("_bps", StringComparison.Ordinal) => Quantity.BitRate(rate),
        ({ } name, { Number: { } part }) when name.EndsWith("_ppm", StringComparison.Ordinal) => (part / Millionths).ToString("0.######",
            CultureInfo.InvariantCulture),
        _ => value.ToString(),
    };

    /// <summary>What a column is called where the unit stands behind the value.</summary>
    internal static string TitleOf(StoreColumn column) => column.Name.Split('_') is [.. var words, "ns" or "bps" or "ppm"] && words.Length > 0
        ? string.Join('_', words)
        : column.Name;

    static void WriteTable(TextWriter output, IReadOnlyList<StoreColumn> columns, IEnumerable<StoreValue[]> rows)
    {
        string[][] cells = [[.. columns.Select(TitleOf)], .. rows.Select(row => row.Select((value, i) => Of(columns[i], value)).ToArray())];
        int[] widths = [.. columns.Select((_, i) => cells.Max(row => row[i].Length))];
        foreach (string[] row in cells)
        {
            output.WriteLine(string.Join("  ", row.Select((cell, i) =>
                IsRight(columns[i]) ? cell.PadLeft(widths[i]) : cell.PadRight(widths[i]))).TrimEnd());
        }
    }

    static bool IsRight(StoreColumn column) => column.Kind == ColumnKind.Number;
}
