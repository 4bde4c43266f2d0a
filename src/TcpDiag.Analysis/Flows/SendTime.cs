using TcpDiag.Wire;

namespace TcpDiag.Analysis.Flows;

/// <summary>When a segment was sent for the first time.</summary>
struct SendTime
{
    /// <summary>First byte.</summary>
    public SequenceNumber Start;

    /// <summary>Behind the last byte.</summary>
    public SequenceNumber End;

    /// <summary>When.</summary>
    public TraceTime Time;
}
