namespace TcpDiag.Wire;

/// <summary>What a data segment met by <see cref="HeaderPrediction"/> says that the one before it did not.</summary>
public struct PredictedSegment
{
    /// <summary>Sequence number of its first byte.</summary>
    public SequenceNumber Sequence;

    /// <summary>Its payload, bytes: at least 2.</summary>
    public int PayloadLength;

    /// <summary>Its TSval; 0 without timestamps.</summary>
    public uint TsVal;

    /// <summary>Its IPv4 identification.</summary>
    public ushort IpId;

    /// <summary>Its flags: ACK, with or without PSH.</summary>
    public TcpFlags Flags;
}
