namespace TcpDiag.Traces;

/// <summary>Why and where Windows dropped a packet, from PktMon event 170.</summary>
/// <param name="Reason">PKTMON_DROP_REASON; 0 when the packet was not dropped.</param>
/// <param name="Location">PKTMON_DROP_LOCATION, e.g. 0xE0004500 (TCP).</param>
public readonly record struct PacketDrop(uint Reason, uint Location);
