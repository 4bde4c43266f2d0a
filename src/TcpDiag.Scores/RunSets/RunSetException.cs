using System;

namespace TcpDiag.Scores.RunSets;

/// <summary>Runs that cannot be compared: missing, damaged, or not what was expected.</summary>
/// <param name="message">Which file, what was expected, what was found, and what to do.</param>
public sealed class RunSetException(string message) : Exception(message);
