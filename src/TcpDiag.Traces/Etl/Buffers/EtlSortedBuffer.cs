using System;
using System.Buffers;
using System.Collections.Generic;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.Input;

namespace TcpDiag.Traces.Etl.Buffers;

/// <summary>
/// An open buffer of a merge, standing at the record that comes next. Records are in time order already in nearly every
/// buffer; where they are not (one stream for all processors, or damage), their places are sorted when the buffer is opened.
/// </summary>
sealed class EtlSortedBuffer : IDisposable
{
    readonly EtlBuffer _buffer;
    long[] _sortedTicks = [];
    int[] _sortedPositions = [];
    int _sortedCount;
    int _nextSorted;

    internal EtlSortedBuffer(TraceInput input, EtlProblemLog problems) => _buffer = new EtlBuffer(input, problems);

    /// <summary>Where the buffer is in the file.</summary>
    internal EtlBufferEntry Entry => _buffer.Entry;

    /// <summary>Time stamp of the current record.</summary>
    internal long Ticks { get; private set; }

    /// <summary>Loads a buffer and goes to its first record.</summary>
    internal bool Open(in EtlBufferEntry entry)
    {
        _buffer.Load(entry);
        int count = _buffer.CountRecords(out bool isSorted);
        if (!isSorted)
        {
            Sort(count);
        }

        return MoveNext();
    }

    /// <summary>Steps to the next record; the one before must have been read.</summary>
    internal bool MoveNext()
    {
        if (_sortedCount == 0)
        {
            bool found = _buffer.TryPeek(out long ticks);
            Ticks = ticks;
            return found;
        }

        if (_nextSorted == _sortedCount)
        {
            return false;
        }

        Ticks = _sortedTicks[_nextSorted];
        _buffer.Seek(_sortedPositions[_nextSorted++], Ticks);
        return true;
    }

    /// <summary>Reads the current record.</summary>
    /// <param name="record">Overwritten.</param>
    internal void Read(scoped ref EtlRecord record) => _buffer.TryRead(ref record);

    /// <summary>Whether the current record comes before another buffer's: by time stamp, then sequence number, then place in the file.</summary>
    internal bool ComesBefore(EtlSortedBuffer other)
    {
        if (Ticks != other.Ticks)
        {
            return Ticks < other.Ticks;
        }

        EtlBufferEntry mine = Entry;
        EtlBufferEntry others = other.Entry;
        return mine.SequenceNumber != others.SequenceNumber
            ? mine.SequenceNumber < others.SequenceNumber
            : mine.Offset < others.Offset;
    }

    public void Dispose()
    {
        _buffer.Dispose();
        if (_sortedCount > 0)
        {
            ArrayPool<long>.Shared.Return(_sortedTicks);
            ArrayPool<int>.Shared.Return(_sortedPositions);
        }

        _sortedCount = 0;
        _nextSorted = 0;
    }

    void Sort(int count)
    {
        _sortedTicks = ArrayPool<long>.Shared.Rent(count);
        _sortedPositions = ArrayPool<int>.Shared.Rent(count);
        _sortedCount = count;
        for (int i = 0; i < count && _buffer.TryPeek(out _sortedTicks[i]); i++)
        {
            _sortedPositions[i] = _buffer.Position;
            _buffer.Skip();
        }

        // Array.Sort is not stable: equal stamps are put back into the order of their places afterwards.
        Array.Sort(_sortedTicks, _sortedPositions, 0, count);
        for (int start = 0, end; start < count; start = end)
        {
            end = start + 1;
            while (end < count && _sortedTicks[end] == _sortedTicks[start])
            {
                end++;
            }

            Array.Sort(_sortedPositions, start, end - start);
        }
    }
}

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
