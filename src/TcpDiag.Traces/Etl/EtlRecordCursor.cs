using System;

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
