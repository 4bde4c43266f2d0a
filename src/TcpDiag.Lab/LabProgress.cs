using System;
using TcpDiag.Shim;

namespace TcpDiag.Lab;

/// <summary>How an experiment stands.</summary>
/// <param name="Current">The run that begins, or is under way.</param>
/// <param name="Done">Runs that are finished.</param>
/// <param name="Count">Runs in all.</param>
/// <param name="Left">About how long the rest takes; null until a run has been made.</param>
/// <param name="Path">How the emulated path of the run stands; null when the run begins, and between two machines.</param>
public sealed record LabProgress(PlannedIteration Current, int Done, int Count, TimeSpan? Left, ShimFigures? Path);
