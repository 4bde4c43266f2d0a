using System;
using System.Collections.Generic;
using System.IO;
using TcpDiag.Impairment;
using TcpDiag.Traces;
using TcpDiag.Traces.Pcapng;
using TcpDiag.Wire;

namespace TcpDiag.Shim;

/// <summary>
/// A capture on the emulated path, at the point between its two segments. What passes it is known when a packet arrives, often before the instant at which it passes:
/// packets wait here for that, and so are written in the order in which they pass.
/// </summary>
sealed class ObservationFile : IDisposable
{
    readonly ObservationRing _ring;
    readonly PcapngWriter _writer;
    readonly PriorityQueue<ObservedPacket, (long Nanoseconds, long Number)> _waiting = new();
    long _number;

    /// <summary>Begins a file.</summary>
    /// <param name="output">Takes it; closed with this object.</param>
    /// <param name="snapBytes">Bytes kept of each packet.</param>
    public ObservationFile(Stream output, int snapBytes)
    {
        _ring = new ObservationRing(snapBytes);
        _writer = new PcapngWriter(output, new PcapngWriterOptions { SnapLength = snapBytes, Comment = "Between the segments of an emulated path (docs/impairment.md); outbound is out." });
        _writer.WriteInterface(new TraceInterface { Index = 0, LinkType = LinkType.Raw, Name = "between" });
    }

    /// <summary>Takes packets on their way.</summary>
    public ObservationRing Ring => _ring;

    /// <summary>Writes what has passed by a time.</summary>
    /// <param name="now">The time; at the end of a run the end of time.</param>
    public void Write(TraceTime now)
    {
        while (_ring.TryTake(out ObservedPacket observed))
        {
            _waiting.Enqueue(observed, (observed.Time.Nanoseconds, _number++));
        }

        while (_waiting.TryPeek(out ObservedPacket packet, out _) && packet.Time <= now)
        {
            _waiting.Dequeue();
            Write(in packet);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _writer.Dispose();

    void Write(in ObservedPacket packet)
    {
        TraceRecord record = new()
        {
            Kind = TraceRecordKind.Packet,
            Time = packet.Time,
            Data = packet.Head,
            LinkType = LinkType.Raw,
            OriginalLength = packet.Length,
            Direction = packet.Direction == LinkDirection.Out ? PacketDirection.Outbound : PacketDirection.Inbound,
        };
        _writer.WritePacket(in record);
    }
}
