using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>The longest time without interruption that a sender spent in one state.</summary>
/// <param name="State">The state.</param>
/// <param name="From">Its beginning.</param>
/// <param name="To">Its end.</param>
/// <param name="FirstPacket">Number of the frame with which it began, from 1; away from the sender the latest one before.</param>
public readonly record struct LimitSpan(LimitState State, TraceTime From, TraceTime To, long FirstPacket);
