using System;
using System.Collections.Generic;
using System.IO;
using System.Text.Encodings.Web;
using System.Text.Json;
using TcpDiag.Report.Json;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;

namespace TcpDiag.Report.Stores;

/// <summary>
/// Writes what the commands on a store print as JSON, schema tcpdiag/store/1 (docs/schemas): columns under the names they have in the store, null for what is
/// not known. Rows are written as they are read; none is held.
/// </summary>
public static class StoreJson
{
    const string SchemaName = "tcpdiag/store/1";
    const int FlushBytes = 1 << 16;

    /// <summary>Writes rows of a table.</summary>
    /// <param name="output">Takes the document.</param>
    /// <param name="store">The store.</param>
    /// <param name="table">The table.</param>
    /// <param name="columns">The columns of the rows.</param>
    /// <param name="rows">The rows.</param>
    public static void WriteRows(TextWriter output, string store, StoreTable table, IReadOnlyList<StoreColumn> columns, IEnumerable<StoreValue[]> rows) =>
        Write(output, store, json =>
        {
            json.WriteString("table"u8, table.Name);
            WriteArray(json, "rows", rows, row => WriteRow(json, columns, row));
        });

    /// <summary>Writes a recording with its findings.</summary>
    /// <param name="output">Takes the document.</param>
    /// <param name="store">The store.</param>
    /// <param name="recording">The row of the recording.</param>
    /// <param name="findings">Rows of findings.</param>
    public static void WriteRecording(TextWriter output, string store, StoreValue[] recording, IEnumerable<StoreValue[]> findings) =>
        Write(output, store, json =>
        {
            json.WritePropertyName("recording"u8);
            WriteRow(json, StoreSchema.Recordings.Columns, recording);
            WriteArray(json, "findings", findings, row => WriteRow(json, StoreSchema.Findings.Columns, row));
        });

    /// <summary>Writes what became of files.</summary>
    /// <param name="output">Takes the document.</param>
    /// <param name="store">The store.</param>
    /// <param name="files">The files, in the order of the command line.</param>
    public static void WriteAdded(TextWriter output, string store, IReadOnlyList<AddedFile> files) => Write(output, store, json =>
        WriteArray(json, "added", files, file =>
        {
            json.WriteStartObject();
            json.WriteString("file"u8, file.Path);
            json.WriteString("outcome"u8, file.Outcome);
            json.WriteString("source"u8, file.Result?.File.Sha256);
            json.WriteNumber("connections"u8, file.Result?.Connections);
            json.WriteNumber("findings"u8, file.Result?.Findings);
            json.WriteString("problem"u8, file.Problem);
            json.WriteEndObject();
        }));

    /// <summary>Writes a number of things that were done.</summary>
    /// <param name="output">Takes the document.</param>
    /// <param name="store">The store.</param>
    /// <param name="counts">The numbers by their names.</param>
    public static void WriteCounts(TextWriter output, string store, params (string Name, long Count)[] counts) => Write(output, store, json =>
    {
        foreach ((string name, long count) in counts)
        {
            json.WriteNumber(name, count);
        }
    });

    /// <summary>Writes the schema of stores.</summary>
    /// <param name="output">Takes the document.</param>
    public static void WriteSchema(TextWriter output) => Write(output, null, json =>
    {
        json.WriteNumber("version"u8, StoreSchema.Version);
        WriteArray(json, "tables", StoreSchema.Tables, table =>
        {
            json.WriteStartObject();
            json.WriteString("name"u8, table.Name);
            json.WriteString("about"u8, table.About);
            json.WriteStrings("key"u8, table.Key);
            WriteArray(json, "columns", table.Columns, column => WriteColumn(json, column));
            json.WriteEndObject();
        });
    });

    /// <summary>Writes rows as objects, one a line.</summary>
    /// <param name="output">Takes the lines.</param>
    /// <param name="columns">The columns of the rows.</param>
    /// <param name="rows">The rows.</param>
    public static void WriteLines(Stream output, IReadOnlyList<StoreColumn> columns, IEnumerable<StoreValue[]> rows)
    {
        ArgumentNullException.ThrowIfNull(output);
        using var json = new Utf8JsonWriter(output, new JsonWriterOptions { Encoder = JavaScriptEncoder.Default });
        foreach (StoreValue[] row in rows)
        {
            WriteRow(json, columns, row);
            json.Flush();
            output.Write("\n"u8);
            json.Reset();
        }
    }

    static void Write(TextWriter output, string? store, Action<Utf8JsonWriter> write)
    {
        using (var json = new Utf8JsonWriter(TextWriterStream.Open(output)))
        {
            json.WriteStartObject();
            json.WriteString("schema"u8, SchemaName);
            if (store is not null)
            {
                json.WriteString("store"u8, store);
            }

            write(json);
            json.WriteEndObject();
        }

        output.WriteLine();
    }

    static void WriteArray<T>(Utf8JsonWriter json, string name, IEnumerable<T> items, Action<T> write)
    {
        json.WriteStartArray(name);
        foreach (T item in items)
        {
            write(item);
            if (json.BytesPending >= FlushBytes)
            {
                json.Flush();
            }
        }

        json.WriteEndArray();
    }

    static void WriteRow(Utf8JsonWriter json, IReadOnlyList<StoreColumn> columns, StoreValue[] row)
    {
        json.WriteStartObject();
        for (int i = 0; i < row.Length; i++)
        {
            if (row[i].Number is not { } number)
            {
                json.WriteString(columns[i].Name, row[i].Text);
            }
            else if (columns[i].Kind == ColumnKind.Flag)
            {
                json.WriteBoolean(columns[i].Name, number != 0);
            }
            else
            {
                json.WriteNumber(columns[i].Name, number);
            }
        }

        json.WriteEndObject();
    }

    static void WriteColumn(Utf8JsonWriter json, StoreColumn column)
    {
        json.WriteStartObject();
        json.WriteString("name"u8, column.Name);
        json.WriteString("kind"u8, column.Kind.ToString().ToLowerInvariant());
        json.WriteString("about"u8, column.About);
        json.WriteBoolean("required"u8, column.IsRequired);
        json.WriteBoolean("personal"u8, column.IsPersonal);
        json.WriteNumber("since"u8, column.Since);
        json.WriteEndObject();
    }
}

/// <summary>What became of a file that was to be added.</summary>
/// <param name="Path">As it was named.</param>
/// <param name="Result">What became of it; null where it could not be added.</param>
/// <param name="Problem">Why it could not; null where it was.</param>
public sealed record AddedFile(string Path, IntakeResult? Result, string? Problem)
{
    /// <summary>One word for it: added, replaced, kept, rejected.</summary>
    public string Outcome => Result?.Outcome.ToString().ToLowerInvariant() ?? "rejected";
}
