using System;

namespace TcpDiag.Analysis.Timelines;

/// <summary>
/// Items on a time axis in bounded memory. Every item is kept until there are too many; then the axis is cut into stretches of 2ⁿ ns, and items of one
/// kind in a stretch are merged; n grows as needed.
/// </summary>
/// <typeparam name="T">The item.</typeparam>
public sealed class Series<T>
    where T : struct, IMergeable<T>
{
    const int FirstLength = 4;

    readonly TimelineBudget _budget;
    T[] _items = [];
    int _count;
    int _shift;

    internal Series(TimelineBudget budget) => _budget = budget;

    /// <summary>The items in time order; valid until the next is added.</summary>
    public ReadOnlySpan<T> Items => _items.AsSpan(0, _count);

    /// <summary>The items, to be changed in all but their instants and kinds; valid until the next is added.</summary>
    internal Span<T> Editable() => _items.AsSpan(0, _count);

    /// <summary>The items after an instant; valid until the next is added.</summary>
    internal ReadOnlySpan<T> After(long time) => Items[FirstAfter(time)..];

    /// <summary>Capacity, in items.</summary>
    internal int Length => _items.Length;

    /// <summary>Adds an item, which must not be earlier than the latest one.</summary>
    internal void Add(in T item)
    {
        if (_shift > 0 && TryMerge(_count, item))
        {
            return;
        }

        if (_count == _items.Length)
        {
            MakeRoom();
            if (_shift > 0 && TryMerge(_count, item))
            {
                return;
            }
        }

        _items[_count++] = item;
    }

    /// <summary>Replaces all items by one.</summary>
    internal void Replace(in T item) => (_items[0], _count) = (item, 1);

    /// <summary>Merges into an item what became known about it later: an item of its kind and instant.</summary>
    internal void Complete(in T late)
    {
        for (int i = FirstAfter(late.Time) - 1; i >= 0; i--)
        {
            if (_items[i].IsSameKind(late))
            {
                _items[i] = _items[i].Merge(late);
                return;
            }
        }
    }

    /// <summary>Merges until there are no more items than allowed, and gives back the memory of the rest.</summary>
    internal void Reduce(int maximum)
    {
        Merge(maximum);
        Resize(_count);
    }

    int FirstAfter(long time)
    {
        int low = 0;
        int high = _count;
        while (low < high)
        {
            int middle = (low + high) / 2;
            (low, high) = _items[middle].Time > time ? (low, middle) : (middle + 1, high);
        }

        return low;
    }

    void MakeRoom()
    {
        if (_count < _budget.ItemsPerSeries)
        {
            Resize(int.Clamp(2 * _count, FirstLength, _budget.ItemsPerSeries));
        }
        else
        {
            Merge(_budget.ItemsPerSeries / 2);
        }
    }

    // A stretch of 2^63 ns holds every instant: at the end, one item of each kind is left.
    void Merge(int maximum)
    {
        while (_count > maximum && _shift < 63)
        {
            _shift++;
            int count = 0;
            for (int i = 0; i < _count; i++)
            {
                if (!TryMerge(count, _items[i]))
                {
                    _items[count++] = _items[i];
                }
            }

            _count = count;
        }
    }

    // Looks back through the stretch, which has at most one item of each kind.
    bool TryMerge(int count, in T item)
    {
        long stretch = item.Time >> _shift;
        for (int i = count - 1; i >= 0 && _items[i].Time >> _shift == stretch; i--)
        {
            if (_items[i].IsSameKind(item))
            {
                _items[i] = _items[i].Merge(item);
                return true;
            }
        }

        return false;
    }

    void Resize(int length)
    {
        _budget.Held += length - _items.Length;
        Array.Resize(ref _items, length);
    }
}

/// <summary>An item on a time axis that can stand for several.</summary>
/// <typeparam name="T">The item itself.</typeparam>
public interface IMergeable<T>
    where T : struct
{
    /// <summary>Instant of the first thing it stands for, ns since the Unix epoch.</summary>
    long Time { get; }

    /// <summary>Whether another item is of the same kind, so that one item can stand for both when they are close to each other.</summary>
    /// <param name="other">The other.</param>
    /// <returns>True for the same kind.</returns>
    bool IsSameKind(in T other);

    /// <summary>Merges a later item into this one.</summary>
    /// <param name="later">What comes after.</param>
    /// <returns>One item for both.</returns>
    T Merge(in T later);
}
