using System;
using System.Collections.Generic;

namespace TcpDiag.Store.Rows;

/// <summary>A recording that was read and is still to be added.</summary>
/// <param name="used">What its rows need; disposed of with it.</param>
/// <param name="recording">What was read.</param>
/// <param name="rows">Its rows.</param>
sealed class ReadRecording(List<IDisposable> used, AnalyzedRecording recording, ResultRows rows) : IDisposable
{
    // What the rows are made of is much: it is not to last as long as whoever still holds this.
    ResultRows? _rows = rows;

    /// <summary>Its file.</summary>
    public RecordingFile File { get; } = recording.File;

    /// <summary>Its rows, made while they are enumerated.</summary>
    /// <exception cref="ObjectDisposedException">It was added already.</exception>
    public ResultRows Rows => _rows ?? throw new ObjectDisposedException(nameof(ReadRecording));

    /// <summary>Its connections.</summary>
    public required int Connections { get; init; }

    /// <summary>Its findings.</summary>
    public required int Findings { get; init; }

    /// <summary>Whether all of it could be read.</summary>
    public bool IsComplete { get; } = recording.IsComplete;

    /// <inheritdoc/>
    public void Dispose()
    {
        _rows = null;
        used.ForEach(one => one.Dispose());
        used.Clear();
    }
}
