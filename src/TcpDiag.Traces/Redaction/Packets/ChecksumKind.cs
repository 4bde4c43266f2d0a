namespace TcpDiag.Traces.Redaction.Packets;

/// <summary>What a stored checksum was, so that the new one is the same.</summary>
enum ChecksumKind
{
    /// <summary>Right, or not to be told because bytes are missing.</summary>
    Right,

    /// <summary>Zero: none (RFC 768), or left to hardware.</summary>
    Zero,

    /// <summary>The sum of the pseudo-header alone: the hardware goes on with it.</summary>
    PseudoHeader,

    /// <summary>The same without the length: segmentation offload.</summary>
    PseudoHeaderWithoutLength,

    /// <summary>Wrong.</summary>
    Wrong,
}
