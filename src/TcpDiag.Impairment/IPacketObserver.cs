using TcpDiag.Wire;

namespace TcpDiag.Impairment;

/// <summary>Sees packets pass the observation points of the emulated path.</summary>
public interface IPacketObserver
{
    /// <summary>A packet passes a point.</summary>
    /// <param name="point">The point.</param>
    /// <param name="packet">The packet; valid during the call.</param>
    /// <param name="time">When it passes: at <see cref="ObservationPoint.Between"/> the emulated instant, elsewhere the caller's clock.</param>
    void OnPacket(ObservationPoint point, in LinkPacket packet, TraceTime time);
}
