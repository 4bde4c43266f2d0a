namespace TcpDiag.Capture.Linux.Tracefs;

/// <summary>The states of a TCP connection as Linux numbers them (net/tcp_states.h), in the numbering of the vocabulary.</summary>
static class TcpStates
{
    /// <summary>LISTEN as Linux numbers it.</summary>
    public const int LinuxListen = 10;

    /// <summary>SYN-SENT in the numbering of the vocabulary.</summary>
    public const int SynSent = 2;

    /// <summary>Established in the numbering of the vocabulary.</summary>
    public const int Established = 4;

    /// <summary>FIN-WAIT-1 in the numbering of the vocabulary.</summary>
    public const int FinWait1 = 5;

    /// <summary>LAST-ACK in the numbering of the vocabulary.</summary>
    public const int LastAck = 9;

    // Index: Linux. Value: Closed 0, Listen 1, SynSent 2, SynReceived 3, Established 4, FinWait1 5, FinWait2 6,
    // CloseWait 7, Closing 8, LastAck 9, TimeWait 10. NEW_SYN_RECV (12) is a half-open request, state SYN-RECEIVED.
    static readonly sbyte[] Numbers = [-1, 4, 2, 3, 5, 6, 10, 0, 7, 9, 1, 8, 3];

    /// <summary>Translates a state.</summary>
    /// <param name="linux">1 … 12.</param>
    /// <param name="state">0 … 10.</param>
    /// <returns>False when Linux has no such state.</returns>
    public static bool TryTranslate(long linux, out long state)
    {
        state = linux >= 1 && linux < Numbers.Length ? Numbers[linux] : -1;
        return state >= 0;
    }
}
