using System;
using System.Runtime.InteropServices;
using System.Threading;
using TcpDiag.Impairment;
using TcpDiag.Wire;

namespace TcpDiag.Shim;

/// <summary>
/// Carries the heads of packets that pass the observation point from the packet thread to the one that writes them, as <see cref="DecisionRing"/> carries decisions:
/// one producer, one consumer, no lock, no allocation; when it is full packets are counted instead of kept.
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
    /// <param name="observed">The packet.</param>
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
