using System;
using System.Buffers;
using TcpDiag.Traces.Input;

namespace TcpDiag.Traces.Etl;

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

    /// <summary>Loads a buffer and stands at its first record.</summary>
    /// <param name="entry">From the index.</param>
    /// <returns>False when it has no record.</returns>
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
    /// <returns>False at the end.</returns>
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
