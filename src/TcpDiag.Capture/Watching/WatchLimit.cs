namespace TcpDiag.Capture.Watching;

/// <summary>What kept a sender from sending more, for most of an interval.</summary>
public enum WatchLimit
{
    /// <summary>Not told, or nothing yet to compare with.</summary>
    Unknown,

    /// <summary>The application gave no data.</summary>
    Application,

    /// <summary>The congestion window, and with it the path.</summary>
    CongestionWindow,

    /// <summary>The peer's receive window.</summary>
    ReceiveWindow,

    /// <summary>The send buffer.</summary>
    SendBuffer,

    /// <summary>A loss that fast recovery repairs.</summary>
    Recovery,

    /// <summary>A loss after the retransmission timer expired.</summary>
    Timeout,
}
