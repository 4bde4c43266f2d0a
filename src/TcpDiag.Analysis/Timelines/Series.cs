using System;

namespace TcpDiag.Analysis.Timelines;

/// <summary>
/// Items on a time axis in bounded memory. Every item is kept until there are too many; then the axis is cut into
/// stretches of 2ⁿ ns, and items of a stretch that are alike become one; n grows as needed.
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

    /// <summary>The items, to be changed in all but their instants and what makes them alike.</summary>
    /// <returns>Valid until the next is added.</returns>
    internal Span<T> Edit() => _items.AsSpan(0, _count);

    /// <summary>The items behind an instant.</summary>
    /// <param name="time">The instant, ns.</param>
    /// <returns>Valid until the next is added.</returns>
    internal ReadOnlySpan<T> After(long time) => Items[FirstBehind(time)..];

    /// <summary>Places held, used or not.</summary>
    internal int Length => _items.Length;

    /// <summary>Adds an item.</summary>
    /// <param name="item">The item, not earlier than the latest one.</param>
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

    /// <summary>Puts to an item that was added before what became known of it later.</summary>
    /// <param name="late">What became known: an item like it, with its instant.</param>
    internal void Complete(in T late)
    {
        for (int i = FirstBehind(late.Time) - 1; i >= 0; i--)
        {
            if (_items[i].IsLike(late))
            {
                _items[i] = _items[i].With(late);
                return;
            }
        }
    }

    /// <summary>Merges until there are no more items than allowed, and holds no more places than items.</summary>
    /// <param name="maximum">Most items.</param>
    internal void Reduce(int maximum)
    {
        Merge(maximum);
        Resize(_count);
    }

    int FirstBehind(long time)
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

    // One stretch of 2^63 ns holds every instant: the number of kinds that are not alike is what remains at the end.
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

    // Looks back through the stretch, in which each kind stands at most once.
    bool TryMerge(int count, in T item)
    {
        long stretch = item.Time >> _shift;
        for (int i = count - 1; i >= 0 && _items[i].Time >> _shift == stretch; i--)
        {
            if (_items[i].IsLike(item))
            {
                _items[i] = _items[i].With(item);
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
