using System;
using TcpDiag.Traces;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux;

/// <summary>
/// Merges the records of several sources in time order. Each source delivers its records late, by up to a
/// window; what is older than the window can be sorted and written. Memory is bounded: when the buffer is full, its older
/// half is written early, and records that arrive after that are out of order and counted.
/// </summary>
sealed class TimeOrder
{
    const int InitialRecords = 1 << 12;

    readonly int _maxBytes;
    readonly IRecordWriter _writer;
    byte[] _data;
    byte[] _spareData;
    int _used;
    long[] _timesNanos = new long[InitialRecords];
    int[] _order = new int[InitialRecords];
    PendingRecord[] _records = new PendingRecord[InitialRecords];
    PendingRecord[] _spareRecords = new PendingRecord[InitialRecords];
    int _count;
    long _writtenNanos = long.MinValue;

    /// <summary>Creates an empty order.</summary>
    /// <param name="maxBytes">Maximum bytes of data held; the buffers take up to twice as much.</param>
    /// <param name="writer">Receives the records in order; older ones early when the buffer is full.</param>
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
        Span<byte> target = Reserve(data.Length);
        data.CopyTo(target);
        Commit(time, record, data.Length);
    }

    /// <summary>Reserves space for a record that is built in place.</summary>
    /// <param name="length">Bytes.</param>
    /// <returns>The space; <see cref="Commit"/> adds the record.</returns>
    public Span<byte> Reserve(int length)
    {
        if (length > _data.Length - _used)
        {
            MakeRoom(length);
        }

        return _data.AsSpan(_used, length);
    }

    /// <summary>Adds a record whose bytes were written to <see cref="Reserve"/>.</summary>
    /// <param name="time">When it happened.</param>
    /// <param name="record">What it is; its offset and length are set here.</param>
    /// <param name="length">Bytes used.</param>
    public void Commit(TraceTime time, PendingRecord record, int length)
    {
        if (_count == _timesNanos.Length)
        {
            Array.Resize(ref _timesNanos, _count * 2);
            Array.Resize(ref _order, _count * 2);
            Array.Resize(ref _records, _count * 2);
            Array.Resize(ref _spareRecords, _count * 2);
        }

        _timesNanos[_count] = time.Nanoseconds;
        _records[_count] = record with { Offset = _used, Length = length };
        _order[_count] = _count;
        _count++;
        _used += length;
    }

    /// <summary>Writes everything that happened up to an instant.</summary>
    public void Flush(TraceTime until)
    {
        Sort();
        int ready = 0;
        while (ready < _count && _timesNanos[ready] <= until.Nanoseconds)
        {
            ready++;
        }

        Write(ready);
    }

    // Records of one source arrive almost sorted, so sorting is skipped where possible. Equal times keep the
    // order of arrival.
    void Sort()
    {
        bool isSorted = true;
        for (int i = 1; i < _count && isSorted; i++)
        {
            isSorted = _timesNanos[i - 1] <= _timesNanos[i];
        }

        if (isSorted)
        {
            return;
        }

        Array.Sort(_timesNanos, _order, 0, _count);
        int start = 0;
        for (int i = 1; i <= _count; i++)
        {
            if (i == _count || _timesNanos[i] != _timesNanos[start])
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
            OutOfOrder += _timesNanos[i] < _writtenNanos ? 1 : 0;
            _writtenNanos = Math.Max(_writtenNanos, _timesNanos[i]);
            _writer.Write(new(_timesNanos[i]), record, _data.AsSpan(record.Offset, record.Length));
        }

        KeepFrom(ready);
    }

    // Moves the rest to the front, in sorted order, so that the next sort has little to do.
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
        _timesNanos.AsSpan(first, _count).CopyTo(_timesNanos);
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

/// <summary>A record that waits to be written; its bytes are in the <see cref="TimeOrder"/>.</summary>
/// <param name="Offset">First byte of its data.</param>
/// <param name="Length">Bytes of its data.</param>
/// <param name="InterfaceId">Interface of a packet; −1 for a stack event.</param>
/// <param name="OriginalLength">Bytes of the whole packet.</param>
/// <param name="Direction">Direction of a packet.</param>
readonly record struct PendingRecord(int Offset, int Length, int InterfaceId, int OriginalLength, PacketDirection Direction)
{
    public const int NoInterface = -1;

    /// <summary>Whether this is a stack event.</summary>
    public bool IsEvent => InterfaceId == NoInterface;
}

/// <summary>Receives records in time order.</summary>
interface IRecordWriter
{
    /// <summary>Writes one record.</summary>
    /// <param name="time">When it happened.</param>
    /// <param name="record">What it is.</param>
    /// <param name="data">Its bytes; valid during the call only.</param>
    void Write(TraceTime time, PendingRecord record, ReadOnlySpan<byte> data);
}
