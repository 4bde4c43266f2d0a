using System;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux;

/// <summary>
/// Puts the records of several sources into one order of time. Each source hands its records over late, by up to the
/// window; what is older than the window can be sorted and written. Memory is bounded: when the buffer is full, its older
/// half goes out early, and records that come later than that stand out of order and are counted.
/// </summary>
sealed class TimeOrder
{
    const int InitialRecords = 1 << 12;

    readonly int _maxBytes;
    readonly IRecordWriter _writer;
    byte[] _data;
    byte[] _spareData;
    int _used;
    long[] _times = new long[InitialRecords];
    int[] _order = new int[InitialRecords];
    PendingRecord[] _records = new PendingRecord[InitialRecords];
    PendingRecord[] _spareRecords = new PendingRecord[InitialRecords];
    int _count;
    long _written = long.MinValue;

    /// <summary>Creates an empty order.</summary>
    /// <param name="maxBytes">Most bytes of data held; the buffers take up to twice as much.</param>
    /// <param name="writer">Takes the records in their order; older ones early when the buffer is full.</param>
    public TimeOrder(int maxBytes, IRecordWriter writer)
    {
        _maxBytes = maxBytes;
        _writer = writer;
        _data = new byte[Math.Min(maxBytes, 1 << 20)];
        _spareData = new byte[_data.Length];
    }

    /// <summary>Records that were written behind a later one.</summary>
    public long OutOfOrder { get; private set; }

    /// <summary>Adds a record.</summary>
    /// <param name="time">When it happened.</param>
    /// <param name="record">What it is; its offset and length are set here.</param>
    /// <param name="data">Its bytes, copied.</param>
    public void Add(TraceTime time, PendingRecord record, ReadOnlySpan<byte> data)
    {
        Span<byte> place = Reserve(data.Length);
        data.CopyTo(place);
        Commit(time, record, data.Length);
    }

    /// <summary>Makes room for the data of a record that is built in place.</summary>
    /// <param name="length">Bytes.</param>
    /// <returns>The room; <see cref="Commit"/> takes the record in.</returns>
    public Span<byte> Reserve(int length)
    {
        if (length > _data.Length - _used)
        {
            MakeRoom(length);
        }

        return _data.AsSpan(_used, length);
    }

    /// <summary>Takes in a record whose bytes were written to <see cref="Reserve"/>.</summary>
    /// <param name="time">When it happened.</param>
    /// <param name="record">What it is; its offset and length are set here.</param>
    /// <param name="length">Bytes used.</param>
    public void Commit(TraceTime time, PendingRecord record, int length)
    {
        if (_count == _times.Length)
        {
            Array.Resize(ref _times, _count * 2);
            Array.Resize(ref _order, _count * 2);
            Array.Resize(ref _records, _count * 2);
            Array.Resize(ref _spareRecords, _count * 2);
        }

        _times[_count] = time.Nanoseconds;
        _records[_count] = record with { Offset = _used, Length = length };
        _order[_count] = _count;
        _count++;
        _used += length;
    }

    /// <summary>Writes everything that happened up to an instant.</summary>
    /// <param name="until">The instant.</param>
    public void Flush(TraceTime until)
    {
        Sort();
        int ready = 0;
        while (ready < _count && _times[ready] <= until.Nanoseconds)
        {
            ready++;
        }

        Write(ready);
    }

    // Records of one source come almost sorted, so sorting is left out where nothing is to do. Equal times keep the
    // order in which they came.
    void Sort()
    {
        bool isSorted = true;
        for (int i = 1; i < _count && isSorted; i++)
        {
            isSorted = _times[i - 1] <= _times[i];
        }

        if (isSorted)
        {
            return;
        }

        Array.Sort(_times, _order, 0, _count);
        int start = 0;
        for (int i = 1; i <= _count; i++)
        {
            if (i == _count || _times[i] != _times[start])
            {
                Array.Sort(_order, start, i - start);
                start = i;
            }
        }
    }

    void Write(int ready)
    {
        if (ready == 0)
        {
            return;
        }

        for (int i = 0; i < ready; i++)
        {
            PendingRecord record = _records[_order[i]];
            OutOfOrder += _times[i] < _written ? 1 : 0;
            _written = Math.Max(_written, _times[i]);
            _writer.Write(new(_times[i]), record, _data.AsSpan(record.Offset, record.Length));
        }

        KeepFrom(ready);
    }

    // Moves what is left to the front, in sorted order, which the next sort then finds almost done.
    void KeepFrom(int first)
    {
        int used = 0;
        for (int i = first; i < _count; i++)
        {
            PendingRecord record = _records[_order[i]];
            _data.AsSpan(record.Offset, record.Length).CopyTo(_spareData.AsSpan(used));
            _spareRecords[i - first] = record with { Offset = used };
            used += record.Length;
        }

        _count -= first;
        _times.AsSpan(first, _count).CopyTo(_times);
        for (int i = 0; i < _count; i++)
        {
            _order[i] = i;
        }

        (_data, _spareData) = (_spareData, _data);
        (_records, _spareRecords) = (_spareRecords, _records);
        _used = used;
    }

    void MakeRoom(int length)
    {
        int wished = Math.Max(Math.Min(_data.Length * 2, _maxBytes), _used + length);
        if (wished <= _maxBytes || _count == 0)
        {
            Array.Resize(ref _data, wished);
            Array.Resize(ref _spareData, wished);
            return;
        }

        Sort();
        Write((_count + 1) / 2);
        if (length > _data.Length - _used)
        {
            MakeRoom(length);
        }
    }
}
