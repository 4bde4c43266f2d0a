using System;
using TcpDiag.Doctor;

namespace TcpDiag.Cli.Troubleshoot;

/// <summary>What became of a transfer that was made to be recorded.</summary>
/// <param name="Bytes">Bytes that arrived here, or were handed over to be sent.</param>
/// <param name="Time">How long it took.</param>
/// <param name="Error">Why it failed; null when it did not, or was interrupted.</param>
sealed record TransferResult(long Bytes, TimeSpan Time, Message? Error);
