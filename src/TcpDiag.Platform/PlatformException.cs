using System;
using System.Runtime.InteropServices;

namespace TcpDiag.Platform;

/// <summary>The operating system refused something: what was tried, what it answered, and what helps.</summary>
public class PlatformException : Exception
{
    /// <summary>Describes a call that the operating system refused.</summary>
    /// <param name="action">What was tried, e.g. <c>open /dev/net/tun</c>.</param>
    /// <param name="code">The system's error code.</param>
    /// <param name="answer">The system's text for it.</param>
    /// <param name="cure">A sentence that says what helps.</param>
    public PlatformException(string action, int code, string answer, string cure)
        : base($"{action}: {answer} (error {code}). {cure}") => Code = code;

    /// <summary>Describes something that is not as it must be.</summary>
    /// <param name="message">What was expected, what was found, and what helps.</param>
    public PlatformException(string message)
        : base(message)
    {
    }

    /// <summary>The system's error code; 0 where no call was refused.</summary>
    public int Code { get; }

    /// <summary>The exception for the call that was refused last on this thread.</summary>
    internal static PlatformException FromLastError(string action, string cure)
    {
        int code = Marshal.GetLastPInvokeError();
        return new(action, code, Marshal.GetPInvokeErrorMessage(code), cure);
    }
}
