using TcpDiag.Impairment;

namespace TcpDiag.Shim;

/// <summary>What a port remembers of a packet it handed out, so that it can take it back.</summary>
/// <param name="Direction">Which way the packet goes.</param>
/// <param name="Id">The port's own number for it; 0 where it needs none.</param>
/// <param name="Interface">The port's own number for the interface it came from; 0 where it needs none.</param>
public readonly record struct PacketOrigin(LinkDirection Direction, uint Id = 0, ulong Interface = 0);
