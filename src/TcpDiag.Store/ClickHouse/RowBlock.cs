using System;
using System.IO;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.ClickHouse;

/// <summary>Rows written for one insert.</summary>
/// <param name="kinds">What their columns are.</param>
sealed class RowBlock(BinaryKind[] kinds) : IDisposable
{
    readonly MemoryStream _rows = new();

    /// <summary>How many.</summary>
    public int Count { get; private set; }

    /// <summary>Their bytes, valid until the next change.</summary>
    public ReadOnlyMemory<byte> Bytes => _rows.GetBuffer().AsMemory(0, (int)_rows.Length);

    /// <summary>Adds a row.</summary>
    public void Add(params StoreValue[] row) => Add(row[0], row[1..]);

    /// <summary>Adds a row behind one value more.</summary>
    public void Add(StoreValue first, StoreValue[] row)
    {
        RowBinaryWriter.Write(_rows, kinds[0], first);
        for (int i = 0; i < row.Length; i++)
        {
            RowBinaryWriter.Write(_rows, kinds[i + 1], row[i]);
        }

        Count++;
    }

    /// <summary>Begins anew.</summary>
    public void Clear()
    {
        _rows.SetLength(0);
        Count = 0;
    }

    /// <inheritdoc/>
    public void Dispose() => _rows.Dispose();
}
