using TcpDiag.Wire;

namespace TcpDiag.Shim.Divert;

/// <summary>A flow as this host sees it.</summary>
/// <param name="Protocol">The protocol behind the IP header.</param>
/// <param name="Local">This host's end.</param>
/// <param name="Remote">The other end.</param>
readonly record struct FlowEnds(IpProtocol Protocol, Endpoint Local, Endpoint Remote);
