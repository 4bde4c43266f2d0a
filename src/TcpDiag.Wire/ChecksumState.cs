namespace TcpDiag.Wire;

/// <summary>What a look at a checksum found.</summary>
public enum ChecksumState
{
    /// <summary>Not all bytes were captured, or there is no checksum to check.</summary>
    NotVerifiable,

    /// <summary>It is right.</summary>
    Correct,

    /// <summary>It is zero or covers only the pseudo-header: hardware fills it in after the capture (checksum offload).</summary>
    NotFilledIn,

    /// <summary>It is wrong: the packet was damaged.</summary>
    Wrong,
}
