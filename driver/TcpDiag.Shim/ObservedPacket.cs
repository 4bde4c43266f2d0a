using TcpDiag.Impairment;
using TcpDiag.Wire;

namespace TcpDiag.Shim;

/// <summary>A packet as it passed the observation point.</summary>
/// <param name="Time">The emulated instant.</param>
/// <param name="Direction">Which way it went.</param>
/// <param name="Length">Bytes of the IP packet.</param>
/// <param name="Head">Its first bytes.</param>
readonly record struct ObservedPacket(TraceTime Time, LinkDirection Direction, int Length, byte[] Head);
