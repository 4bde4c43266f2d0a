using System.Collections.Generic;

namespace TcpDiag.Traces.Etl;

/// <summary>The open buffers of a merge as a binary heap; on top the one whose current record comes next.</summary>
sealed class EtlBufferHeap
{
    readonly List<EtlSortedBuffer> _items = [];

    internal int Count => _items.Count;

    internal EtlSortedBuffer Top => _items[0];

    internal void Add(EtlSortedBuffer buffer)
    {
        _items.Add(buffer);
        int index = _items.Count - 1;
        while (index > 0 && buffer.ComesBefore(_items[(index - 1) / 2]))
        {
            _items[index] = _items[(index - 1) / 2];
            index = (index - 1) / 2;
        }

        _items[index] = buffer;
    }

    internal EtlSortedBuffer RemoveTop()
    {
        EtlSortedBuffer top = _items[0];
        _items[0] = _items[^1];
        _items.RemoveAt(_items.Count - 1);
        TopGrew();
        return top;
    }

    /// <summary>Restores the order after the top has moved to a later record.</summary>
    internal void TopGrew()
    {
        if (_items.Count < 2)
        {
            return;
        }

        EtlSortedBuffer moved = _items[0];
        int index = 0;
        while (true)
        {
            int child = (2 * index) + 1;
            if (child + 1 < _items.Count && _items[child + 1].ComesBefore(_items[child]))
            {
                child++;
            }

            if (child >= _items.Count || !_items[child].ComesBefore(moved))
            {
                break;
            }

            _items[index] = _items[child];
            index = child;
        }

        _items[index] = moved;
    }
}
