using System;
using TcpDiag.Traces;

namespace TcpDiag.Store.Rows;

/// <summary>A recording that was read and is still to be added.</summary>
/// <param name="reader">Its reader.</param>
/// <param name="names">How what names somebody is written.</param>
/// <param name="rows">Its rows.</param>
sealed class ReadRecording(TraceReader reader, PersonalNames names, ResultRows rows) : IDisposable
{
    /// <summary>Its file.</summary>
    public required RecordingFile File { get; init; }

    /// <summary>Its rows, made while they are enumerated.</summary>
    public ResultRows Rows => rows;

    /// <summary>Its connections.</summary>
    public required int Connections { get; init; }

    /// <summary>Its findings.</summary>
    public required int Findings { get; init; }

    /// <summary>Whether all of it could be read.</summary>
    public required bool IsComplete { get; init; }

    /// <inheritdoc/>
    public void Dispose()
    {
        names.Dispose();
        reader.Dispose();
    }
}
