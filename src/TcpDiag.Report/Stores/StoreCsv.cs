using System;
using System.Collections.Generic;
using System.IO;
using TcpDiag.Report.Csv;
using TcpDiag.Store.Schema;

namespace TcpDiag.Report.Stores;

/// <summary>Rows of a store as comma-separated values (RFC 4180) with a line of names; what is not known is empty.</summary>
public static class StoreCsv
{
    /// <summary>Writes rows.</summary>
    /// <param name="output">Takes the text.</param>
    /// <param name="columns">The columns of the rows.</param>
    /// <param name="rows">The rows.</param>
    public static void Write(TextWriter output, IReadOnlyList<StoreColumn> columns, IEnumerable<StoreValue[]> rows)
    {
        ArgumentNullException.ThrowIfNull(output);
        var row = new CsvRow();
        foreach (StoreColumn column in columns)
        {
            row.Word(column.Name);
        }

        row.End(output);
        foreach (StoreValue[] values in rows)
        {
            foreach (StoreValue value in values)
            {
                _ = value.Number is { } number ? row.Number(number) : row.Text(value.Text);
            }

            row.End(output);
        }
    }
}
