using TcpDiag.Impairment.Decisions;
using TcpDiag.Wire;

namespace TcpDiag.Impairment;

/// <summary>
/// An emulated path: packets are offered on one side and taken on the other when they are due. It has no clock, thread or I/O of its own: every call says
/// what time it is, real or virtual, and for one seed and one sequence of arrivals it always decides the same. Not thread-safe. No memory is allocated per packet.
/// What each stage does and in which order is in docs/impairment.md.
/// </summary>
public sealed class LinkEmulator
{
    readonly LinkPath _out;
    readonly LinkPath _in;

    /// <summary>Builds a path.</summary>
    /// <param name="settings">What the path does.</param>
    /// <param name="start">The instant from which blackouts are counted.</param>
    /// <param name="sink">Is told every decision; null if nobody asks.</param>
    /// <param name="holder">Is told when a packet is dropped or duplicated; null if the caller keeps no bytes.</param>
    /// <param name="observer">Sees packets at the observation points; null for none.</param>
    public LinkEmulator(
        EmulatorSettings settings, TraceTime start, IDecisionSink? sink = null, IPacketHolder? holder = null, IPacketObserver? observer = null)
    {
        _out = new LinkPath(settings, LinkDirection.Out, start, new DecisionDesk(sink, holder, observer));
        _in = new LinkPath(settings, LinkDirection.In, start, new DecisionDesk(sink, holder, observer));
    }

    /// <summary>When to call <see cref="TryTake"/> next; <see cref="long.MaxValue"/> nanoseconds when nothing is under way.</summary>
    public TraceTime NextDue => _out.NextDue < _in.NextDue ? _out.NextDue : _in.NextDue;

    /// <summary>What happened so far in a direction.</summary>
    /// <param name="direction">The direction.</param>
    /// <returns>The live counts.</returns>
    public DecisionTally Tally(LinkDirection direction) => Path(direction).Tally;

    /// <summary>A packet arrives.</summary>
    /// <param name="packet">Handle, length, flow hash, direction and ECN field; everything else is ignored.</param>
    /// <param name="now">The time; one that lies before an earlier call's counts as that one's.</param>
    public void Offer(LinkPacket packet, TraceTime now) => Path(packet.Direction).Offer(ref packet, now);

    /// <summary>Takes a packet that is due. To be called until it returns false.</summary>
    /// <param name="now">The time.</param>
    /// <param name="packet">The packet, with <see cref="LinkPacket.Marks"/> to carry out; the earliest due of both directions.</param>
    /// <returns>False when no packet is due.</returns>
    public bool TryTake(TraceTime now, out LinkPacket packet)
    {
        LinkPath first = _in.NextDue < _out.NextDue ? _in : _out;
        return first.TryTake(now, out packet) || (first == _in ? _out : _in).TryTake(now, out packet);
    }

    LinkPath Path(LinkDirection direction) => direction == LinkDirection.Out ? _out : _in;
}
