using System;
using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace TcpDiag.Traces.Etl;

/// <summary>
/// Reads and writes TRACE_LOGFILE_HEADER (docs/formats/etl.md, "Log file header"). The layout of a 32-bit session differs by the two
/// pointers at 0x38, so that everything behind them stands 8 bytes earlier.
/// </summary>
static class EtlFileHeaderLayout
{
    /// <summary>Bytes before the two names, 64-bit.</summary>
    internal const int FixedLength64 = 0x118;

    const int PointersOffset = 0x38;

    /// <summary>Bytes from the time zone to the names.</summary>
    internal const int TailLength = FixedLength64 - 0x48;

    const byte RecordVersion = 2;

    /// <summary>Whether a record that begins with these bytes, 8 or more, claims to be a log file header.</summary>
    internal static bool IsMarker(ReadOnlySpan<byte> record) =>
        record[2] is 1 or 2 && record[3] == 0xC0 && record[6] == 0 && record[7] == 0;

    /// <summary>Whether a record is a log file header: SYSTEM, group 0, opcode 0, and long enough.</summary>
    internal static bool IsHeader(scoped EtlRecord record) =>
        record.HeaderType == EtlHeaderType.System && record.Group == 0 && record.Opcode == 0
        && record.Payload.Length >= FixedLength64 - (record.Is64Bit ? 0 : 8);

    /// <summary>Reads a header record.</summary>
    /// <param name="record">One that <see cref="IsHeader"/> accepts.</param>
    internal static EtlFileHeader Read(scoped EtlRecord record)
    {
        ReadOnlySpan<byte> head = record.Payload;
        ReadOnlySpan<byte> tail = head[(PointersOffset + (record.Is64Bit ? 16 : 8))..];
        ReadOnlySpan<byte> names = tail[TailLength..];
        string sessionName = TakeString(ref names);
        return new EtlFileHeader
        {
            BufferSize = UInt32(head, 0),
            OsMajorVersion = head[4],
            OsMinorVersion = head[5],
            LayoutMajorVersion = head[6],
            LayoutMinorVersion = head[7],
            Build = UInt32(head, 8),
            Processors = UInt32(head, 0x0C),
            EndFileTime = Int64(head, 0x10),
            TimerResolution = UInt32(head, 0x18),
            MaximumFileSize = UInt32(head, 0x1C),
            LogFileMode = (EtlLogFileModes)UInt32(head, 0x20),
            BuffersWritten = UInt32(head, 0x24),
            PointerSize = UInt32(head, 0x2C),
            EventsLost = UInt32(head, 0x30),
            CpuSpeedMegahertz = UInt32(head, 0x34),
            TimeZoneBiasMinutes = (int)UInt32(tail, 0),
            BootFileTime = Int64(tail, 0xB0),
            PerformanceFrequency = Int64(tail, 0xB8),
            StartFileTime = Int64(tail, 0xC0),
            ClockType = (EtlClockType)UInt32(tail, 0xC8),
            BuffersLost = UInt32(tail, 0xCC),
            StartTicks = record.Ticks,
            Is64Bit = record.Is64Bit,
            SessionName = sessionName,
            LogFileName = TakeString(ref names),
        };
    }

    /// <summary>The clock that a header describes.</summary>
    internal static EtlClock CreateClock(EtlFileHeader header)
    {
        EtlClockType type = ClockTypeOf(header);
        long frequency = type == EtlClockType.CpuCycles ? header.CpuSpeedMegahertz * 1_000_000L : header.PerformanceFrequency;
        return new EtlClock(type, header.StartTicks, header.StartFileTime, frequency);
    }

    /// <summary>The type of clock a header means; old files leave it 0.</summary>
    internal static EtlClockType ClockTypeOf(EtlFileHeader header) => header.ClockType switch
    {
        EtlClockType.SystemTime => EtlClockType.SystemTime,
        EtlClockType.CpuCycles => EtlClockType.CpuCycles,
        EtlClockType.Qpc => EtlClockType.Qpc,
        _ => header.PerformanceFrequency > 0 ? EtlClockType.Qpc : EtlClockType.SystemTime,
    };

    /// <summary>Puts a header record together.</summary>
    /// <param name="header">What to say.</param>
    /// <returns>The record without padding.</returns>
    internal static ReadOnlySpan<byte> Build(EtlFileHeader header)
    {
        int tailOffset = PointersOffset + (header.Is64Bit ? 16 : 8);
        int namesLength = 2 * (header.SessionName.Length + header.LogFileName.Length + 2);
        var payload = new byte[tailOffset + TailLength + namesLength];
        WriteHead(payload, header);
        Span<byte> tail = payload.AsSpan(tailOffset);
        BinaryPrimitives.WriteInt32LittleEndian(tail, header.TimeZoneBiasMinutes);
        BinaryPrimitives.WriteInt64LittleEndian(tail[0xB0..], header.BootFileTime);
        BinaryPrimitives.WriteInt64LittleEndian(tail[0xB8..], header.PerformanceFrequency);
        BinaryPrimitives.WriteInt64LittleEndian(tail[0xC0..], header.StartFileTime);
        BinaryPrimitives.WriteUInt32LittleEndian(tail[0xC8..], (uint)header.ClockType);
        BinaryPrimitives.WriteUInt32LittleEndian(tail[0xCC..], header.BuffersLost);
        Span<char> names = MemoryMarshal.Cast<byte, char>(tail[TailLength..]);
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

    static uint UInt32(ReadOnlySpan<byte> span, int offset) => BinaryPrimitives.ReadUInt32LittleEndian(span[offset..]);

    static long Int64(ReadOnlySpan<byte> span, int offset) => BinaryPrimitives.ReadInt64LittleEndian(span[offset..]);

    static string TakeString(ref ReadOnlySpan<byte> source)
    {
        ReadOnlySpan<char> text = MemoryMarshal.Cast<byte, char>(source);
        int end = text.IndexOf('\0');
        int length = end < 0 ? text.Length : end;
        source = source[Math.Min(source.Length, (length + 1) * 2)..];
        return new string(text[..length]);
    }
}
