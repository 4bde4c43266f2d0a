using System;
using System.Buffers;
using System.Buffers.Binary;
using System.Globalization;
using TcpDiag.Traces.Input;

namespace TcpDiag.Traces.Etl;

/// <summary>
/// One buffer of the file in memory, decompressed, and a position in it. Bytes stand at the offsets their buffer has
/// after decompression, header included. The memory is pooled and used again by the next <see cref="Load"/>.
/// </summary>
sealed class EtlBuffer : IDisposable
{
    readonly TraceInput _input;
    readonly EtlProblemLog _problems;
    byte[] _data = [];
    EtlBufferEntry _entry;
    long _ticks;
    int _position;
    int _end;

    internal EtlBuffer(TraceInput input, EtlProblemLog problems)
    {
        _input = input;
        _problems = problems;
    }

    /// <summary>Where the buffer is in the file.</summary>
    internal EtlBufferEntry Entry => _entry;

    /// <summary>The records from the current position on.</summary>
    internal ReadOnlySpan<byte> Rest => _data.AsSpan(_position, _end - _position);

    /// <summary>Reads a buffer and stands before its first record.</summary>
    /// <param name="entry">From the index.</param>
    internal void Load(in EtlBufferEntry entry)
    {
        _entry = entry;
        _ticks = entry.FirstTicks;
        _position = EtlBufferHeader.Length;
        Reserve(entry.FilledBytes);
        _end = _input.ReadAt(entry.Offset, _data.AsSpan(0, entry.FilledBytes));
    }

    /// <summary>Reads the next record; steps over damage.</summary>
    /// <param name="record">Overwritten when the result is true.</param>
    /// <returns>False at the end of the buffer.</returns>
    internal bool TryRead(scoped ref EtlRecord record)
    {
        do
        {
            record.Ticks = _ticks;
            if (EtlRecordLayout.TryParse(Rest, ref record))
            {
                record.BufferOffset = _entry.Offset;
                record.OffsetInBuffer = _position;
                record.Processor = _entry.Processor;
                _ticks = record.Ticks;
                _position = Math.Min(_end, _position + EtlRecordLayout.Align8(record.Bytes.Length));
                return true;
            }
        }
        while (StepOverDamage());

        return false;
    }

    public void Dispose()
    {
        if (_data.Length > 0)
        {
            ArrayPool<byte>.Shared.Return(_data);
            _data = [];
            _position = _end = 0;
        }
    }

    /// <summary>Goes from something that is no record to the next one.</summary>
    /// <returns>False when there is none; the position is the end then.</returns>
    internal bool StepOverDamage()
    {
        if (_end - _position < 8)
        {
            _position = _end;
            return false;
        }

        int start = _position;
        uint marker = BinaryPrimitives.ReadUInt32LittleEndian(Rest);
        bool isEnd = marker is 0 or uint.MaxValue;
        do
        {
            _position += 8;
        }
        while (_end - _position >= 8 && (isEnd || !EtlRecordLayout.IsKnown(Rest)));

        _position = _end - _position < 8 ? _end : _position;
        _problems.Add(_entry.Offset + (_entry.IsCompressed ? 0 : start), string.Create(
            CultureInfo.InvariantCulture,
            $"expected a record at 0x{start:x} of the buffer, found 0x{marker:x8}; {_position - start} bytes skipped"));
        return _position < _end;
    }

    void Reserve(int length)
    {
        if (_data.Length < length)
        {
            Dispose();
            _data = ArrayPool<byte>.Shared.Rent(length);
        }
    }
}
