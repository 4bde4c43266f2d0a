using System;
using System.Collections.Generic;
using TcpDiag.Impairment.Cross;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Wire;

namespace TcpDiag.Impairment;

/// <summary>
/// An emulated path: packets are offered on one side and taken on the other when they are due. It has no clock, thread or I/O of its own: every call
/// passes in the time, real or virtual, and the same seed and arrivals always give the same decisions. Not thread-safe. Allocates nothing per packet.
/// docs/impairment.md describes the stages and their order.
/// </summary>
public sealed class LinkEmulator : ILink
{
    readonly LinkPath _out;
    readonly LinkPath _in;

    /// <summary>Builds a path.</summary>
    /// <param name="settings">What the path does.</param>
    /// <param name="start">The instant blackout windows are counted from.</param>
    /// <param name="sink">Receives every decision; null for none.</param>
    /// <param name="buffers">The caller's packet buffers, retained and released as packets are duplicated and dropped; null if it keeps none.</param>
    /// <param name="observer">Sees packets at the observation points; null for none.</param>
    public LinkEmulator(
        EmulatorSettings settings, TraceTime start, IDecisionSink? sink = null, IPacketBuffers? buffers = null, IPacketObserver? observer = null)
    {
        _out = new LinkPath(settings, LinkDirection.Out, start, new DecisionRecorder(sink, buffers, observer));
        _in = new LinkPath(settings, LinkDirection.In, start, new DecisionRecorder(sink, buffers, observer));
    }

    /// <summary>When to call <see cref="TryTake"/> next; <see cref="long.MaxValue"/> nanoseconds when nothing is under way.</summary>
    public TraceTime NextDue => _out.NextDue < _in.NextDue ? _out.NextDue : _in.NextDue;

    /// <summary>What has happened in a direction so far.</summary>
    /// <param name="direction">The direction.</param>
    /// <returns>The live counts.</returns>
    public DecisionCounts Counts(LinkDirection direction) => Path(direction).Counts;

    /// <summary>What has become of the cross traffic of a direction so far.</summary>
    /// <param name="direction">The direction.</param>
    /// <returns>One report for each flow, in the order of the settings.</returns>
    public IReadOnlyList<CrossReport> CrossReports(LinkDirection direction) => Path(direction).CrossReports;

    /// <summary>What has become of the cross traffic so far, as sentences.</summary>
    /// <param name="elapsedNanos">Nanoseconds since the start of the run.</param>
    /// <returns>One for each direction that has any.</returns>
    public IEnumerable<string> DescribeCross(long elapsedNanos)
    {
        foreach (LinkDirection direction in Enum.GetValues<LinkDirection>())
        {
            IReadOnlyList<CrossReport> reports = CrossReports(direction);
            if (reports.Count > 0)
            {
                yield return CrossReport.Describe(direction, reports, elapsedNanos);
            }
        }
    }

    /// <summary>A packet arrives.</summary>
    /// <param name="packet">Handle, length, flow hash, direction and ECN field; the rest is ignored.</param>
    /// <param name="now">The time; when a clock steps back, the latest time seen is used.</param>
    public void Offer(LinkPacket packet, TraceTime now) => Path(packet.Direction).Offer(ref packet, now);

    /// <summary>Takes a packet that is due; call it until it returns false.</summary>
    /// <param name="now">The time.</param>
    /// <param name="packet">The earliest packet due in either direction; apply its <see cref="LinkPacket.Marks"/> before sending it.</param>
    /// <returns>False when no packet is due.</returns>
    public bool TryTake(TraceTime now, out LinkPacket packet)
    {
        LinkPath first = _in.NextDue < _out.NextDue ? _in : _out;
        return first.TryTake(now, out packet) || (first == _in ? _out : _in).TryTake(now, out packet);
    }

    LinkPath Path(LinkDirection direction) => direction == LinkDirection.Out ? _out : _in;
}

/// <summary>The buffers that keep the bytes of packets under way, with a reference count: a packet and its copy share one handle.</summary>
public interface IPacketBuffers
{
    /// <summary>A packet was duplicated: one more packet with this handle will leave.</summary>
    /// <param name="handle">The handle of <see cref="LinkPacket.Handle"/>.</param>
    void Retain(int handle);

    /// <summary>A packet was dropped: one packet fewer with this handle will leave.</summary>
    /// <param name="handle">The handle of <see cref="LinkPacket.Handle"/>.</param>
    void Release(int handle);
}

/// <summary>Sees packets pass the observation points of the emulated path.</summary>
public interface IPacketObserver
{
    /// <summary>A packet passes a point.</summary>
    /// <param name="point">The point.</param>
    /// <param name="packet">The packet; valid during the call.</param>
    /// <param name="time">When it passes: at <see cref="ObservationPoint.Between"/> the emulated instant, elsewhere the caller's clock.</param>
    void OnPacket(ObservationPoint point, in LinkPacket packet, TraceTime time);
}

/// <summary>Where on the emulated path a packet is seen; two captures of the same run are compared at two of these points.</summary>
public enum ObservationPoint
{
    /// <summary>Before any impairment.</summary>
    Ingress = 0,

    /// <summary>Between the two segments of the path: behind the impairments in front of it, before those behind it.</summary>
    Between = 1,

    /// <summary>After every impairment.</summary>
    Egress = 2,
}

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
