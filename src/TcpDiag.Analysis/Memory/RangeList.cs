using System;
using System.Buffers;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Memory;

/// <summary>A range of sequence numbers with what is known about it.</summary>
interface ISequenceRange
{
    /// <summary>First number.</summary>
    SequenceNumber Start { get; set; }

    /// <summary>Behind the last number.</summary>
    SequenceNumber End { get; set; }
}

/// <summary>
/// Ranges in the order of their first numbers, in one rented array: cheap to add at the end and to remove in front, which is
/// what connections do. It never holds more than <see cref="MaxItems"/>, whatever a trace contains. The default value is an empty list.
/// </summary>
/// <typeparam name="T">The range.</typeparam>
struct RangeList<T>
    where T : struct, ISequenceRange
{
    /// <summary>Ranges kept at most: as many segments of 1460 bytes fill a window of 23 MB when each is a range of its own.</summary>
    public const int MaxItems = 1 << 14;

    const int MinLength = 16;

    T[]? _items;
    int _head;

    /// <summary>Ranges in the list.</summary>
    public int Count { get; private set; }

    /// <summary>Whether another range has no room.</summary>
    public readonly bool IsFull => Count == MaxItems;

    /// <summary>A range by its position; valid until the list changes.</summary>
    /// <param name="index">0 … <see cref="Count"/> − 1.</param>
    /// <returns>A reference into the list.</returns>
    public readonly ref T this[int index] => ref _items![_head + index];

    /// <summary>Position of the first range that begins behind a number.</summary>
    /// <param name="at">The number.</param>
    /// <returns>0 … <see cref="Count"/>.</returns>
    public readonly int FirstStartingAfter(SequenceNumber at)
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
    public readonly int FirstEndingAfter(SequenceNumber at)
    {
        int index = FirstStartingAfter(at);
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

    /// <summary>Takes a part out of a range of a list whose ranges do not overlap. An upper rest for which the list has no room is forgotten.</summary>
    /// <param name="index">Position of the range.</param>
    /// <param name="from">First number of the part, inside the range.</param>
    /// <param name="to">Behind the last number of the part, inside the range.</param>
    /// <returns>Ranges left of it, 0 … 2: so many positions further on is the range that followed.</returns>
    public int Cut(int index, SequenceNumber from, SequenceNumber to)
    {
        ref T range = ref this[index];
        bool keepsLow = from > range.Start;
        bool keepsHigh = to < range.End;
        if (!keepsLow && !keepsHigh)
        {
            Remove(index, 1);
            return 0;
        }

        if (keepsLow && keepsHigh && !IsFull)
        {
            T rest = range;
            rest.Start = to;
            range.End = from;
            Insert(index + 1, rest);
            return 2;
        }

        range.Start = keepsLow ? range.Start : to;
        range.End = keepsLow ? from : range.End;
        return 1;
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
        T[] room = isRoomInFront ? _items! : ArrayPool<T>.Shared.Rent(Math.Max(2 * Count, MinLength));
        _items.AsSpan(_head, Count).CopyTo(room);
        if (_items is not null && !isRoomInFront)
        {
            ArrayPool<T>.Shared.Return(_items);
        }

        _items = room;
        _head = 0;
    }
}
