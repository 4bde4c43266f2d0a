using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using TcpDiag.Redaction.Packets;
using TcpDiag.Traces;
using TcpDiag.Traces.Input;
using TcpDiag.Traces.Pcap;

namespace TcpDiag.Redaction.Pcapng;

/// <summary>Redacts a classic pcap file: the same packets in little-endian order, each cut behind its headers.</summary>
sealed class PcapRedactor(Pseudonyms names)
{
    const int FileHeaderBytes = 24;
    const int RecordHeaderBytes = 16;
    const long NanosecondsPerSecond = 1_000_000_000;

    readonly FrameRedactor _frames = new(names);

    public IReadOnlyList<TraceProblem> Run(TraceInput input, Stream output, CancellationToken cancellation)
    {
        using var reader = PcapReader.Open(input);
        WriteHeader(reader, output);
        byte[] bytes = new byte[1 << 16];
        var record = default(TraceRecord);
        while (reader.TryRead(ref record))
        {
            cancellation.ThrowIfCancellationRequested();
            int length = RecordHeaderBytes + record.Data.Length;
            if (bytes.Length < length)
            {
                bytes = new byte[Math.Max(length, 2 * bytes.Length)];
            }

            Span<byte> frame = bytes.AsSpan(RecordHeaderBytes, record.Data.Length);
            record.Data.CopyTo(frame);
            int kept = _frames.Redact(frame, record.LinkType, record.OriginalLength);
            long seconds = Math.DivRem(record.Time.Nanoseconds, NanosecondsPerSecond, out long rest);
            BinaryPrimitives.WriteUInt32LittleEndian(bytes, (uint)seconds);
            BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(4), (uint)(rest / reader.NanosecondsPerUnit));
            BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(8), kept);
            BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(12), record.OriginalLength);
            output.Write(bytes, 0, RecordHeaderBytes + kept);
        }

        return reader.Problems;
    }

    static void WriteHeader(PcapReader reader, Stream output)
    {
        Span<byte> header = stackalloc byte[FileHeaderBytes];
        header.Clear();
        BinaryPrimitives.WriteUInt32LittleEndian(header, reader.NanosecondsPerUnit == 1 ? PcapReader.MagicNanoseconds : PcapReader.MagicMicroseconds);
        BinaryPrimitives.WriteUInt16LittleEndian(header[4..], 2); // version 2.4
        BinaryPrimitives.WriteUInt16LittleEndian(header[6..], 4);
        BinaryPrimitives.WriteInt32LittleEndian(header[16..], reader.Interfaces[0].SnapLength);
        BinaryPrimitives.WriteUInt32LittleEndian(header[20..], (uint)reader.Interfaces[0].LinkType);
        output.Write(header);
    }
}
