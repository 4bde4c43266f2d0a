using System;

namespace TcpDiag.Capture.Watching;

/// <summary>
/// What a segment of a connection holds, learnt from its sends. An event of Windows tells of a send, which may be up to 64 kB that the adapter cuts (LSO) into segments whose size
/// no event tells.
/// </summary>
struct SegmentSize
{
    const long Usual = 1460; // RFC 9293 §3.7.1 over Ethernet and IPv4

    /// <summary>Payload of a full segment, bytes; 0 until something was sent.</summary>
    public long Bytes { get; private set; }

    /// <summary>Learns from a send.</summary>
    /// <param name="bytes">Its bytes; positive.</param>
    public void Learn(long bytes) => Bytes = Math.Max(Bytes, Math.Min(bytes, Usual));

    /// <summary>How many segments a send becomes.</summary>
    /// <param name="bytes">Its bytes, of which it has learnt.</param>
    /// <returns>At least 1.</returns>
    public readonly long Count(long bytes) => (bytes + Bytes - 1) / Bytes;
}
