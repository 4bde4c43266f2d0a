using System.Collections.Generic;
using TcpDiag.Lab.Flows;
using TcpDiag.Lab.Results;
using TcpDiag.Shim;

namespace TcpDiag.Lab.Peers;

/// <summary>A line that answers: one that tells the port or refuses, and one with the reports at the end.</summary>
/// <param name="Refusal">Why not, as a sentence; null when it goes on.</param>
/// <param name="Port">Where the flow's connections are awaited; 0 in the last line.</param>
/// <param name="Reports">What was received, a report for each connection; empty in the first line.</param>
/// <param name="Path">What came of the emulated path; null in the first line, and without one.</param>
/// <param name="Capture">What the recorder says; null in the first line, and without one.</param>
/// <param name="Files">The files that follow this line, one behind the other; null is none.</param>
public sealed record PeerReply(
    string? Refusal, int Port, IReadOnlyList<FlowReport> Reports, ShimReport? Path = null, CaptureFigures? Capture = null, IReadOnlyList<PeerFile>? Files = null);
