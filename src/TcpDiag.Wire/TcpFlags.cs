using System;

namespace TcpDiag.Wire;

/// <summary>The control bits of a TCP header (RFC 9293 §3.1), with the AE bit of RFC 9768.</summary>
[Flags]
#pragma warning disable CA1028 // the header stores nine bits
public enum TcpFlags : ushort
#pragma warning restore CA1028
{
    /// <summary>No control bit.</summary>
    None = 0,

    /// <summary>No more data from the sender.</summary>
    Fin = 0x001,

    /// <summary>Synchronise sequence numbers.</summary>
    Syn = 0x002,

    /// <summary>Reset the connection.</summary>
    Rst = 0x004,

    /// <summary>Push.</summary>
    Psh = 0x008,

    /// <summary>The acknowledgment field is significant.</summary>
    Ack = 0x010,

    /// <summary>The urgent pointer is significant.</summary>
    Urg = 0x020,

    /// <summary>ECN echo (RFC 3168).</summary>
    Ece = 0x040,

    /// <summary>Congestion window reduced (RFC 3168).</summary>
    Cwr = 0x080,

    /// <summary>Accurate ECN (RFC 9768), formerly the nonce sum.</summary>
    Ae = 0x100,
}
