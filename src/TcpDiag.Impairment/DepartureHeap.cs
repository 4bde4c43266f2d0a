using System;
using System.Runtime.InteropServices;
using TcpDiag.Wire;

namespace TcpDiag.Impairment;

/// <summary>
/// The packets under way, earliest departure first; packets due at the same instant leave in the order they were put in. A binary heap of small nodes over a
/// pool of packets: putting in and taking out costs O(log n) and no memory once the pool has grown to the packets that are under way at a time.
/// </summary>
sealed class DepartureHeap(int capacity)
{
    const int InitialSlots = 1024;

    Node[] _heap = new Node[Math.Min(capacity, InitialSlots)];
    LinkPacket[] _packets = new LinkPacket[Math.Min(capacity, InitialSlots)];

    // The index of each slot's node in the heap; for a free slot the next free one, or −1.
    int[] _position = NewFreeList(0, Math.Min(capacity, InitialSlots));
    int _free;
    long _order;

    public int Count { get; private set; }

    /// <summary>Whether one more packet would exceed the capacity.</summary>
    public bool IsFull => Count >= capacity;

    /// <summary>When the earliest packet is due; the end of time when there is none.</summary>
    public TraceTime NextDue => Count > 0 ? _heap[0].Due : new TraceTime(long.MaxValue);

    /// <summary>Puts a packet in at its DueAt and returns its slot. The heap must not be full.</summary>
    public int Push(in LinkPacket packet)
    {
        if (_free < 0)
        {
            Grow();
        }

        int slot = _free;
        _free = _position[slot];
        _packets[slot] = packet;
        SiftUp(Count++, new Node(packet.DueAt, _order++, slot));
        return slot;
    }

    /// <summary>Takes the earliest packet out. The heap must not be empty.</summary>
    /// <returns>The slot it had.</returns>
    public int Pop(out LinkPacket packet)
    {
        int slot = _heap[0].Slot;
        packet = _packets[slot];
        Count--;
        if (Count > 0)
        {
            SiftDown(0, _heap[Count]);
        }

        _position[slot] = _free;
        _free = slot;
        return slot;
    }

    /// <summary>Moves the packet of a slot to another instant, behind whatever is due then already.</summary>
    public void MoveTo(int slot, TraceTime due)
    {
        _packets[slot].DueAt = due;
        int at = _position[slot];
        Node node = new(due, _order++, slot);
        if (node.IsBefore(_heap[at]))
        {
            SiftUp(at, node);
        }
        else
        {
            SiftDown(at, node);
        }
    }

    void SiftUp(int at, Node node)
    {
        while (at > 0)
        {
            int parent = (at - 1) / 2;
            if (!node.IsBefore(_heap[parent]))
            {
                break;
            }

            Put(at, _heap[parent]);
            at = parent;
        }

        Put(at, node);
    }

    void SiftDown(int at, Node node)
    {
        while (true)
        {
            int child = (2 * at) + 1;
            if (child >= Count)
            {
                break;
            }

            if (child + 1 < Count && _heap[child + 1].IsBefore(_heap[child]))
            {
                child++;
            }

            if (!_heap[child].IsBefore(node))
            {
                break;
            }

            Put(at, _heap[child]);
            at = child;
        }

        Put(at, node);
    }

    void Put(int at, Node node)
    {
        _heap[at] = node;
        _position[node.Slot] = at;
    }

    void Grow()
    {
        int old = _packets.Length;
        int wider = (int)Math.Min(capacity, old * 2L);
        Array.Resize(ref _heap, wider);
        Array.Resize(ref _packets, wider);
        int[] positions = NewFreeList(old, wider);
        Array.Copy(_position, positions, old);
        _position = positions;
        _free = old;
    }

    static int[] NewFreeList(int first, int count)
    {
        int[] list = new int[count];
        for (int i = first; i < count; i++)
        {
            list[i] = i + 1 < count ? i + 1 : -1;
        }

        return list;
    }

    [StructLayout(LayoutKind.Auto)]
    readonly record struct Node(TraceTime Due, long Order, int Slot)
    {
        public bool IsBefore(Node other) => Due < other.Due || (Due == other.Due && Order < other.Order);
    }
}
