using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Store.ClickHouse;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.Rows;

/// <summary>
/// Rows of a table in a file of this process, in the folder for temporary ones: more than memory is to hold. They may be read again and again, by one reader
/// at a time. The file has no name: it is gone with the process, however that ends.
/// </summary>
sealed class RowFile : IDisposable
{
    const int BlockBytes = 1 << 18;

    readonly StoreTable _table;
    readonly BinaryKind[] _kinds;
    readonly FileStream _file;

    public RowFile(StoreTable table)
    {
        _table = table;
        _kinds = [.. table.Columns.Select(ClickHouseSchema.KindOf)];
        string path = Path.Combine(Path.GetTempPath(), FormattableString.Invariant($"tcpdiag-rows-{Guid.NewGuid():N}"));
        var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.ReadWrite, Options = FileOptions.DeleteOnClose, BufferSize = 0 };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        }

        _file = new(path, options);
        if (!OperatingSystem.IsWindows())
        {
            File.Delete(path); // what is open stays until it is closed; on Windows it goes when it is
        }
    }

    /// <summary>Writes rows behind those that are there.</summary>
    /// <exception cref="StoreException">The disk is full, or fails.</exception>
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
        try
        {
            _file.Write(block.Bytes.Span);
            block.Clear();
        }
        catch (IOException exception)
        {
            throw new StoreException($"{Path.GetTempPath()}: rows of a recording with very many connections do not fit there: {exception.Message}", exception);
        }
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
