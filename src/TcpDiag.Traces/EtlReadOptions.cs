namespace TcpDiag.Traces;

/// <summary>What a reader of .etl traces tells.</summary>
public sealed record EtlReadOptions
{
    /// <summary>
    /// Whether NDIS packets are told at every filter layer they pass; else only at one layer of each adapter, its own where it
    /// was captured. PktMon's components are always told, repeats marked.
    /// </summary>
    public bool AllLayers { get; init; }
}
