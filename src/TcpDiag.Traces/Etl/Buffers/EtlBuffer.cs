using System;
using System.Buffers;
using System.Buffers.Binary;
using System.Globalization;
using TcpDiag.Traces.Etl.Compression;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.Input;

namespace TcpDiag.Traces.Etl.Buffers;

/// <summary>
/// One buffer of the file in memory, decompressed, and a position in it. Bytes are at the offsets their buffer has
/// after decompression, header included. The memory is pooled and used again by the next <see cref="Load"/>.
/// </summary>
sealed class EtlBuffer : IDisposable
{
    readonly TraceInput _input;
    readonly EtlProblemLog _problems;
    byte[] _data = [];
    EtlBufferEntry _entry;
    long _ticks;
    int _end;

    internal EtlBuffer(TraceInput input, EtlProblemLog problems)
    {
        _input = input;
        _problems = problems;
    }

    /// <summary>Where the buffer is in the file.</summary>
    internal EtlBufferEntry Entry => _entry;

    /// <summary>Offset of the next record in the buffer.</summary>
    internal int Position { get; private set; }

    /// <summary>The records from the current position on.</summary>
    internal ReadOnlySpan<byte> Rest => _data.AsSpan(Position, _end - Position);

    /// <summary>Reads a buffer and goes to its first record.</summary>
    internal void Load(in EtlBufferEntry entry)
    {
        _entry = entry;
        Reserve(entry.FilledBytes);
        _end = entry.IsCompressed ? ReadCompressed() : _input.ReadAt(entry.Offset, _data.AsSpan(0, entry.FilledBytes));
        Rewind();
    }

    /// <summary>Goes back to the first record.</summary>
    internal void Rewind() => Seek(Math.Min(EtlBufferHeader.Length, _end), _entry.FirstTicks);

    /// <summary>Goes to a record.</summary>
    /// <param name="position">Where it begins.</param>
    /// <param name="ticks">Its time stamp, for a record that has none of its own.</param>
    internal void Seek(int position, long ticks)
    {
        Position = position;
        _ticks = ticks;
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
                record.OffsetInBuffer = Position;
                record.Processor = _entry.Processor;
                Seek(Following(record.Bytes.Length), record.Ticks);
                return true;
            }
        }
        while (TryStepOverDamage());

        return false;
    }

    /// <summary>Goes to the next record, past damage if there is any.</summary>
    internal bool TryPeek(out long ticks)
    {
        do
        {
            if (_end - Position >= 8 && EtlRecordLayout.SizeOf(Rest) != 0)
            {
                ticks = EtlRecordLayout.ReadTicks(Rest, _ticks);
                return true;
            }
        }
        while (TryStepOverDamage());

        ticks = _ticks;
        return false;
    }

    /// <summary>Goes past the record that <see cref="TryPeek"/> has found.</summary>
    internal void Skip() => Seek(Following(EtlRecordLayout.SizeOf(Rest)), EtlRecordLayout.ReadTicks(Rest, _ticks));

    /// <summary>Counts the records after the current position, which stays.</summary>
    internal int CountRecords(out bool isSorted)
    {
        (int position, long firstTicks) = (Position, _ticks);
        int count = 0;
        long previous = long.MinValue;
        isSorted = true;
        while (TryPeek(out long ticks))
        {
            isSorted &= ticks >= previous;
            previous = ticks;
            count++;
            Skip();
        }

        Seek(position, firstTicks);
        return count;
    }

    /// <summary>Goes from something that is no record to the next one.</summary>
    /// <returns>False when there is none; the position is the end then.</returns>
    internal bool TryStepOverDamage()
    {
        if (_end - Position < 8)
        {
            Position = _end;
            return false;
        }

        int start = Position;
        uint marker = BinaryPrimitives.ReadUInt32LittleEndian(Rest);

        // Zeros and ones mark the end of the records; what follows is left over from an earlier use of the memory.
        bool isEnd = marker is 0 or uint.MaxValue;
        do
        {
            Position += 8;
        }
        while (_end - Position >= 8 && (isEnd || !EtlRecordLayout.IsKnown(Rest)));

        Position = _end - Position < 8 ? _end : Position;
        if (_problems.HasRoomFor(_entry.Offset))
        {
            Report(start, string.Create(
                CultureInfo.InvariantCulture, $"expected a record, found 0x{marker:x8}; {Position - start} bytes of the buffer skipped"));
        }

        return Position < _end;
    }

    public void Dispose()
    {
        if (_data.Length > 0)
        {
            ArrayPool<byte>.Shared.Return(_data);
            _data = [];
        }

        _end = 0;
        Position = 0;
    }

    int Following(int size) => Math.Min(_end, Position + EtlRecordLayout.Align8(size));

    int ReadCompressed()
    {
        byte[] stored = ArrayPool<byte>.Shared.Rent(_entry.StoredBytes);
        try
        {
            ReadOnlySpan<byte> read = stored.AsSpan(0, _input.ReadAt(_entry.Offset, stored.AsSpan(0, _entry.StoredBytes)));
            if (read.Length < EtlBufferHeader.Length)
            {
                return 0;
            }

            Span<byte> records = _data.AsSpan(EtlBufferHeader.Length, _entry.FilledBytes - EtlBufferHeader.Length);
            int decoded = XpressDecoder.Decode(read[EtlBufferHeader.Length..], records);
            if (decoded < records.Length)
            {
                Report(0, string.Create(
                    CultureInfo.InvariantCulture, $"expected {records.Length} bytes after decompression, found {decoded}"));
            }

            return EtlBufferHeader.Length + decoded;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(stored);
        }
    }

    // Offsets inside a compressed buffer do not exist in the file: the message names them.
    void Report(int position, string message)
    {
        if (_entry.IsCompressed && position > 0)
        {
            message = string.Create(CultureInfo.InvariantCulture, $"{message} (at 0x{position:x} after decompression)");
        }

        _problems.Add(_entry.Offset + (_entry.IsCompressed ? 0 : position), message);
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

/// <summary>Where a buffer of the file is and when it begins; what the index keeps of it.</summary>
/// <param name="Offset">Of its header in the file.</param>
/// <param name="FirstTicks">Time stamp of its first record that has one.</param>
/// <param name="SequenceNumber">From its header.</param>
/// <param name="StoredBytes">Bytes in the file, header included; less than the header says where the file is cut.</param>
/// <param name="FilledBytes">End of the records after decompression, header included.</param>
/// <param name="Processor">The processor of its records.</param>
/// <param name="IsCompressed">Whether the records are compressed.</param>
readonly record struct EtlBufferEntry(
    long Offset, long FirstTicks, long SequenceNumber, int StoredBytes, int FilledBytes, ushort Processor, bool IsCompressed);
