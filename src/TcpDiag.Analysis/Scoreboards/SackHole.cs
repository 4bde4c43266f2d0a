using TcpDiag.Wire;

namespace TcpDiag.Analysis.Scoreboards;

/// <summary>A range not acknowledged below data that is SACKed.</summary>
struct SackHole : ISequenceRange
{
    /// <inheritdoc/>
    public SequenceNumber Start { get; set; }

    /// <inheritdoc/>
    public SequenceNumber End { get; set; }

    /// <summary>When data above it was SACKed first.</summary>
    public TraceTime Since;
}
