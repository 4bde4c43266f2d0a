using TcpDiag.Wire;

namespace TcpDiag.Analysis.Patterns;

/// <summary>A place in the trace.</summary>
/// <param name="Packet">Number of the packet, from 1 as other tools count.</param>
/// <param name="Time">When it passed the capture point.</param>
public readonly record struct Mark(long Packet, TraceTime Time);
