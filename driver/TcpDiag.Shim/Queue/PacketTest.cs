using TcpDiag.Wire;

namespace TcpDiag.Shim.Queue;

/// <summary>One test the kernel can make on a packet: that some bytes, masked, lie in a range.</summary>
/// <param name="Field">Which bytes.</param>
/// <param name="First">The lowest value, or the address.</param>
/// <param name="Last">The highest value.</param>
/// <param name="Address">The address, for address fields.</param>
/// <param name="PrefixBits">Leading bits of the address that count.</param>
readonly record struct PacketTest(PacketField Field, ushort First = 0, ushort Last = 0, IpAddress Address = default, int PrefixBits = 0);
