using TcpDiag.Wire;

namespace TcpDiag.Truth;

/// <summary>What became of a packet on the emulated path.</summary>
/// <param name="Packet">Its number in its direction.</param>
/// <param name="Arrival">When it left the path whole; null when it did not.</param>
/// <param name="Order">Position of its record in the log: packets that leave at one instant leave in this order.</param>
readonly record struct Fate(long Packet, TraceTime? Arrival, long Order);
