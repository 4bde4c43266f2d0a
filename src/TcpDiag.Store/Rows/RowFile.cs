using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Store.ClickHouse;
using TcpDiag.Store.Schema;
using TcpDiag.Traces.Input;

namespace TcpDiag.Store.Rows;

/// <summary>Rows of a table in a temporary file: more than memory is to hold. They may be read again and again, by one reader at a time.</summary>
sealed class RowFile : IDisposable
{
    const int BlockBytes = 1 << 18;

    readonly StoreTable _table;
    readonly BinaryKind[] _kinds;
    readonly FileStream _file = TemporaryFile.Create("rows");
    long _length;

    public RowFile(StoreTable table)
    {
        _table = table;
        _kinds = [.. table.Columns.Select(ClickHouseSchema.KindOf)];
    }

    /// <summary>Writes rows behind those that are there.</summary>
    /// <exception cref="TemporaryFileException">The disk is full, or fails.</exception>
    public void Add(IEnumerable<StoreValue[]> rows)
    {
        var block = new RowBlock(_kinds);
        foreach (StoreValue[] row in rows)
        {
            block.Add(row);
            if (block.Bytes.Length >= BlockBytes)
            {
                Write(block);
            }
        }

        Write(block);
    }

    /// <summary>The rows, read while they are enumerated.</summary>
    public RowBatch Rows() => new(_table, Read());

    /// <inheritdoc/>
    public void Dispose() => _file.Dispose();

    void Write(RowBlock block)
    {
        TemporaryFile.Write(_file, block.Bytes.Span, _length);
        _length += block.Bytes.Length;
        block.Clear();
    }

    IEnumerable<StoreValue[]> Read()
    {
        _file.Position = 0;
        var reader = new RowBinaryReader(_file); // closing it would close the file
        while (reader.Read(_kinds) is { } row)
        {
            yield return row;
        }
    }
}
