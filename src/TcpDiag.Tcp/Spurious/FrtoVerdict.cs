namespace TcpDiag.Tcp.Spurious;

/// <summary>What F-RTO says about a retransmission timeout (RFC 5682).</summary>
public enum FrtoVerdict
{
    /// <summary>Not decided; go on waiting.</summary>
    Undecided,

    /// <summary>Not decided; send up to two new segments instead of resending (step 2b).</summary>
    SendNewData,

    /// <summary>The timeout was spurious: originals arrive.</summary>
    Spurious,

    /// <summary>The timeout stands; conventional recovery goes on.</summary>
    Genuine,
}
