using TcpDiag.Wire;

namespace TcpDiag.Traces.EtlPackets;

/// <summary>What makes a capture point of an .etl trace an interface of its own.</summary>
/// <param name="Source">Whose numbering <paramref name="Number"/> follows.</param>
/// <param name="Number">LowerIfIndex or ComponentId.</param>
/// <param name="VlanId">VLAN told beside the packet, 0 for none.</param>
/// <param name="LinkType">What its packets begin with: one component may log frames and bare IP packets.</param>
readonly record struct EtlInterfaceKey(EtlCaptureSource Source, uint Number, ushort VlanId, LinkType LinkType);
