namespace TcpDiag.Analysis.Patterns;

/// <summary>What a mark of a <see cref="MarkSet"/> shows.</summary>
enum PatternMark
{
    /// <summary>First FIN of this end.</summary>
    Fin,

    /// <summary>First reset of this end.</summary>
    Reset,

    /// <summary>First reset in the name of this end that nobody accepts.</summary>
    ForeignReset,

    /// <summary>First retransmission.</summary>
    Retransmission,

    /// <summary>Latest retransmission.</summary>
    LastRetransmission,

    /// <summary>First retransmission by the timer.</summary>
    Timeout,

    /// <summary>First original that came late.</summary>
    Late,

    /// <summary>Latest original that came late.</summary>
    LastLate,

    /// <summary>First tail loss probe.</summary>
    Probe,

    /// <summary>First repair of a lost retransmission.</summary>
    RepairAgain,

    /// <summary>First DSACK that came back.</summary>
    Dsack,

    /// <summary>First duplicate acknowledgment that came back.</summary>
    DuplicateAck,

    /// <summary>First window of zero that came back.</summary>
    ZeroWindow,

    /// <summary>End of the latest time it was zero.</summary>
    WindowOpened,

    /// <summary>First retransmission of the run of needless ones that goes on.</summary>
    PingPong,

    /// <summary>First retransmission of the longest such run.</summary>
    LongestPingPong,
}
