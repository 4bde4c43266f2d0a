namespace TcpDiag.Traces.StackEvents;

/// <summary>What a step of a <see cref="DecodingPlan"/> does.</summary>
enum PlanAction
{
    /// <summary>Sets a field of the event, zero-extended.</summary>
    Unsigned,

    /// <summary>Sets a field of the event, sign-extended.</summary>
    Signed,

    /// <summary>Sets the connection's handle.</summary>
    Tcb,

    /// <summary>Sets the process.</summary>
    ProcessId,

    /// <summary>Keeps a length for a part behind it.</summary>
    KeepLength,

    /// <summary>Reads a SOCKADDR of kept length as this machine's end.</summary>
    LocalSocketAddress,

    /// <summary>Reads a SOCKADDR of kept length as the peer's end.</summary>
    RemoteSocketAddress,

    /// <summary>Steps over a binary of kept length.</summary>
    SkipKeptLength,

    /// <summary>Steps over text in 16-bit units up to its NUL.</summary>
    SkipUtf16,

    /// <summary>Steps over text in 8-bit units up to its NUL.</summary>
    SkipAnsi,

    /// <summary>Steps over a WBEM security identifier.</summary>
    SkipWbemSid,

    /// <summary>Reads text in 16-bit units as the event's text.</summary>
    TextUtf16,

    /// <summary>Reads text in 8-bit units as the event's text.</summary>
    TextAnsi,

    /// <summary>Reads the remote address of a kernel event, the local one behind it, and both ports behind that.</summary>
    KernelEndpoints,
}
