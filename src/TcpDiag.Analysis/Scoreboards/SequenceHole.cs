using TcpDiag.Wire;

namespace TcpDiag.Analysis.Scoreboards;

/// <summary>A range that was jumped over at the capture point, and the segment behind it that showed the jump.</summary>
struct SequenceHole : ISequenceRange
{
    /// <inheritdoc/>
    public SequenceNumber Start { get; set; }

    /// <inheritdoc/>
    public SequenceNumber End { get; set; }

    /// <summary>How it showed.</summary>
    public HoleOrigin Origin;
}
