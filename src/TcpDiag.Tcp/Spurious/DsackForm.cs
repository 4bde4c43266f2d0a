namespace TcpDiag.Tcp.Spurious;

/// <summary>The forms in which the first SACK block reports a duplicate (RFC 2883 §4).</summary>
public enum DsackForm
{
    /// <summary>The block reports new data: no DSACK.</summary>
    None,

    /// <summary>The block lies below the cumulative acknowledgment (§4.1).</summary>
    BelowAck,

    /// <summary>The block lies inside the second block, above the cumulative acknowledgment (§4.1, §4.2).</summary>
    InsideSecondBlock,
}
