using TcpDiag.Wire;

namespace TcpDiag.Analysis.Patterns;

/// <summary>A place in the trace.</summary>
/// <param name="Packet">Number of the frame, from 1, as Wireshark counts: stored events have numbers too.</param>
/// <param name="Time">When it passed the capture point.</param>
public readonly record struct Mark(long Packet, TraceTime Time);
