using System;
using System.Buffers.Binary;
using System.Runtime.InteropServices;
using TcpDiag.Traces.Etl.Records;

namespace TcpDiag.Traces.Etl.Writing;

/// <summary>Puts the log file header record together that <see cref="EtlFileHeaderLayout"/> reads.</summary>
static class EtlFileHeaderBuilder
{
    const byte RecordVersion = 2;

    /// <summary>The record without padding.</summary>
    internal static ReadOnlySpan<byte> Build(EtlFileHeader header)
    {
        int tailOffset = EtlFileHeaderLayout.PointersOffset + (header.Is64Bit ? 16 : 8);
        int namesLength = 2 * (header.SessionName.Length + header.LogFileName.Length + 2);
        var payload = new byte[tailOffset + EtlFileHeaderLayout.TailLength + namesLength];
        WriteHead(payload, header);
        Span<byte> tail = payload.AsSpan(tailOffset);
        BinaryPrimitives.WriteInt32LittleEndian(tail, header.TimeZoneBiasMinutes);
        BinaryPrimitives.WriteInt64LittleEndian(tail[0xB0..], header.BootFileTime);
        BinaryPrimitives.WriteInt64LittleEndian(tail[0xB8..], header.PerformanceFrequency);
        BinaryPrimitives.WriteInt64LittleEndian(tail[0xC0..], header.StartFileTime);
        BinaryPrimitives.WriteUInt32LittleEndian(tail[0xC8..], (uint)header.ClockType);
        BinaryPrimitives.WriteUInt32LittleEndian(tail[0xCC..], header.BuffersLost);
        Span<char> names = MemoryMarshal.Cast<byte, char>(tail[EtlFileHeaderLayout.TailLength..]);
        header.SessionName.CopyTo(names);
        header.LogFileName.CopyTo(names[(header.SessionName.Length + 1)..]);
        var recordHeader = new EtlRecordHeader
        {
            HeaderType = EtlHeaderType.System,
            Is64Bit = header.Is64Bit,
            Version = RecordVersion,
            Ticks = header.StartTicks,
        };
        return new EtlRecordBuilder().Build(recordHeader, payload);
    }

    static void WriteHead(Span<byte> head, EtlFileHeader header)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(head, header.BufferSize);
        head[4] = header.OsMajorVersion;
        head[5] = header.OsMinorVersion;
        head[6] = header.LayoutMajorVersion;
        head[7] = header.LayoutMinorVersion;
        BinaryPrimitives.WriteUInt32LittleEndian(head[0x08..], header.Build);
        BinaryPrimitives.WriteUInt32LittleEndian(head[0x0C..], header.Processors);
        BinaryPrimitives.WriteInt64LittleEndian(head[0x10..], header.EndFileTime);
        BinaryPrimitives.WriteUInt32LittleEndian(head[0x18..], header.TimerResolution);
        BinaryPrimitives.WriteUInt32LittleEndian(head[0x1C..], header.MaximumFileSize);
        BinaryPrimitives.WriteUInt32LittleEndian(head[0x20..], (uint)header.LogFileMode);
        BinaryPrimitives.WriteUInt32LittleEndian(head[0x24..], header.BuffersWritten);
        BinaryPrimitives.WriteUInt32LittleEndian(head[0x28..], 1);
        BinaryPrimitives.WriteUInt32LittleEndian(head[0x2C..], header.PointerSize);
        BinaryPrimitives.WriteUInt32LittleEndian(head[0x30..], header.EventsLost);
        BinaryPrimitives.WriteUInt32LittleEndian(head[0x34..], header.CpuSpeedMegahertz);
    }
}
