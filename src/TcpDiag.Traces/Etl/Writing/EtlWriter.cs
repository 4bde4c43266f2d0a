using System;
using System.Collections.Generic;
using System.IO;
using TcpDiag.Traces.Etl.Buffers;
using TcpDiag.Traces.Etl.Records;

namespace TcpDiag.Traces.Etl.Writing;

/// <summary>
/// Writes .etl files, streaming: a buffer per processor is filled and written when the next record does not fit
/// (docs/formats/etl.md, "Writing"). Either as a session writes them, or compressed as a relogger does.
/// A file that was not <see cref="Complete"/>d looks like one whose session still runs.
/// </summary>
public sealed class EtlWriter : IDisposable
{
    readonly Stream _stream;
    readonly EtlBufferWriter _buffers;
    readonly List<EtlBufferInMaking?> _byProcessor = [];
    EtlFileHeader _header;

    /// <summary>Writes the header and is ready for records.</summary>
    /// <param name="stream">Where to; must seek, for the header is rewritten at the end. Closed by <see cref="Dispose"/>.</param>
    /// <param name="header">
    /// The session: buffer size, clock, start, build … EndFileTime, BuffersWritten and, when compressed, layout and mode are the writer's.
    /// </param>
    /// <param name="compress">Whether to write the compressed, relogged form.</param>
    /// <exception cref="ArgumentException">
    /// <paramref name="stream"/> cannot seek, or the buffer size is below 1024, above 16 MB or no multiple of 8.
    /// </exception>
    public EtlWriter(Stream stream, EtlFileHeader header, bool compress = false)
    {
        ArgumentNullException.ThrowIfNull(stream);
        ArgumentNullException.ThrowIfNull(header);
        if (!stream.CanSeek)
        {
            throw new ArgumentException("The header is rewritten at the end, so the stream must seek.", nameof(stream));
        }

        if (header.BufferSize is < 1024 or > (16 << 20) || header.BufferSize % 8 != 0)
        {
            throw new ArgumentException("Buffers are 1 KB to 16 MB long, a multiple of 8.", nameof(header));
        }

        _stream = stream;
        _header = Prepare(header, compress);
        _buffers = new EtlBufferWriter(stream, _header, compress);
        _buffers.WriteHeader(_header);
    }

    /// <summary>Buffers written so far, that of the header included.</summary>
    public int BufferCount => _buffers.Count;

    /// <summary>Writes a record unchanged. Time stamps of one processor should not decrease.</summary>
    /// <param name="record">A whole record without padding, from <see cref="EtlRecordBuilder"/> or <see cref="EtlRecord.Bytes"/>.</param>
    /// <param name="processor">The processor that logged it, 0 to 65,535.</param>
    /// <exception cref="ArgumentException">It is no whole record, or does not fit into a buffer.</exception>
    public void Write(ReadOnlySpan<byte> record, int processor)
    {
        if (record.Length < 8 || EtlRecordLayout.SizeOf(record) != record.Length)
        {
            throw new ArgumentException("The bytes are not one whole record.", nameof(record));
        }

        if (EtlBufferHeader.Length + EtlRecordLayout.Align8(record.Length) > _header.BufferSize)
        {
            throw new ArgumentException("The record does not fit into a buffer.", nameof(record));
        }

        EtlBufferInMaking buffer = BufferOf(processor);
        if (!buffer.HasRoom(record.Length))
        {
            _buffers.Write(buffer);
        }

        buffer.Append(record);
    }

    /// <summary>Writes what is left and, as a session does when it is stopped, rewrites the header.</summary>
    /// <param name="endFileTime">FILETIME of the end, not 0.</param>
    /// <param name="eventsLost">Events to report as lost.</param>
    /// <param name="buffersLost">Buffers to report as lost.</param>
    public void Complete(long endFileTime, uint eventsLost = 0, uint buffersLost = 0)
    {
        Flush();
        _header = _header with
        {
            EndFileTime = endFileTime,
            BuffersWritten = (uint)_buffers.Count,
            EventsLost = eventsLost,
            BuffersLost = buffersLost,
        };
        _buffers.MarkLast();
        _buffers.RewriteHeader(_header);
    }

    /// <summary>Loses what a processor has logged since its last buffer, as a session does that cannot write: its number is not used again.</summary>
    /// <param name="processor">The processor.</param>
    public void LoseBuffer(int processor)
    {
        _buffers.Skip();
        BufferOf(processor).Clear();
    }

    /// <summary>Writes all buffers that hold records, by processor.</summary>
    public void Flush()
    {
        foreach (EtlBufferInMaking? buffer in _byProcessor)
        {
            if (buffer is { IsEmpty: false })
            {
                _buffers.Write(buffer);
            }
        }

        _stream.Flush();
    }

    /// <inheritdoc/>
    public void Dispose() => _stream.Dispose();

    static EtlFileHeader Prepare(EtlFileHeader header, bool compress)
    {
        EtlLogFileModes mode = header.LogFileMode & ~(EtlLogFileModes.Compressed | EtlLogFileModes.Relog);
        return header with
        {
            EndFileTime = 0,
            BuffersWritten = 1,
            PointerSize = header.PointerSize == 0 ? (header.Is64Bit ? 8u : 4u) : header.PointerSize,
            LayoutMajorVersion = (byte)(compress ? 2 : 1),
            LayoutMinorVersion = (byte)(compress ? 0 : 5),
            LogFileMode = compress ? mode | EtlLogFileModes.Sequential | EtlLogFileModes.Compressed | EtlLogFileModes.Relog : mode,
        };
    }

    EtlBufferInMaking BufferOf(int processor)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(processor);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(processor, ushort.MaxValue);
        while (_byProcessor.Count <= processor)
        {
            _byProcessor.Add(null);
        }

        return _byProcessor[processor] ??= new EtlBufferInMaking((int)_header.BufferSize, (ushort)processor);
    }
}
