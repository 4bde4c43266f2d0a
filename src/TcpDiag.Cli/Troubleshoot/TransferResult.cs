using System;
using TcpDiag.Doctor;
using TcpDiag.Doctor.Answers;

namespace TcpDiag.Cli.Troubleshoot;

/// <summary>What became of a transfer that was made to be recorded.</summary>
/// <param name="Bytes">Bytes that arrived here, or were handed over to be sent.</param>
/// <param name="Time">How long it took.</param>
/// <param name="Error">Why it failed; null when it did not.</param>
sealed record TransferResult(long Bytes, TimeSpan Time, Message? Error)
{
    /// <summary>Whether this program ended it while data was still coming.</summary>
    public bool IsCutShort { get; init; }

    /// <summary>How it ended.</summary>
    public TransferEnd End => Error is not null ? TransferEnd.Failed : IsCutShort ? TransferEnd.CutShort : TransferEnd.Complete;
}
