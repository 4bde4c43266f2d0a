namespace TcpDiag.Impairment;

/// <summary>The two ECN bits of the IP header (RFC 3168 §5).</summary>
public enum EcnCodepoint
{
    /// <summary>The sender does not take part in ECN; such a packet is never marked.</summary>
    NotEct = 0,

    /// <summary>ECN-capable, codepoint 01 (L4S, RFC 9331).</summary>
    Ect1 = 1,

    /// <summary>ECN-capable, codepoint 10.</summary>
    Ect0 = 2,

    /// <summary>Congestion experienced.</summary>
    Ce = 3,
}
