using TcpDiag.Wire;

namespace TcpDiag.Impairment;

/// <summary>A path: packets are offered on one side and taken on the other when they are due, by the caller's clock.</summary>
public interface ILink
{
    /// <summary>When to call <see cref="TryTake"/> next; <see cref="TraceTime.Latest"/> when nothing is under way.</summary>
    TraceTime NextDue { get; }

    /// <summary>A packet arrives.</summary>
    /// <param name="packet">Handle, length, flow hash, direction and ECN field; the rest is ignored.</param>
    /// <param name="now">The time.</param>
    void Offer(LinkPacket packet, TraceTime now);

    /// <summary>Takes a packet that is due; call it until it returns false.</summary>
    /// <param name="now">The time.</param>
    /// <param name="packet">The packet.</param>
    /// <returns>False when no packet is due.</returns>
    bool TryTake(TraceTime now, out LinkPacket packet);
}
