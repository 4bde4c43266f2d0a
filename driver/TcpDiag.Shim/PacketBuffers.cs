using System;
using System.Collections.Generic;
using TcpDiag.Impairment;

namespace TcpDiag.Shim;

/// <summary>
/// The bytes of packets under way, in slots of one size that are counted by how many packets share them. Grows in blocks up to a limit and never shrinks:
/// once a run has reached its working set nothing is allocated any more.
/// </summary>
sealed class PacketBuffers(IPacketPort port, int slotBytes, int maxSlots) : IPacketBuffers
{
    const int BlockSlots = 512;

    readonly List<byte[]> _blocks = [];
    Slot[] _slots = [];
    int[] _free = [];
    int _freeCount;

    public int InUse => _slots.Length - _freeCount;

    /// <summary>Takes a free slot for one packet.</summary>
    /// <returns>Its handle; −1 when the limit is reached.</returns>
    public int Acquire()
    {
        if (_freeCount == 0 && !TryGrow())
        {
            return -1;
        }

        int handle = _free[--_freeCount];
        _slots[handle] = new Slot { Shares = 1 };
        return handle;
    }

    /// <summary>The whole slot, to receive into.</summary>
    public Span<byte> Bytes(int handle) => _blocks[handle / BlockSlots].AsSpan(handle % BlockSlots * slotBytes, slotBytes);

    /// <summary>Says what was received into a slot.</summary>
    public void Fill(int handle, int length, in PacketOrigin origin)
    {
        _slots[handle].Length = length;
        _slots[handle].Origin = origin;
    }

    /// <summary>Puts back a slot into which nothing was received.</summary>
    public void Return(int handle) => _free[_freeCount++] = handle;

    /// <summary>Sends a packet that leaves, with its marks carried out, and lets its share go.</summary>
    public void Send(int handle, PacketMarks marks, uint corruptBit)
    {
        ref Slot slot = ref _slots[handle];
        Span<byte> packet = Bytes(handle)[..slot.Length];
        bool changes = (marks & (PacketMarks.Corrupt | PacketMarks.CongestionExperienced)) != PacketMarks.None;
        if (changes && PacketView.TryRead(packet, out PacketView view))
        {
            port.Prepare(packet, ref slot.Origin);
            Change(view, marks, corruptBit);
            port.Complete(packet, slot.Origin, !slot.Completed);

            // Flipping the same bit again restores it for a copy that shares the bytes.
            if ((marks & PacketMarks.Corrupt) != PacketMarks.None)
            {
                view.FlipBit(corruptBit);
            }
        }
        else
        {
            port.Complete(packet, slot.Origin, !slot.Completed);
        }

        slot.Completed = true;
        Release(handle);
    }

    /// <inheritdoc/>
    public void Retain(int handle) => _slots[handle].Shares++;

    /// <inheritdoc/>
    public void Release(int handle)
    {
        ref Slot slot = ref _slots[handle];
        if (--slot.Shares > 0)
        {
            return;
        }

        if (!slot.Completed)
        {
            port.Complete([], slot.Origin, isFirst: true);
        }

        Return(handle);
    }

    static void Change(PacketView view, PacketMarks marks, uint corruptBit)
    {
        if ((marks & PacketMarks.CongestionExperienced) != PacketMarks.None)
        {
            view.MarkCongestionExperienced();
        }

        if ((marks & PacketMarks.Corrupt) != PacketMarks.None)
        {
            view.FlipBit(corruptBit);
        }
    }

    bool TryGrow()
    {
        int old = _slots.Length;
        if (old + BlockSlots > maxSlots)
        {
            return false;
        }

        _blocks.Add(GC.AllocateUninitializedArray<byte>(BlockSlots * slotBytes));
        Array.Resize(ref _slots, old + BlockSlots);
        Array.Resize(ref _free, old + BlockSlots);
        for (int i = 0; i < BlockSlots; i++)
        {
            _free[_freeCount++] = old + BlockSlots - 1 - i;
        }

        return true;
    }

    struct Slot
    {
        public PacketOrigin Origin;
        public int Length;
        public int Shares;

        // Whether the packet was completed at the port.
        public bool Completed;
    }
}
