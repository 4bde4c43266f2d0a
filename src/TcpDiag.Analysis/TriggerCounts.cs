namespace TcpDiag.Analysis;

/// <summary>Retransmitted wire segments by what triggered them.</summary>
/// <param name="Fast">By SACK or duplicate-ACK evidence.</param>
/// <param name="Tlp">Tail loss probes.</param>
/// <param name="Rto">By the retransmission timer.</param>
/// <param name="LostRetransmission">Resent once more, without the timer.</param>
/// <param name="Unknown">Not known.</param>
public readonly record struct TriggerCounts(long Fast, long Tlp, long Rto, long LostRetransmission, long Unknown)
{
    /// <summary>All of them.</summary>
    public long Total => Fast + Tlp + Rto + LostRetransmission + Unknown;
}
