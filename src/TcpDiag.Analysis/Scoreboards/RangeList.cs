using System;
using System.Buffers;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Scoreboards;

/// <summary>
/// Ranges in the order of their first numbers, in one rented array: cheap to add at the end and to remove in front, which is
/// what connections do. It never holds more than <see cref="MostItems"/>, whatever a trace contains. The default value is an empty list.
/// </summary>
/// <typeparam name="T">The range.</typeparam>
struct RangeList<T>
    where T : struct, ISequenceRange
{
    /// <summary>Ranges kept at most: as many segments of 1460 bytes fill a window of 23 MB when each is a range of its own.</summary>
    public const int MostItems = 1 << 14;

    const int FirstLength = 16;

    T[]? _items;
    int _head;

    /// <summary>Ranges in the list.</summary>
    public int Count { get; private set; }

    /// <summary>Whether another range has no room.</summary>
    public readonly bool IsFull => Count == MostItems;

    /// <summary>A range by its position; valid until the list changes.</summary>
    /// <param name="index">0 … <see cref="Count"/> − 1.</param>
    /// <returns>A reference into the list.</returns>
    public readonly ref T this[int index] => ref _items![_head + index];

    /// <summary>Position of the first range that begins behind a number.</summary>
    /// <param name="at">The number.</param>
    /// <returns>0 … <see cref="Count"/>.</returns>
    public readonly int FirstBeginningBehind(SequenceNumber at)
    {
        int low = 0;
        int high = Count;
        while (low < high)
        {
            int middle = (low + high) >> 1;
            if (this[middle].Start > at)
            {
                high = middle;
            }
            else
            {
                low = middle + 1;
            }
        }

        return low;
    }

    /// <summary>Position of the first range that ends behind a number; for lists whose ranges do not overlap.</summary>
    /// <param name="at">The number.</param>
    /// <returns>0 … <see cref="Count"/>.</returns>
    public readonly int FirstEndingBehind(SequenceNumber at)
    {
        int index = FirstBeginningBehind(at);
        return index > 0 && this[index - 1].End > at ? index - 1 : index;
    }

    /// <summary>Puts a range in. The list must not be full.</summary>
    /// <param name="index">Its position.</param>
    /// <param name="item">The range.</param>
    public void Insert(int index, in T item)
    {
        if (_items is null || _head + Count == _items.Length)
        {
            MakeRoom();
        }

        Span<T> tail = _items.AsSpan(_head + index, Count - index + 1);
        tail[..^1].CopyTo(tail[1..]);
        tail[0] = item;
        Count++;
    }

    /// <summary>Takes ranges out.</summary>
    /// <param name="index">Position of the first.</param>
    /// <param name="count">How many.</param>
    public void Remove(int index, int count)
    {
        if (index == 0)
        {
            _head += count;
        }
        else
        {
            _items.AsSpan(_head + index + count, Count - index - count).CopyTo(_items.AsSpan(_head + index));
        }

        Count -= count;
        if (Count == 0)
        {
            Release();
        }
    }

    /// <summary>Empties the list and gives its memory back.</summary>
    public void Release()
    {
        if (_items is not null)
        {
            ArrayPool<T>.Shared.Return(_items);
        }

        _items = null;
        _head = 0;
        Count = 0;
    }

    // Half the array free in front: move; else take one twice as large.
    void MakeRoom()
    {
        bool isRoomInFront = _items is not null && _head >= _items.Length / 2;
        T[] room = isRoomInFront ? _items! : ArrayPool<T>.Shared.Rent(Math.Max(2 * Count, FirstLength));
        _items.AsSpan(_head, Count).CopyTo(room);
        if (_items is not null && !isRoomInFront)
        {
            ArrayPool<T>.Shared.Return(_items);
        }

        _items = room;
        _head = 0;
    }
}
