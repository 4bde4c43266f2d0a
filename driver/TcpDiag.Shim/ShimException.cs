using System;

namespace TcpDiag.Shim;

/// <summary>Packets cannot be diverted on this machine: what was tried, what the system answered, and what helps.</summary>
public sealed class ShimException : Exception
{
    /// <summary>A call the operating system refused.</summary>
    /// <param name="action">What was tried, e.g. <c>open /dev/net/tun</c>.</param>
    /// <param name="code">The system's error code.</param>
    /// <param name="answer">The system's text for it.</param>
    /// <param name="cure">A sentence that says what helps.</param>
    public ShimException(string action, int code, string answer, string cure)
        : base($"{action}: {answer} (error {code}). {cure}") => Code = code;

    /// <summary>Something that is not as it must be.</summary>
    /// <param name="message">What was expected, what was found, and what helps.</param>
    public ShimException(string message)
        : base(message)
    {
    }

    /// <summary>The system's error code; 0 where no call was refused.</summary>
    public int Code { get; }
}
