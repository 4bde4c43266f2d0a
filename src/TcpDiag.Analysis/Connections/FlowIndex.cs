using System;
using System.Runtime.CompilerServices;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Connections;

/// <summary>Knows which 4-tuples the numbers of a <see cref="FlowIndex"/> stand for.</summary>
interface IFlowKeys
{
    /// <summary>Whether a number stands for a 4-tuple.</summary>
    /// <param name="value">A number that was added, or put in the place of one.</param>
    /// <param name="key">The 4-tuple.</param>
    /// <returns>True when it does.</returns>
    bool Is(int value, in FlowKey key);
}

/// <summary>
/// From a 4-tuple to a number: open addressing with linear probing. Beside each number is half of the hash; whose it is, the owner of the numbers
/// knows, who needs what is there next anyhow. So eight bytes are kept for a 4-tuple, and of a hundred thousand all stay in the cache. Numbers are
/// replaced, never removed: a 4-tuple stays known until the end of the trace.
/// </summary>
/// <param name="seed">Keys the hash, so that nobody who sends packets can make them collide.</param>
/// <param name="keys">Knows the 4-tuple of each number.</param>
sealed class FlowIndex(ulong seed, IFlowKeys keys)
{
    const int InitialCapacity = 64; // a power of two

    Entry[] _entries = new Entry[InitialCapacity];
    int _count;

    /// <summary>Looks a 4-tuple up.</summary>
    /// <param name="key">The 4-tuple.</param>
    /// <returns>A reference to its number, valid until the next <see cref="Add"/>; null for an unknown one.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref int Find(in FlowKey key)
    {
        Entry[] entries = _entries;
        uint tag = TagOf(key);
        for (uint slot = tag; ; slot++)
        {
            ref Entry entry = ref entries[slot & (uint)(entries.Length - 1)];
            if (entry.Tag == tag && keys.Is(entry.Value, key))
            {
                return ref entry.Value;
            }

            if (entry.Tag == 0)
            {
                return ref Unsafe.NullRef<int>();
            }
        }
    }

    /// <summary>Adds a 4-tuple that is not known yet.</summary>
    /// <param name="key">The 4-tuple.</param>
    /// <param name="value">Its number.</param>
    public void Add(in FlowKey key, int value)
    {
        if (_count >= _entries.Length - (_entries.Length >> 2))
        {
            Grow();
        }

        _count++;
        Put(_entries, new Entry { Tag = TagOf(key), Value = value });
    }

    void Grow()
    {
        var larger = new Entry[_entries.Length * 2];
        foreach (Entry entry in _entries)
        {
            if (entry.Tag != 0)
            {
                Put(larger, entry);
            }
        }

        _entries = larger;
    }

    static void Put(Entry[] entries, Entry entry)
    {
        uint slot = entry.Tag;
        while (entries[slot & (uint)(entries.Length - 1)].Tag != 0)
        {
            slot++;
        }

        entries[slot & (uint)(entries.Length - 1)] = entry;
    }

    // Half of the hash, never 0: that is a free slot.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    uint TagOf(in FlowKey key) => Math.Max((uint)key.Hash(seed), 1);

    struct Entry
    {
        public uint Tag;
        public int Value;
    }
}
