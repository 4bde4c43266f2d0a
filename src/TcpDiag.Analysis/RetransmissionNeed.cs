namespace TcpDiag.Analysis;

/// <summary>Whether a retransmission was needed.</summary>
public enum RetransmissionNeed
{
    /// <summary>Not known.</summary>
    Unknown = 0,

    /// <summary>The data had not arrived.</summary>
    Necessary = 1,

    /// <summary>Proven needless: a DSACK (RFC 2883), an older echoed timestamp (RFC 3522), or the original seen to arrive.</summary>
    Spurious = 2,

    /// <summary>Acknowledged sooner after the resending than any round trip takes.</summary>
    LikelySpurious = 3,
}
