using TcpDiag.Analysis.Flows;
using TcpDiag.Analysis.Timelines;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Analysis;

/// <summary>What an analysis is told beside the trace.</summary>
public sealed record AnalysisOptions
{
    /// <summary>Nothing told: the vantage is found out, no charts are recorded.</summary>
    public static AnalysisOptions Default { get; } = new();

    /// <summary>Where the capture was taken, for all connections; null to find it out for each.</summary>
    public Vantage? Vantage { get; init; }

    /// <summary>Snapshot of the machine that recorded the trace; null when there is none.</summary>
    public SystemSnapshot? Snapshot { get; init; }

    /// <summary>How much is kept for charts; null where none are drawn, which costs nothing.</summary>
    public TimelineOptions? Timelines { get; init; }

    /// <summary>One more who follows the connections in time, for programs that verify the analysis; null for none.</summary>
    internal ILedgerFollower? Follower { get; init; }
}
