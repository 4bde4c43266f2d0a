using System;
using System.Collections.Generic;
using TcpDiag.Impairment;
using TcpDiag.Simulator.Captures;
using TcpDiag.Simulator.Flows;
using TcpDiag.Simulator.Senders;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Paths;

/// <summary>
/// The path between two hosts: the emulator of real runs on a virtual clock, with the segments' numbers in place of their bytes. Segments are kept in slots
/// that are used again.
/// </summary>
sealed class SimulatedPath : IPacketBuffers, IPacketObserver
{
    readonly ILink _link;
    readonly IReadOnlyList<ISegmentCapture> _captures;
    readonly int _ipBytes;
    readonly Stack<int> _free = new();
    SimulatedPacket[] _packets = new SimulatedPacket[256];
    int[] _references = new int[256];
    int _used;

    /// <summary>A path.</summary>
    /// <param name="link">Makes the link, with who keeps its packets and who sees them.</param>
    /// <param name="flow">The flow: its side, and the size of its headers.</param>
    /// <param name="captures">Who sees the segments.</param>
    public SimulatedPath(Func<IPacketBuffers, IPacketObserver, ILink> link, SimulatedFlow flow, IReadOnlyList<ISegmentCapture> captures)
    {
        _link = link(this, this);
        _captures = captures;
        IsSenderNear = !flow.IsDownload; // the near side is the client's, as in the lab
        _ipBytes = FrameWriter.IpBytes(flow.IsIpv6);
    }

    /// <summary>Whether the sender of the data is at the near side.</summary>
    public bool IsSenderNear { get; }

    /// <summary>When a segment arrives next; <see cref="TraceTime.Latest"/> when none is under way.</summary>
    public TraceTime NextDue => _link.NextDue;

    /// <summary>A host sends a segment.</summary>
    public void Send(in SimulatedPacket packet, TraceTime now)
    {
        int handle = Take();
        _packets[handle] = packet;
        _link.Offer(
            new LinkPacket
            {
                Handle = handle,
                LengthBytes = _ipBytes + FrameWriter.HeaderBytes(packet) + packet.Length,
                FlowHash = packet.IsFromSender ? 1u : 2u,
                Direction = packet.IsFromSender == IsSenderNear ? LinkDirection.Out : LinkDirection.In,
                Ecn = (EcnCodepoint)packet.Ecn,
            },
            now);
    }

    /// <summary>Takes a segment that arrives; call it until it returns false.</summary>
    public bool TryReceive(TraceTime now, out SimulatedPacket packet)
    {
        packet = default;
        while (_link.TryTake(now, out LinkPacket arrived))
        {
            packet = _packets[arrived.Handle];
            packet.Ecn = (arrived.Marks & PacketMarks.CongestionExperienced) != 0 ? (byte)EcnCodepoint.Ce : packet.Ecn;
            Release(arrived.Handle);
            if ((arrived.Marks & PacketMarks.Corrupt) == 0) // a wrong checksum is dropped by the host
            {
                return true;
            }
        }

        return false;
    }

    /// <inheritdoc/>
    public void Retain(int handle) => _references[handle]++;

    /// <inheritdoc/>
    public void Release(int handle)
    {
        if (--_references[handle] == 0)
        {
            _free.Push(handle);
        }
    }

    /// <inheritdoc/>
    public void OnPacket(ObservationPoint point, in LinkPacket packet, TraceTime time)
    {
        if (_captures.Count == 0)
        {
            return;
        }

        SimulatedPacket seen = _packets[packet.Handle];
        seen.Ecn = (packet.Marks & PacketMarks.CongestionExperienced) != 0 ? (byte)EcnCodepoint.Ce : seen.Ecn;
        bool isBeforePath = point == ObservationPoint.Ingress;
        SegmentPoint where = point == ObservationPoint.Between ? SegmentPoint.Middle
            : isBeforePath == seen.IsFromSender ? SegmentPoint.Sender : SegmentPoint.Receiver;
        foreach (ISegmentCapture capture in _captures)
        {
            if (capture.Point == where)
            {
                capture.OnSegment(seen, time);
            }
        }
    }

    int Take()
    {
        if (!_free.TryPop(out int handle))
        {
            if (_used == _packets.Length)
            {
                Array.Resize(ref _packets, 2 * _used);
                Array.Resize(ref _references, 2 * _used);
            }

            handle = _used++;
        }

        _references[handle] = 1;
        return handle;
    }
}

/// <summary>Where segments are captured.</summary>
public enum SegmentPoint
{
    /// <summary>At the host that sends the data.</summary>
    Sender,

    /// <summary>Between the two segments of the path, if it has two.</summary>
    Middle,

    /// <summary>At the host that receives the data.</summary>
    Receiver,
}

/// <summary>Sees the segments that pass a point.</summary>
public interface ISegmentCapture
{
    /// <summary>The point.</summary>
    SegmentPoint Point { get; }

    /// <summary>A segment passes.</summary>
    /// <param name="packet">The segment.</param>
    /// <param name="time">When.</param>
    void OnSegment(in SimulatedPacket packet, TraceTime time);
}

/// <summary>A TCP segment on the simulated path: its numbers, not its bytes.</summary>
public struct SimulatedPacket
{
    /// <summary>Whether it goes from the sender of the data to the receiver.</summary>
    public bool IsFromSender;

    /// <summary>Control bits.</summary>
    public TcpFlags Flags;

    /// <summary>SEG.SEQ.</summary>
    public SequenceNumber Seq;

    /// <summary>Payload bytes.</summary>
    public int Length;

    /// <summary>TSval.</summary>
    public uint TsVal;

    /// <summary>Identification of its IPv4 header.</summary>
    public ushort IpId;

    /// <summary>The two ECN bits of its IP header (RFC 3168 §5).</summary>
    public byte Ecn;

    /// <summary>What it acknowledges, grants and reports.</summary>
    public AckArrival Ack;
}
