using System;
using System.Runtime.InteropServices;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Stages;

/// <summary>
/// What waits in front of the link: packets whose transmission has not begun. Since the queue is first in, first out and the rate is known, the
/// start of a packet's transmission is settled when it arrives; the queue is a ring of those instants.
/// </summary>
sealed class Backlog
{
    const int InitialCapacity = 256;

    Entry[] _ring = new Entry[InitialCapacity];
    int _head;

    public int Packets { get; private set; }

    public long Bytes { get; private set; }

    /// <summary>Removes the packets whose transmission has begun by <paramref name="now"/>.</summary>
    public void Advance(TraceTime now)
    {
        while (Packets > 0 && _ring[_head].Start <= now)
        {
            Bytes -= _ring[_head].LengthBytes;
            _head = (_head + 1) & (_ring.Length - 1);
            Packets--;
        }
    }

    public bool Fits(int lengthBytes, QueueLimit limit) => Packets < limit.Packets && lengthBytes <= limit.Bytes - Bytes;

    public bool Reaches(QueueLimit depth) => Packets >= depth.Packets || Bytes >= depth.Bytes;

    /// <summary>Adds a packet that waits until <paramref name="start"/>, not before any packet added earlier.</summary>
    public void Add(TraceTime start, int lengthBytes)
    {
        if (Packets == _ring.Length)
        {
            Grow();
        }

        _ring[(_head + Packets) & (_ring.Length - 1)] = new Entry(start, lengthBytes);
        Packets++;
        Bytes += lengthBytes;
    }

    void Grow()
    {
        Entry[] wider = new Entry[_ring.Length * 2];
        int first = _ring.Length - _head;
        Array.Copy(_ring, _head, wider, 0, first);
        Array.Copy(_ring, 0, wider, first, _head);
        _ring = wider;
        _head = 0;
    }

    [StructLayout(LayoutKind.Auto)]
    readonly record struct Entry(TraceTime Start, int LengthBytes);
}
