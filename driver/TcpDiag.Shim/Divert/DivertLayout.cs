namespace TcpDiag.Shim.Divert;

/// <summary>How WinDivert reads a packet.</summary>
/// <param name="IsIpv4">It has an IPv4 header.</param>
/// <param name="IsIpv6">It has an IPv6 header.</param>
/// <param name="Protocol">The protocol behind the IP headers.</param>
/// <param name="TransportOffset">Where the TCP or UDP header begins; −1 without one.</param>
/// <param name="PayloadOffset">Where the payload begins; −1 without one.</param>
/// <param name="PayloadLength">Its length in bytes.</param>
readonly record struct DivertLayout(bool IsIpv4, bool IsIpv6, byte Protocol, int TransportOffset, int PayloadOffset, int PayloadLength);
