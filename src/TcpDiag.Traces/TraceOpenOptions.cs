namespace TcpDiag.Traces;

/// <summary>What to read of a trace.</summary>
public sealed record TraceOpenOptions
{
    /// <summary>Everything.</summary>
    public static TraceOpenOptions Default { get; } = new();

    /// <summary>
    /// Whether events of the TCP stack are decoded. When not, journal entries of a pcapng file come as
    /// <see cref="TraceRecordKind.Block"/>, which is what a filter that passes them on wants.
    /// </summary>
    public bool DecodeStackEvents { get; init; } = true;

    /// <summary>
    /// Whether NDIS packets of an .etl trace are told at every filter layer they pass; else only at one layer of each adapter,
    /// its own where it was captured. PktMon's components are always told, repeats marked.
    /// </summary>
    public bool AllLayers { get; init; }

    /// <summary>
    /// Whether somebody waits for what a pipe brings: packets are handed on as they arrive, in smaller pieces, which costs a
    /// fast input some speed. An .etl trace is read from its end, live or not.
    /// </summary>
    public bool IsLive { get; init; }
}
