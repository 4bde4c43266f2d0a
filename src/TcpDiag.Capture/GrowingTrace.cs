using System;

namespace TcpDiag.Capture;

/// <summary>A recording that has begun, for who looks at it while it grows.</summary>
/// <param name="Path">
/// Where it grows: on Linux the result itself, on Windows the trace that becomes part of it. Not documented whether Windows lets others read what a session
/// writes.
/// </param>
/// <param name="Flush">Has the recorder write what it holds in memory. Does nothing where it does so by itself, or refuses.</param>
public sealed record GrowingTrace(string Path, Action Flush);
