using System;
using System.Runtime.CompilerServices;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Flows;

/// <summary>
/// From a 4-tuple to a number: open addressing with linear probing, keys inside the table so that a look-up touches
/// one place. Entries are replaced, never removed: a 4-tuple stays known until the end of the trace.
/// </summary>
/// <param name="seed">Keys the hash, so that nobody who sends packets can make them collide.</param>
sealed class FlowIndex(ulong seed)
{
    const int InitialCapacity = 64; // a power of two

    Entry[] _entries = new Entry[InitialCapacity];
    int _count;

    /// <summary>Looks a 4-tuple up, and adds it when it is new.</summary>
    /// <param name="key">The 4-tuple.</param>
    /// <param name="isNew">Whether it was added; the value is then 0.</param>
    /// <returns>A reference to its value, valid until the next call.</returns>
    public ref int GetOrAdd(in FlowKey key, out bool isNew)
    {
        int slot = SlotOf(key);
        isNew = !_entries[slot].IsUsed;
        return ref isNew ? ref Add(key, slot) : ref _entries[slot].Value;
    }

    /// <summary>Looks a 4-tuple up.</summary>
    /// <param name="key">The 4-tuple.</param>
    /// <param name="value">Its value.</param>
    /// <returns>False for an unknown one.</returns>
    public bool TryGet(in FlowKey key, out int value)
    {
        ref Entry entry = ref _entries[SlotOf(key)];
        value = entry.Value;
        return entry.IsUsed;
    }

    // Where it is, or where it belongs.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    int SlotOf(in FlowKey key)
    {
        Entry[] entries = _entries;
        int mask = entries.Length - 1;
        int slot = (int)key.Hash(seed) & mask;
        while (entries[slot].IsUsed && entries[slot].Key != key)
        {
            slot = (slot + 1) & mask;
        }

        return slot;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    ref int Add(in FlowKey key, int slot)
    {
        if (_count >= _entries.Length - (_entries.Length >> 2))
        {
            Grow();
            slot = FindFree(_entries, key);
        }

        _count++;
        _entries[slot] = new Entry { Key = key, IsUsed = true };
        return ref _entries[slot].Value;
    }

    void Grow()
    {
        var larger = new Entry[_entries.Length * 2];
        foreach (ref readonly Entry entry in _entries.AsSpan())
        {
            if (entry.IsUsed)
            {
                larger[FindFree(larger, entry.Key)] = entry;
            }
        }

        _entries = larger;
    }

    int FindFree(Entry[] entries, in FlowKey key)
    {
        int mask = entries.Length - 1;
        int slot = (int)key.Hash(seed) & mask;
        while (entries[slot].IsUsed)
        {
            slot = (slot + 1) & mask;
        }

        return slot;
    }

    struct Entry
    {
        public FlowKey Key;
        public int Value;
        public bool IsUsed;
    }
}
