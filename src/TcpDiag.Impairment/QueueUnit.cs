namespace TcpDiag.Impairment;

/// <summary>In what a queue is measured.</summary>
public enum QueueUnit
{
    /// <summary>Bytes of packets.</summary>
    Bytes = 0,

    /// <summary>Packets, whatever their length.</summary>
    Packets = 1,

    /// <summary>Bytes in multiples of the direction's rate times the round-trip time of the whole path.</summary>
    BandwidthDelayProducts = 2,
}
