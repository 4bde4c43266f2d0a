using TcpDiag.Wire;

namespace TcpDiag.Shim.Tun;

/// <summary>One end of an emulated link.</summary>
/// <param name="Namespace">The network namespace it is in; empty for this process's own.</param>
/// <param name="Device">The name of the TUN device to make, 1 to 15 characters.</param>
/// <param name="Address">The device's address, IPv4 or IPv6.</param>
/// <param name="PrefixBits">The length of its network's prefix; both ends share the network.</param>
public sealed record TunEnd(string Namespace, string Device, IpAddress Address, int PrefixBits);
