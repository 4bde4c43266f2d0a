using System;

namespace TcpDiag.Cli.Redaction;

/// <summary>The files of a redaction are named so that it cannot be done: the command line was wrong.</summary>
/// <param name="message">What is wrong, and what to name instead.</param>
sealed class RedactionUsageException(string message) : Exception(message);
