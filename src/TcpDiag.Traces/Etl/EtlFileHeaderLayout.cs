using System;
using System.Buffers.Binary;
using System.Runtime.InteropServices;
using TcpDiag.Traces.Etl.Records;

namespace TcpDiag.Traces.Etl;

/// <summary>
/// Reads TRACE_LOGFILE_HEADER (docs/formats/etl.md, "Log file header"). The layout of a 32-bit session differs by the two
/// pointers at 0x38, so that everything after them is 8 bytes earlier.
/// </summary>
static class EtlFileHeaderLayout
{
    /// <summary>Bytes before the two names, 64-bit.</summary>
    internal const int FixedLength64 = 0x118;

    /// <summary>Where the two pointers stand.</summary>
    internal const int PointersOffset = 0x38;

    /// <summary>Bytes from the time zone to the names.</summary>
    internal const int TailLength = FixedLength64 - 0x48;

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
