namespace TcpDiag.Wire.Matching;

/// <summary>What a rule is matched against. Ports are 0 where the protocol, or a later fragment, has none.</summary>
/// <param name="Protocol">The protocol behind the IP header.</param>
/// <param name="Source">Where the packet comes from.</param>
/// <param name="Destination">Where it goes.</param>
/// <param name="IsOut">Whether it leaves this host, or the near end of a link.</param>
/// <param name="ProcessId">The process on this host, 0 if unknown.</param>
/// <param name="ProcessName">Its name without path or <c>.exe</c>; null if unknown.</param>
public readonly record struct PacketFacts(
    IpProtocol Protocol,
    Endpoint Source,
    Endpoint Destination,
    bool IsOut = true,
    int ProcessId = 0,
    string? ProcessName = null);
