using TcpDiag.Wire;

namespace TcpDiag.Impairment.Cross;

/// <summary>One flow of cross traffic.</summary>
interface ICrossSource
{
    /// <summary>What became of it.</summary>
    CrossReport Report { get; }

    /// <summary>When it may send next; the end of time for never.</summary>
    TraceTime Next { get; }

    /// <summary>Sends the next packet, if it may at this instant.</summary>
    /// <returns>False when it may not; <see cref="Next"/> is then later.</returns>
    bool TrySend(TraceTime now, out long id);

    /// <summary>A packet of it has left the link.</summary>
    void OnDelivered(long id, int lengthBytes, TraceTime now);

    /// <summary>A packet of it was dropped.</summary>
    void OnDrop(long id);
}
