namespace TcpDiag.Tcp.Congestion;

/// <summary>The phases of HyStart++ (RFC 9406 §4.2).</summary>
public enum HyStartPhase
{
    /// <summary>Standard slow start, with the delay watched.</summary>
    SlowStart,

    /// <summary>Conservative slow start: the delay has grown; slower growth for some rounds shows whether it stays.</summary>
    ConservativeSlowStart,

    /// <summary>Slow start is over: ssthresh becomes cwnd, or what congestion control sets on loss.</summary>
    Done,
}
