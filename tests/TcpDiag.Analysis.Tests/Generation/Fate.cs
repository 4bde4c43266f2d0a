namespace TcpDiag.Analysis.Tests.Generation;

/// <summary>What becomes of a flight.</summary>
enum Fate
{
    /// <summary>It arrives.</summary>
    Clean,

    /// <summary>A segment is lost, and resent by SACK evidence.</summary>
    Loss,

    /// <summary>A segment is overtaken by the two behind it.</summary>
    Reordering,

    /// <summary>A segment arrives behind all others and was resent meanwhile; the receiver reports the duplicate.</summary>
    Spurious,
}
