using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>What an acknowledgment tells the sender when it arrives there.</summary>
struct ArrivedAck
{
    /// <summary>When.</summary>
    public TraceTime Time;

    /// <summary>Its TSval, which the sender's next data echoes (RFC 7323 §4.3); 0 without one.</summary>
    public uint TsVal;

    /// <summary>SND.UNA from now on.</summary>
    public SequenceNumber Una;

    /// <summary>Right edge of the receive window.</summary>
    public SequenceNumber Edge;

    /// <summary>Whether the edge is known.</summary>
    public bool HasEdge;

    /// <summary>Whether it carries data of the peer.</summary>
    public bool HasPayload;

    /// <summary>Whether it acknowledges data that was never captured.</summary>
    public bool HasUnseen;

    /// <summary>Whether it tells of data that arrived behind a gap.</summary>
    public bool HasNews;
}
