namespace TcpDiag.Report.Json;

/// <summary>What was sent again, in wire segments; SYNs, keep-alives and zero-window probes are not in the total.</summary>
/// <param name="Total">Wire segments resent.</param>
/// <param name="ByTrigger">By what triggered them.</param>
/// <param name="ByNeed">By whether they were needed.</param>
/// <param name="ZeroWindowProbes">Probes of a zero window.</param>
/// <param name="KeepAlives">Keep-alives.</param>
/// <param name="Evidence">packets, events or both.</param>
/// <param name="Samples">Data segments looked at.</param>
public sealed record RetransmissionsEntry(
    long? Total,
    TriggersEntry? ByTrigger,
    NeedsEntry? ByNeed,
    long? ZeroWindowProbes,
    long? KeepAlives,
    string? Evidence,
    long? Samples);
