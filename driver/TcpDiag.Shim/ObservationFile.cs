using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;
using TcpDiag.Impairment;
using TcpDiag.Traces;
using TcpDiag.Traces.Pcapng;
using TcpDiag.Wire;

namespace TcpDiag.Shim;

/// <summary>
/// A capture on the emulated path, at the point between its two segments. What passes it is known when a packet arrives, often before the instant at
/// which it passes: packets wait here for that, and so are written in the order in which they pass.
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
        _writer = new PcapngWriter(
            output,
            new PcapngWriterOptions { SnapLength = snapBytes, Comment = "Between the segments of an emulated path (docs/impairment.md); outbound is out." });
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

/// <summary>
/// Carries the heads of packets that pass the observation point from the packet thread to the one that writes them, as <see cref="DecisionRing"/>
/// carries decisions: one producer, one consumer, no lock, no allocation; when it is full packets are counted instead of kept.
/// </summary>
sealed class ObservationRing(int snapBytes) : IPacketObserver
{
    // At 128 bytes 4 MiB; a twentieth of a second at the highest packet rate seen on TUN, twice the writer's pause.
    const int Capacity = 1 << 15;

    readonly byte[] _bytes = new byte[Capacity * snapBytes];
    readonly Head[] _heads = new Head[Capacity];
    PacketBuffers? _buffers;
    long _written;
    long _read;
    long _lost;

    /// <summary>Packets that found the ring full.</summary>
    public long Lost => Volatile.Read(ref _lost);

    /// <summary>Says where the bytes of packets are.</summary>
    public void Attach(PacketBuffers buffers) => _buffers = buffers;

    /// <inheritdoc/>
    public void OnPacket(ObservationPoint point, in LinkPacket packet, TraceTime time)
    {
        if (point != ObservationPoint.Between || _buffers is not { } buffers)
        {
            return;
        }

        if (_written - Volatile.Read(ref _read) == Capacity)
        {
            Volatile.Write(ref _lost, _lost + 1);
            return;
        }

        int slot = (int)(_written & (Capacity - 1));
        int kept = Math.Min(packet.LengthBytes, snapBytes);
        _heads[slot] = new Head { Time = time, Length = packet.LengthBytes, Kept = kept, Direction = packet.Direction };
        buffers.Bytes(packet.Handle)[..kept].CopyTo(_bytes.AsSpan(slot * snapBytes));
        Volatile.Write(ref _written, _written + 1);
    }

    /// <summary>Takes the oldest packet.</summary>
    /// <returns>False when there is none.</returns>
    public bool TryTake(out ObservedPacket observed)
    {
        if (_read == Volatile.Read(ref _written))
        {
            observed = default;
            return false;
        }

        int slot = (int)(_read & (Capacity - 1));
        Head head = _heads[slot];
        observed = new ObservedPacket(head.Time, head.Direction, head.Length, _bytes.AsSpan(slot * snapBytes, head.Kept).ToArray());
        Volatile.Write(ref _read, _read + 1);
        return true;
    }

    [StructLayout(LayoutKind.Auto)]
    struct Head
    {
        public TraceTime Time;
        public int Length;
        public int Kept;
        public LinkDirection Direction;
    }
}

/// <summary>A packet as it passed the observation point.</summary>
/// <param name="Time">The emulated instant.</param>
/// <param name="Direction">Which way it went.</param>
/// <param name="Length">Bytes of the IP packet.</param>
/// <param name="Head">Its first bytes.</param>
readonly record struct ObservedPacket(TraceTime Time, LinkDirection Direction, int Length, byte[] Head);
