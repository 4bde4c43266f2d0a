using TcpDiag.Wire;

namespace TcpDiag.Analysis.Scoreboards;

/// <summary>How a hole showed at the capture point: what is needed to measure how late its data comes (RFC 4737 §4.2–4.4).</summary>
struct HoleOrigin
{
    /// <summary>When the segment behind the hole passed.</summary>
    public TraceTime Time;

    /// <summary>Wire segments, retransmissions left out, that had passed before that segment.</summary>
    public long Arrivals;

    /// <summary>Payload bytes, each number once, that had passed before it.</summary>
    public long Bytes;

    /// <summary>TSval of that segment; 0 without timestamps.</summary>
    public uint TsVal;

    /// <summary>IPv4 identification of that segment; 0 without one.</summary>
    public ushort IpId;
}
