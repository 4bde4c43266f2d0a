using System;

namespace TcpDiag.Analysis.StackEvents;

/// <summary>
/// The segment size of a connection, learnt from its sends. A Windows event describes a send of up to 64 kB, which the adapter cuts (LSO) into
/// segments whose size no event reports.
/// </summary>
public struct SegmentSize
{
    const int Usual = 1460; // RFC 9293 §3.7.1 over Ethernet and IPv4

    /// <summary>Payload of a full segment, bytes; 0 until something was sent.</summary>
    public int Bytes { get; private set; }

    /// <summary>Learns from a send.</summary>
    /// <param name="bytes">Its bytes; positive.</param>
    public void Learn(int bytes) => Bytes = Math.Max(Bytes, Math.Min(bytes, Usual));

    /// <summary>Number of segments that a send becomes.</summary>
    /// <param name="bytes">Its bytes, of which it has learnt.</param>
    /// <returns>At least 1.</returns>
    public readonly long Count(int bytes) => ((long)bytes + Bytes - 1) / Bytes;
}
