using TcpDiag.Wire;

namespace TcpDiag.Analysis.Tests.Generation;

/// <summary>One segment of a <see cref="SyntheticTrace"/>.</summary>
struct SyntheticSegment
{
    public bool IsFromServer;
    public TcpFlags Flags;
    public SequenceNumber Sequence;
    public SequenceNumber Acknowledgment;
    public int Payload;
    public SackBlock? Sack;
    public uint Timestamp;
    public uint Echo;
}
