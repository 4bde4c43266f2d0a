namespace TcpDiag.Impairment.Queueing;

/// <summary>A depth of a queue in bytes and packets, whichever is reached first; unlimited by default.</summary>
readonly record struct QueueLimit(long Bytes, int Packets)
{
    const double BitsPerByte = 8;
    const double NanosecondsPerSecond = 1e9;

    public static readonly QueueLimit None = new(long.MaxValue, int.MaxValue);

    /// <summary>Works a depth out for a rate (bit/s) and a round-trip time (ns).</summary>
    public static QueueLimit Resolve(QueueDepth? depth, long rateBitsPerSecond, long rttNs) => depth switch
    {
        null => None,
        { Unit: QueueUnit.Packets } => new(long.MaxValue, (int)depth.Amount),
        { Unit: QueueUnit.Bytes } => new((long)depth.Amount, int.MaxValue),
        _ => new((long)(depth.Amount * rateBitsPerSecond / BitsPerByte * (rttNs / NanosecondsPerSecond)), int.MaxValue),
    };
}
