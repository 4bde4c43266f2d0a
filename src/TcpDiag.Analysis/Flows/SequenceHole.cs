using TcpDiag.Wire;

namespace TcpDiag.Analysis.Flows;

/// <summary>A range that was jumped over, and the segment behind it that showed the jump.</summary>
struct SequenceHole
{
    /// <summary>First missing byte.</summary>
    public SequenceNumber Start;

    /// <summary>Behind the last missing byte.</summary>
    public SequenceNumber End;

    /// <summary>When the jump was seen.</summary>
    public TraceTime Time;

    /// <summary>TSval of the segment behind the jump; 0 without timestamps.</summary>
    public uint TsVal;

    /// <summary>IPv4 identification of that segment; 0 without one.</summary>
    public ushort IpId;
}
