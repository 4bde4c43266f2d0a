using TcpDiag.Wire;

namespace TcpDiag.Analysis.Patterns;

/// <summary>What stands out in a direction, while its connection is open. Taken when something first does.</summary>
struct PatternState
{
    /// <summary>Where it stood out.</summary>
    public MarkSet Marks;

    /// <summary>When the window became zero; valid while <see cref="IsWindowClosed"/>.</summary>
    public TraceTime WindowClosed;

    /// <summary>Time the window was zero before, nanoseconds.</summary>
    public long ZeroWindowTime;

    /// <summary>Part of it in which data waited, nanoseconds.</summary>
    public long ZeroWindowWait;

    /// <summary>How long the window was zero that has just been opened, nanoseconds: data may show that it waited. 0 when there is nothing to show.</summary>
    public long ClosedBefore;

    /// <summary>Payload bytes this end sent after the other end's FIN.</summary>
    public long BytesAfterPeerFin;

    /// <summary>Resets of this end.</summary>
    public int Resets;

    /// <summary>Duplicate acknowledgments that came back without SACK blocks.</summary>
    public int DuplicateAcksWithoutSack;

    /// <summary>Retransmissions of the same data in a row, each answered by a duplicate acknowledgment.</summary>
    public int PingPongs;

    /// <summary>Behind the highest data of that run; meaningful while there is one.</summary>
    public SequenceNumber PingPongEnd;

    /// <summary>The longest such run.</summary>
    public int LongestPingPong;

    /// <summary>Whether the latest retransmission still waits for its answer.</summary>
    public bool IsPingOut;

    /// <summary>Whether the latest window that came back is zero.</summary>
    public bool IsWindowClosed;

    /// <summary>Whether it was probed since it closed: data waits.</summary>
    public bool IsProbed;

    /// <summary>Keep-alives this end sent since it last heard of the other.</summary>
    public int Unheard;

    /// <summary>Whether something goes on that calm segments end or count for: a ping-pong, a closed window, what follows its opening, unanswered keep-alives, the other end speaking after a FIN.</summary>
    public readonly bool IsOpen => IsPingOut || PingPongs > 0 || IsWindowClosed || ClosedBefore > 0 || Unheard > 0 || Marks.Has(PatternMark.Fin);
}
