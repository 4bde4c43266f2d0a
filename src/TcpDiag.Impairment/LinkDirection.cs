namespace TcpDiag.Impairment;

/// <summary>Which way a packet crosses the emulated link; each way has settings, queue and random streams of its own.</summary>
public enum LinkDirection
{
    /// <summary>From the near side (the first namespace, or this host) to the far side.</summary>
    Out = 0,

    /// <summary>From the far side to the near side.</summary>
    In = 1,
}
