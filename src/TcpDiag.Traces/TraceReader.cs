using System;
using System.Collections.Generic;

namespace TcpDiag.Traces;

/// <summary>
/// All records of one trace, or of several, as one stream. An .etl trace comes in time order, a pcapng or pcap file in the
/// order of the file, which recorders of several interfaces leave a little out of order; several files are merged by the
/// time of their next records. Pull, do not push:
/// <code>
/// var record = default(TraceRecord);
/// while (reader.TryRead(ref record)) { … }
/// </code>
/// Damage is stepped over and collected in <see cref="Problems"/>; only a file that cannot be read at all throws.
/// </summary>
public abstract class TraceReader : IDisposable
{
    /// <summary>The file as the user named it; for several, the first.</summary>
    public abstract string Path { get; }

    /// <summary>The format, told by the first bytes.</summary>
    public abstract TraceFormat Format { get; }

    /// <summary>Capture points met so far; grows while reading.</summary>
    public abstract IReadOnlyList<TraceInterface> Interfaces { get; }

    /// <summary>What the trace says about machine and recording.</summary>
    public abstract SystemFacts System { get; }

    /// <summary>Damage met so far, in file order.</summary>
    public abstract IReadOnlyList<TraceProblem> Problems { get; }

    /// <summary>Records of every kind met so far, those that are neither packets nor stack events included.</summary>
    public abstract long RecordsRead { get; }

    /// <summary>Reads the next record.</summary>
    /// <param name="record">Overwritten; its spans are valid until the next call.</param>
    /// <returns>False at the end of the trace.</returns>
    /// <exception cref="TraceFormatException">The file is not of its format.</exception>
    public abstract bool TryRead(ref TraceRecord record);

    /// <inheritdoc/>
    public void Dispose()
    {
        Dispose(disposing: true);
        GC.SuppressFinalize(this);
    }

    /// <summary>Closes the input and returns the buffers.</summary>
    /// <param name="disposing">True when called from <see cref="Dispose()"/>.</param>
    protected abstract void Dispose(bool disposing);
}
