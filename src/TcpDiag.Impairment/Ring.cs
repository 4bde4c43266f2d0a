using System;
using System.Runtime.CompilerServices;

namespace TcpDiag.Impairment;

/// <summary>Items first in, first out, in a ring that grows with what waits in it.</summary>
/// <typeparam name="T">The items.</typeparam>
/// <param name="capacity">How many fit at first; a power of two.</param>
sealed class Ring<T>(int capacity)
    where T : struct
{
    T[] _items = new T[capacity];
    int _head;

    /// <summary>How many there are.</summary>
    public int Count { get; private set; }

    /// <summary>The oldest; there must be one.</summary>
    public ref readonly T First => ref _items[_head];

    /// <summary>Adds one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Add(in T item)
    {
        if (Count == _items.Length)
        {
            Grow();
        }

        _items[(_head + Count) & (_items.Length - 1)] = item;
        Count++;
    }

    /// <summary>Removes the oldest; there must be one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void RemoveFirst()
    {
        _head = (_head + 1) & (_items.Length - 1);
        Count--;
    }

    void Grow()
    {
        T[] wider = new T[_items.Length * 2];
        int first = _items.Length - _head;
        Array.Copy(_items, _head, wider, 0, first);
        Array.Copy(_items, 0, wider, first, _head);
        _items = wider;
        _head = 0;
    }
}
