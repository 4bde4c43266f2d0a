using System;

namespace TcpDiag.Lab.Peers;

/// <summary>What one run may cost the machine that serves.</summary>
/// <param name="Bytes">Bytes of all its connections together.</param>
/// <param name="Time">Its own time limit.</param>
public sealed record PeerCaps(long Bytes, TimeSpan Time);
