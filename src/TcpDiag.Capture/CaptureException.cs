using System;

namespace TcpDiag.Capture;

/// <summary>Recording is not possible: missing rights, a missing kernel feature, an unknown interface. The message says what to do about it.</summary>
public sealed class CaptureException : Exception
{
    /// <summary>Creates the exception.</summary>
    /// <param name="message">One line: what was tried, what the system said, what to do.</param>
    /// <param name="osCode">The system's error number; 0 when it gave none.</param>
    public CaptureException(string message, int osCode = 0)
        : base(message) => OsCode = osCode;

    /// <summary>The system's error number (errno on Linux); 0 when it gave none.</summary>
    public int OsCode { get; }
}
