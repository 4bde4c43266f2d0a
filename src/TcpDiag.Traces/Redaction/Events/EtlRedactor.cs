using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Input;
using TcpDiag.Traces.Schemas;

namespace TcpDiag.Traces.Redaction.Events;

/// <summary>
/// Redacts an .etl file buffer by buffer (docs/decisions/0019-redact-records-where-they-stand.md): the same buffers in the same order with the same records, each with its header and
/// time; payloads never grow, so every buffer holds what is left. What stands between and behind records, left over from earlier uses of the memory, is not copied.
/// </summary>
/// <param name="names">Gives the pseudonyms.</param>
sealed class EtlRedactor(Pseudonyms names)
{
    const byte Filler = 0xFF;

    byte[] _buffer = [];
    byte[] _compressed = [];

    /// <summary>Redacts a file.</summary>
    /// <param name="input">Positioned; closed.</param>
    /// <param name="output">Receives the redacted file.</param>
    /// <param name="cancellation">Ends the work.</param>
    /// <returns>What could not be read.</returns>
    /// <exception cref="TraceFormatException">The input does not begin with a log file header.</exception>
    public IReadOnlyList<TraceProblem> Run(TraceInput input, Stream output, CancellationToken cancellation)
    {
        using EtlFile file = EtlFile.Open(input);
        InFileSchemas inFile = InFileSchemaReader.Read(file);
        var records = new RecordRedactor(names, new EventSchemaFinder(EtlSystemFacts.From(file).WindowsBuild, inFile), new EventOrigin(inFile));
        using var buffer = new EtlBuffer(input, file.ProblemLog);
        foreach (EtlBufferEntry entry in file.Entries)
        {
            cancellation.ThrowIfCancellationRequested();
            buffer.Load(entry);
            Write(input, entry, Redact(buffer, records), output);
        }

        return file.Problems;
    }

    // Returns the end of the records.
    int Redact(EtlBuffer buffer, RecordRedactor records)
    {
        int room = Math.Max(buffer.Entry.FilledBytes, buffer.Entry.StoredBytes) + sizeof(ulong);
        if (_buffer.Length < room)
        {
            _buffer = new byte[room];
        }

        int end = EtlBufferHeader.Length;
        var record = default(EtlRecord);
        while (buffer.TryRead(ref record))
        {
            Span<byte> target = _buffer.AsSpan(end, record.Bytes.Length);
            record.Bytes.CopyTo(target);
            int length = records.Redact(record, target);
            int next = end + EtlRecordLayout.Align8(length);
            _buffer.AsSpan((end + length)..next).Clear();
            end = next;
        }

        return end;
    }

    void Write(TraceInput input, in EtlBufferEntry entry, int end, Stream output)
    {
        Span<byte> header = _buffer.AsSpan(0, EtlBufferHeader.Length);
        header.Clear();
        input.ReadAt(entry.Offset, header);
        if (entry.IsCompressed && TryCompress(end, out int length))
        {
            CompleteHeader(header, length, end, isCompressed: true);
            header.CopyTo(_compressed);
            output.Write(_compressed, 0, length);
            return;
        }

        int size = entry.IsCompressed ? end : Math.Max(end, entry.StoredBytes);
        CompleteHeader(header, size, end, isCompressed: false);
        if (_buffer.Length < size)
        {
            Array.Resize(ref _buffer, size);
        }

        _buffer.AsSpan(end..size).Fill(Filler);
        output.Write(_buffer, 0, size);
    }

    bool TryCompress(int end, out int length)
    {
        int room = EtlBufferHeader.Length + XpressEncoder.LongestResult(end);
        if (_compressed.Length < room)
        {
            _compressed = new byte[room];
        }

        length = EtlBufferHeader.Length + XpressEncoder.Encode(_buffer.AsSpan(EtlBufferHeader.Length..end), _compressed.AsSpan(EtlBufferHeader.Length));
        return length < end;
    }

    // Pointers and counters left over from the kernel's lists go (0x08, 0x20, 0x38).
    static void CompleteHeader(Span<byte> header, int size, int end, bool isCompressed)
    {
        BinaryPrimitives.WriteInt32LittleEndian(header, size);
        BinaryPrimitives.WriteInt32LittleEndian(header[0x04..], end);
        BinaryPrimitives.WriteInt32LittleEndian(header[0x08..], end);
        header[0x20..0x28].Clear();
        BinaryPrimitives.WriteInt32LittleEndian(header[0x30..], end);
        var flags = (EtlBufferFlags)BinaryPrimitives.ReadUInt16LittleEndian(header[0x34..]);
        flags = isCompressed ? flags | EtlBufferFlags.Compressed : flags & ~EtlBufferFlags.Compressed;
        BinaryPrimitives.WriteUInt16LittleEndian(header[0x34..], (ushort)(flags & EtlBufferFlags.All));
        header[0x38..].Clear();
    }
}
