using System.Collections.Generic;
using TcpDiag.Traces.Input;

namespace TcpDiag.Traces.Etl;

/// <summary>The records buffer by buffer, as they stand in the file.</summary>
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
