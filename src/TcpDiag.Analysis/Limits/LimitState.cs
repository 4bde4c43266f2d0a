namespace TcpDiag.Analysis.Limits;

/// <summary>What keeps a sender from sending more. At every instant of a direction's active time exactly one holds, or none is known.</summary>
public enum LimitState
{
    /// <summary>The application gives no data.</summary>
    Application = 0,

    /// <summary>The application gives no data for longer than max(RTO, 1 s), with nothing in flight.</summary>
    Idle = 1,

    /// <summary>The send buffer is full of data in flight.</summary>
    SendBuffer = 2,

    /// <summary>The congestion window is full.</summary>
    CongestionWindow = 3,

    /// <summary>The receive window is full, or zero.</summary>
    ReceiveWindow = 4,

    /// <summary>Windows and buffers allow more: sends are spaced out.</summary>
    Pacing = 5,

    /// <summary>From the first retransmission, or the cut of cwnd, to the acknowledgment of the recovery point.</summary>
    Recovery = 6,

    /// <summary>Silence until the retransmission timer expires.</summary>
    Timeout = 7,

    /// <summary>The receiver drops out-of-order data: its SACKs tell nothing new while data keeps arriving.</summary>
    Reassembly = 8,

    /// <summary>Not known: data or acknowledgments of that time were not captured, or the recording clock was set in it.</summary>
    NotJudged = 9,
}
