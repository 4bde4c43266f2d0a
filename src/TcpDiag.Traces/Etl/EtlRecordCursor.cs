using System;
using System.Collections.Generic;
using TcpDiag.Traces.Etl.Buffers;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.Input;

namespace TcpDiag.Traces.Etl;

/// <summary>
/// Steps through the records of an .etl file without allocating:
/// <code>
/// var record = default(EtlRecord);
/// while (cursor.TryRead(ref record)) { … }
/// </code>
/// Damage is stepped over and noted in <see cref="EtlFile.Problems"/>.
/// </summary>
public abstract class EtlRecordCursor : IDisposable
{
    /// <summary>Reads the next record.</summary>
    /// <param name="record">Overwritten; its spans are valid until the next call.</param>
    /// <returns>False at the end of the file.</returns>
    public abstract bool TryRead(scoped ref EtlRecord record);

    /// <inheritdoc/>
    public void Dispose()
    {
        Dispose(disposing: true);
        GC.SuppressFinalize(this);
    }

    /// <summary>Returns the pooled buffers.</summary>
    /// <param name="disposing">True when called from <see cref="Dispose()"/>.</param>
    protected abstract void Dispose(bool disposing);
}

/// <summary>The records buffer by buffer, in file order.</summary>
sealed class EtlFileOrderCursor : EtlRecordCursor
{
    readonly List<EtlBufferEntry> _entries;
    readonly EtlBuffer _buffer;
    int _next;

    internal EtlFileOrderCursor(TraceInput input, List<EtlBufferEntry> entries, EtlProblemLog problems)
    {
        _entries = entries;
        _buffer = new EtlBuffer(input, problems);
    }

    /// <inheritdoc/>
    public override bool TryRead(scoped ref EtlRecord record)
    {
        while (!_buffer.TryRead(ref record))
        {
            if (_next == _entries.Count)
            {
                return false;
            }

            _buffer.Load(_entries[_next++]);
        }

        return true;
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        _buffer.Dispose();
        _next = _entries.Count;
    }
}
