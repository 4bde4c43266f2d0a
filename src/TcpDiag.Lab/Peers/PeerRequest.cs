using System.Collections.Generic;
using TcpDiag.Lab.Matrix;

namespace TcpDiag.Lab.Peers;

/// <summary>The first line of a control connection: what is to be received.</summary>
/// <param name="Token">The secret both sides were given.</param>
/// <param name="Flow">The settings of the flow, as a matrix has them.</param>
/// <param name="Scale">Shortens it.</param>
/// <param name="Path">The settings of the path to emulate there; empty for the path that there is.</param>
/// <param name="Seed">The seed of its random decisions.</param>
/// <param name="Recording">What to record there; null for nothing.</param>
public sealed record PeerRequest(string Token, IReadOnlyList<LabOption> Flow, double Scale, IReadOnlyList<LabOption> Path, ulong Seed, RecordingSettings? Recording = null);
