using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using TcpDiag.Traces;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Etl.Buffers;
using TcpDiag.Traces.Etl.Compression;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.Input;
using TcpDiag.Traces.Schemas;

namespace TcpDiag.Redaction.Events;

/// <summary>
/// Redacts an .etl file buffer by buffer (docs/decisions/0019-redact-records-where-they-stand.md): the same buffers in the same order with the same records,
/// each with its header and time. Payloads never grow, so every record fits its buffer. Bytes between and behind records, left over from earlier uses of
/// the memory, are not copied.
/// </summary>
sealed class EtlRedactor(Pseudonyms names)
{
    const byte Filler = 0xFF;

    byte[] _buffer = [];
    byte[] _compressed = [];

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
        int room = EtlBufferHeader.Length + XpressEncoder.MaxLength(end);
        if (_compressed.Length < room)
        {
            _compressed = new byte[room];
        }

        length = EtlBufferHeader.Length + XpressEncoder.Encode(_buffer.AsSpan(EtlBufferHeader.Length..end), _compressed.AsSpan(EtlBufferHeader.Length));
        return length < end;
    }

    // Clears pointers and counters left over from the kernel's lists (0x08, 0x20, 0x38).
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

/// <summary>
/// Redacts single records of an .etl file. Headers stay, activity ids get pseudonyms. Payloads of known layout stay: packets, events with a schema,
/// descriptions of events; all others are removed.
/// </summary>
sealed class RecordRedactor(Pseudonyms names, EventSchemaFinder schemas, EventOrigin origin)
{
    const int ActivityOffset = 0x40;
    const int GuidBytes = 16;

    // EventSource manifests: text of the logging program, with the paths of its files.
    const ushort ManifestId = 65534;

    readonly PacketEventRedactor _packets = new(names);
    readonly PayloadRedactor _payloads = new(names);
    readonly ExtendedItemRedactor _items = new(names);
    readonly EventInfoRedactor _descriptions = new(names, origin);

    /// <summary>Redacts a copy of the record; returns how many of its bytes are kept, and sets its size field.</summary>
    public int Redact(in EtlRecord record, Span<byte> target)
    {
        bool isUnderstood = true;
        names.Originals.AddPublicId(record.Provider);
        Span<byte> payload = target[record.PayloadOffset..];
        int kept = record.HeaderType switch
        {
            EtlHeaderType.Message or EtlHeaderType.Error or EtlHeaderType.Unknown => 0,
            EtlHeaderType.System when EtlFileHeaderLayout.IsHeader(record) => FileHeaderRedactor.Redact(record, payload, names),
            _ => RedactPayload(record, payload, out isUnderstood),
        };
        if (record.HeaderType == EtlHeaderType.Event)
        {
            names.ReplaceGuid(target.Slice(ActivityOffset, GuidBytes));
            _items.Redact(target[EtlRecordLayout.EventHeaderLength..record.PayloadOffset], isUnderstood, EventOrigin.IsWindows(record));
        }

        bool isGone = kept == 0 && payload.Length > 0;
        names.Counts.Add(isGone ? RedactionKind.UnknownEvents : RedactionKind.OpaqueEventBytes, isGone ? 1 : payload.Length - kept);
        return SetSize(target, record, record.PayloadOffset + kept);
    }

    static int SetSize(Span<byte> target, in EtlRecord record, int size)
    {
        bool isKernel = record.HeaderType is EtlHeaderType.System or EtlHeaderType.Compact or EtlHeaderType.PerfInfo;
        BinaryPrimitives.WriteUInt16LittleEndian(target[(isKernel ? 4 : 0)..], (ushort)size);
        return size;
    }

    int RedactPayload(in EtlRecord record, Span<byte> payload, out bool isUnderstood)
    {
        isUnderstood = true;
        if (_packets.TryRedact(record, payload, out int kept) || _descriptions.TryRedact(record, payload, out kept))
        {
            return kept;
        }

        EventSchema? schema = record is { HeaderType: EtlHeaderType.Event, Id: ManifestId } ? null : schemas.Find(record).Schema;
        isUnderstood = schema is not null && _payloads.TryRedact(schema, record, payload, out kept);
        return isUnderstood ? kept : 0;
    }
}

/// <summary>
/// Redacts the log file header (docs/formats/etl.md, "Log file header"): numbers stay, the time zone is removed, session and file name get pseudonyms.
/// </summary>
static class FileHeaderRedactor
{
    // 172 bytes, and 4 of padding.
    const int TimeZoneLength = 176;

    public static int Redact(in EtlRecord record, Span<byte> payload, Pseudonyms names)
    {
        int shorter = record.Is64Bit ? 0 : sizeof(uint);
        int timeZone = EtlFileHeaderLayout.FixedLength64 - EtlFileHeaderLayout.TailLength - (2 * shorter);
        payload.Slice(timeZone + sizeof(int), TimeZoneLength - sizeof(int)).Clear();
        names.ReplaceText16(payload[(timeZone + EtlFileHeaderLayout.TailLength)..]);
        return payload.Length;
    }
}
