namespace TcpDiag.Tcp.Loss;

/// <summary>What an acknowledgment tells about an outstanding tail loss probe (RFC 8985 §7.4.2).</summary>
public enum TlpOutcome
{
    /// <summary>Nothing yet, or no probe is outstanding.</summary>
    None,

    /// <summary>The probe carried new data, which arrived: nothing was lost at the tail.</summary>
    NewDataDelivered,

    /// <summary>Probe and original both arrived: nothing was lost.</summary>
    OriginalArrived,

    /// <summary>The probe repaired a loss; congestion control has to react to it once.</summary>
    RepairedLoss,
}
