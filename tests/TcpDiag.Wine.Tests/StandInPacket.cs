using TcpDiag.Shim.Divert;

namespace TcpDiag.Wine.Tests;

/// <summary>A packet that came back from the stand-in.</summary>
/// <param name="Bytes">The packet.</param>
/// <param name="Address">With which address.</param>
/// <param name="IsPassed">Whether the filter did not mean it, so that it went its way.</param>
sealed record StandInPacket(byte[] Bytes, DivertAddress Address, bool IsPassed);
