using System;

namespace TcpDiag.Impairment.Queues;

/// <summary>Packets first in, first out: a ring that grows with what waits in it.</summary>
sealed class PacketQueue
{
    const int InitialCapacity = 16;

    LinkPacket[] _ring = new LinkPacket[InitialCapacity];
    int _head;

    public int Packets { get; private set; }

    public long Bytes { get; private set; }

    public void Add(in LinkPacket packet)
    {
        if (Packets == _ring.Length)
        {
            Grow();
        }

        _ring[(_head + Packets) & (_ring.Length - 1)] = packet;
        Packets++;
        Bytes += packet.LengthBytes;
    }

    /// <summary>Takes the oldest packet.</summary>
    /// <returns>False when there is none.</returns>
    public bool TryTake(out LinkPacket packet)
    {
        packet = default;
        if (Packets == 0)
        {
            return false;
        }

        packet = _ring[_head];
        _head = (_head + 1) & (_ring.Length - 1);
        Packets--;
        Bytes -= packet.LengthBytes;
        return true;
    }

    void Grow()
    {
        LinkPacket[] wider = new LinkPacket[_ring.Length * 2];
        int first = _ring.Length - _head;
        Array.Copy(_ring, _head, wider, 0, first);
        Array.Copy(_ring, 0, wider, first, _head);
        _ring = wider;
        _head = 0;
    }
}
