using TcpDiag.Wire;

namespace TcpDiag.Impairment.Matching;

/// <summary>What a rule is matched against. Ports are 0 where the protocol, or a later fragment, has none.</summary>
/// <param name="Protocol">The IP protocol number: 6 for TCP, 17 for UDP.</param>
/// <param name="Source">Where the packet comes from.</param>
/// <param name="Destination">Where it goes.</param>
/// <param name="Direction">Which way it crosses the link.</param>
/// <param name="ProcessId">The process on this host, 0 if unknown.</param>
/// <param name="ProcessName">Its name without path or <c>.exe</c>; null if unknown.</param>
public readonly record struct PacketFacts(
    byte Protocol,
    Endpoint Source,
    Endpoint Destination,
    LinkDirection Direction = LinkDirection.Out,
    int ProcessId = 0,
    string? ProcessName = null);
