using System;
using System.Buffers.Binary;
using System.IO;
using TcpDiag.Traces.Etl.Buffers;
using TcpDiag.Traces.Etl.Compression;
using TcpDiag.Traces.Etl.Records;

namespace TcpDiag.Traces.Etl.Writing;

/// <summary>Writes buffers one after the other: header, records, and either 0xFF up to the session buffer size or XPRESS.</summary>
sealed class EtlBufferWriter
{
    const byte Filler = 0xFF;
    const uint Flushed = 3;
    const ushort HeaderBuffer = 4;

    readonly Stream _stream;
    readonly EtlClock _clock;
    readonly EtlBufferInMaking _headerBuffer;
    readonly byte[] _compressed;
    readonly bool _compress;
    readonly long _start;
    readonly long _startTicks;
    long _lastOffset;
    int _skipped;
    EtlBufferFlags _lastFlags;

    internal EtlBufferWriter(Stream stream, EtlFileHeader header, bool compress)
    {
        _stream = stream;
        _start = stream.Position;
        _startTicks = header.StartTicks;
        _compress = compress;
        _clock = EtlFileHeaderLayout.CreateClock(header);
        _headerBuffer = new EtlBufferInMaking((int)header.BufferSize, 0);
        _compressed = compress ? new byte[EtlBufferHeader.Length + XpressEncoder.MaxLength((int)header.BufferSize)] : [];
    }

    /// <summary>Buffers written so far.</summary>
    internal int Count { get; private set; }

    /// <summary>Leaves out a number.</summary>
    internal void Skip() => _skipped++;

    EtlBufferFlags BaseFlags => _compress ? EtlBufferFlags.None : EtlBufferFlags.ProcessorIndex;

    /// <summary>Writes the first buffer, which holds the header record and is never compressed.</summary>
    internal void WriteHeader(EtlFileHeader header)
    {
        _headerBuffer.Clear();
        _headerBuffer.Append(EtlFileHeaderBuilder.Build(header));
        WriteStored(_headerBuffer, BaseFlags | EtlBufferFlags.FlushMarker, HeaderBuffer, 0);
    }

    /// <summary>Writes the first buffer again, with what is known at the end.</summary>
    internal void RewriteHeader(EtlFileHeader header)
    {
        long end = _stream.Position;
        int count = Count;
        Count = 0;
        _stream.Position = _start;
        WriteHeader(header);
        Count = count;
        _stream.Position = end;
        _stream.Flush();
    }

    /// <summary>Sets the flush marker of the buffer written last.</summary>
    internal void MarkLast()
    {
        long end = _stream.Position;
        _stream.Position = _lastOffset + 0x34;
        _stream.WriteByte((byte)(_lastFlags | EtlBufferFlags.FlushMarker));
        _stream.Position = end;
    }

    /// <summary>Writes a buffer and empties it.</summary>
    internal void Write(EtlBufferInMaking buffer)
    {
        int length = _compress ? XpressEncoder.Encode(
            buffer.Data[EtlBufferHeader.Length..buffer.Filled], _compressed.AsSpan(EtlBufferHeader.Length)) : int.MaxValue;
        if (length < buffer.Filled - EtlBufferHeader.Length)
        {
            int size = EtlBufferHeader.Length + length;
            const EtlBufferFlags Flags = EtlBufferFlags.ProcessorIndex | EtlBufferFlags.Compressed;
            WriteBufferHeader(_compressed, buffer, size, Flags, 0, FlushTime(buffer));
            WriteToStream(_compressed.AsSpan(0, size), Flags);
        }
        else
        {
            WriteStored(buffer, EtlBufferFlags.ProcessorIndex, 0, FlushTime(buffer));
        }

        buffer.Clear();
    }

    // A relogger stamps buffers with FILETIME, a session with its clock.
    long FlushTime(EtlBufferInMaking buffer)
    {
        long ticks = Math.Max(_startTicks, buffer.LastTicks);
        return _compress ? _clock.ToTime(ticks).ToFileTime() : ticks;
    }

    void WriteStored(EtlBufferInMaking buffer, EtlBufferFlags flags, ushort type, long time)
    {
        int size = _compress ? buffer.Filled : buffer.Data.Length;
        WriteBufferHeader(buffer.Data, buffer, size, flags, type, time);
        buffer.Data[buffer.Filled..].Fill(Filler);
        WriteToStream(buffer.Data[..size], flags);
    }

    void WriteToStream(ReadOnlySpan<byte> bytes, EtlBufferFlags flags)
    {
        _lastOffset = _stream.Position;
        _lastFlags = flags;
        _stream.Write(bytes);
        Count++;
    }

    void WriteBufferHeader(Span<byte> target, EtlBufferInMaking buffer, int size, EtlBufferFlags flags, ushort type, long time)
    {
        target = target[..EtlBufferHeader.Length];
        target.Clear();
        BinaryPrimitives.WriteInt32LittleEndian(target, size);
        BinaryPrimitives.WriteInt32LittleEndian(target[0x04..], buffer.Filled);
        BinaryPrimitives.WriteInt32LittleEndian(target[0x08..], buffer.Filled);
        BinaryPrimitives.WriteInt64LittleEndian(target[0x10..], time);
        BinaryPrimitives.WriteInt64LittleEndian(target[0x18..], Count == 0 ? 0 : Count + _skipped); // the header is written twice
        BinaryPrimitives.WriteUInt16LittleEndian(target[0x28..], buffer.Processor);
        BinaryPrimitives.WriteUInt32LittleEndian(target[0x2C..], Flushed);
        BinaryPrimitives.WriteInt32LittleEndian(target[0x30..], buffer.Filled);
        BinaryPrimitives.WriteUInt16LittleEndian(target[0x34..], (ushort)flags);
        BinaryPrimitives.WriteUInt16LittleEndian(target[0x36..], type);
    }
}

/// <summary>A buffer that is being filled for one processor; its header is written last.</summary>
sealed class EtlBufferInMaking(int size, ushort processor)
{
    readonly byte[] _data = new byte[size];

    internal ushort Processor => processor;

    /// <summary>End of the records, header included.</summary>
    internal int Filled { get; private set; } = EtlBufferHeader.Length;

    /// <summary>Highest time stamp in it.</summary>
    internal long LastTicks { get; private set; } = long.MinValue;

    internal bool IsEmpty => Filled == EtlBufferHeader.Length;

    /// <summary>The whole buffer.</summary>
    internal Span<byte> Data => _data;

    internal bool HasRoom(int length) => Filled + EtlRecordLayout.Align8(length) <= _data.Length;

    internal void Append(ReadOnlySpan<byte> record)
    {
        LastTicks = Math.Max(LastTicks, EtlRecordLayout.ReadTicks(record, LastTicks));
        record.CopyTo(_data.AsSpan(Filled));
        int end = Filled + EtlRecordLayout.Align8(record.Length);
        _data.AsSpan(Filled + record.Length, end - Filled - record.Length).Clear();
        Filled = end;
    }

    internal void Clear()
    {
        Filled = EtlBufferHeader.Length;
        LastTicks = long.MinValue;
    }
}
