using TcpDiag.Wire;

namespace TcpDiag.Impairment.Rates;

/// <summary>How fast a link takes packets, one after the other.</summary>
interface ILinkRate
{
    /// <summary>When the transmission of a packet that is there at <paramref name="now"/> can begin; later than now while the link is busy.</summary>
    TraceTime NextStart(TraceTime now);

    /// <summary>Transmits a packet that is there at <paramref name="now"/> behind all before it, and returns when its last byte has left.</summary>
    /// <param name="now">Not before that of the packet before.</param>
    /// <param name="lengthBytes">Bytes on the link, overhead included; at least 1.</param>
    TraceTime Take(TraceTime now, int lengthBytes);
}
