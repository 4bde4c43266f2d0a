using System;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace TcpDiag.Traces.Etl.Records;

/// <summary>
/// Where each family of record header keeps its size, its time stamp and its payload (docs/formats/etl.md, "Records").
/// The first u32 of a record is its marker: top byte 0xC0 a trace header whose type is in bits 16–23, 0x90 a WPP
/// message, anything else with bit 31 an unknown record.
/// </summary>
static class EtlRecordLayout
{
    /// <summary>Bytes of an EVENT header, after which the extended items begin.</summary>
    internal const int EventHeaderLength = 0x50;

    const ushort HasExtendedItems = 1;

    // Kernel records: bit 15 of Version announces a PEBS index, bits 8–10 count performance counters; 8 bytes each.
    const int PebsIndexBit = 15;
    const int CounterCountBit = 8;

    // Per header type: family | is 64-bit << 4 | header length << 8 | offset of the time stamp << 16 | offset of the size << 24.
    const uint System = (uint)EtlHeaderType.System | (0x20 << 8) | (0x10 << 16) | (4 << 24);
    const uint Compact = (uint)EtlHeaderType.Compact | (0x18 << 8) | (0x10 << 16) | (4 << 24);
    const uint PerfInfo = (uint)EtlHeaderType.PerfInfo | (0x10 << 8) | (0x08 << 16) | (4 << 24);
    const uint Full = (uint)EtlHeaderType.Full | (0x30 << 8) | (0x10 << 16);
    const uint Instance = (uint)EtlHeaderType.Instance | (0x48 << 8) | (0x10 << 16);
    const uint Event = (uint)EtlHeaderType.Event | (EventHeaderLength << 8) | (0x10 << 16);
    const uint Error = (uint)EtlHeaderType.Error | (4 << 8);
    const uint Unknown = (uint)EtlHeaderType.Unknown | (4 << 8);
    const uint Is64Bit = 0x10;

    static ReadOnlySpan<uint> Layouts =>
    [
        Unknown, System, System | Is64Bit, Compact, Compact | Is64Bit, Unknown, Unknown, Unknown,
        Unknown, Unknown, Full, Instance, Unknown, Error, Unknown, Unknown,
        PerfInfo, PerfInfo | Is64Bit, Event, Event | Is64Bit, Full | Is64Bit, Instance | Is64Bit, Unknown, Unknown,
        Unknown, Unknown, Unknown, Unknown, Unknown, Unknown, Unknown, Unknown,
    ];

    /// <summary>Parses the record at the start of a span. Neither the span nor the record is copied.</summary>
    /// <param name="source">The record and what follows it in its buffer.</param>
    /// <param name="record">Overwritten when the result is true, but for processor, offsets, and the time stamp of a record that has none.</param>
    /// <returns>False when there is no whole record.</returns>
    internal static bool TryParse(ReadOnlySpan<byte> source, scoped ref EtlRecord record)
    {
        if (source.Length < 8)
        {
            return false;
        }

        uint marker = BinaryPrimitives.ReadUInt32LittleEndian(source);
        if (marker >> 24 != 0xC0)
        {
            return EtlMessageLayout.TryParse(source, marker, ref record);
        }

        uint layout = LayoutOf(marker);
        int size = BinaryPrimitives.ReadUInt16LittleEndian(source[(int)(layout >> 24)..]);
        int headerLength = (int)(layout >> 8) & 0xFF;
        if (size > source.Length || size < headerLength)
        {
            return false;
        }

        record.Bytes = source[..size];
        record.HeaderType = (EtlHeaderType)(layout & 0xF);
        record.Is64Bit = (layout & Is64Bit) != 0;
        record.PayloadOffset = headerLength;
        int timeOffset = (int)(layout >> 16) & 0xFF;
        if (timeOffset != 0)
        {
            record.Ticks = BinaryPrimitives.ReadInt64LittleEndian(source[timeOffset..]);
            record.PayloadOffset += ExtensionLength(record.Bytes, layout);
        }

        return true;
    }

    /// <summary>Length of the record at the start of a span, padding left out.</summary>
    /// <param name="source">The record and what follows it in its buffer, at least 8 bytes.</param>
    /// <returns>The length, or 0 when there is no whole record.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int SizeOf(ReadOnlySpan<byte> source)
    {
        uint marker = BinaryPrimitives.ReadUInt32LittleEndian(source);
        if (marker >> 24 != 0xC0)
        {
            return EtlMessageLayout.SizeOf(source, marker);
        }

        uint layout = LayoutOf(marker);
        int size = BinaryPrimitives.ReadUInt16LittleEndian(source[(int)(layout >> 24)..]);
        return size <= source.Length && size >= (int)((layout >> 8) & 0xFF) ? size : 0;
    }

    /// <summary>Time stamp of the record at the start of a span, which need not be whole.</summary>
    internal static bool TryReadTicks(ReadOnlySpan<byte> source, out long ticks)
    {
        ticks = 0;
        if (source.Length < 8)
        {
            return false;
        }

        uint marker = BinaryPrimitives.ReadUInt32LittleEndian(source);
        int offset = marker >> 24 == 0xC0
            ? (int)(LayoutOf(marker) >> 16) & 0xFF
            : EtlMessageLayout.TimeOffset(source, marker);
        return offset != 0 && source.Length >= offset + 8 && BinaryPrimitives.TryReadInt64LittleEndian(source[offset..], out ticks);
    }

    /// <summary>Time stamp of the record at the start of a span, which need not be whole.</summary>
    internal static long ReadTicks(ReadOnlySpan<byte> source, long fallback) => TryReadTicks(source, out long ticks) ? ticks : fallback;

    /// <summary>Whether a span begins with a whole record of a family that is known; the criterion of a search for the next record after damage.</summary>
    /// <param name="source">The bytes, at least 8.</param>
    /// <returns>True for a trace header of a known type, or a WPP message, that fits.</returns>
    internal static bool IsKnown(ReadOnlySpan<byte> source)
    {
        uint marker = BinaryPrimitives.ReadUInt32LittleEndian(source);
        bool known = marker >> 24 == 0x90 || (marker >> 24 == 0xC0 && (LayoutOf(marker) & 0xF) != (uint)EtlHeaderType.Unknown);
        return known && SizeOf(source) != 0;
    }

    /// <summary>Offset of the record after one, from that one's start.</summary>
    /// <returns>The length rounded up to 8.</returns>
    internal static int Align8(int size) => (size + 7) & ~7;

    static uint LayoutOf(uint marker)
    {
        uint type = (marker >> 16) & 0xFF;
        return type < (uint)Layouts.Length ? Layouts[(int)type] : Unknown;
    }

    static int ExtensionLength(ReadOnlySpan<byte> record, uint layout)
    {
        if ((layout & 0xF) == (uint)EtlHeaderType.Event)
        {
            bool extended = (BinaryPrimitives.ReadUInt16LittleEndian(record[4..]) & HasExtendedItems) != 0;
            return extended ? EtlExtendedItems.LengthOf(record[EventHeaderLength..]) : 0;
        }

        uint version = BinaryPrimitives.ReadUInt16LittleEndian(record);
        if (layout >> 24 == 0)
        {
            return 0;
        }

        int room = record.Length - ((int)(layout >> 8) & 0xFF);
        int values = (int)(version >> PebsIndexBit) + (int)((version >> CounterCountBit) & 7);
        return Math.Min(room, values * sizeof(ulong));
    }
}

/// <summary>
/// WPP messages (top byte 0x90), whose header fields are there only when a flag says so, and the unknown records that are
/// passed on opaque (docs/formats/etl.md, "Records").
/// </summary>
static class EtlMessageLayout
{
    const int FixedLength = 8;
    const int OpaqueHeaderLength = 4;

    const uint Sequence = 0x01;
    const uint Guid16 = 0x02;
    const uint ComponentId = 0x04;
    const uint TimeStamp = 0x08;
    const uint PerformanceTimeStamp = 0x10;
    const uint SystemInformation = 0x20;
    const uint Pointer64 = 0x80;

    internal static bool TryParse(ReadOnlySpan<byte> source, uint marker, scoped ref EtlRecord record)
    {
        int size = SizeOf(source, marker);
        if (size == 0)
        {
            return false;
        }

        record.Bytes = source[..size];
        if (marker >> 24 != 0x90)
        {
            record.HeaderType = EtlHeaderType.Unknown;
            record.Is64Bit = false;
            record.PayloadOffset = OpaqueHeaderLength;
            return true;
        }

        uint flags = FlagsOf(source);
        record.HeaderType = EtlHeaderType.Message;
        record.Is64Bit = (flags & Pointer64) != 0;
        record.PayloadOffset = HeaderLength(flags);
        if ((flags & (TimeStamp | PerformanceTimeStamp)) != 0)
        {
            record.Ticks = BinaryPrimitives.ReadInt64LittleEndian(source[TimeOffset(flags)..]);
        }

        return true;
    }

    internal static int SizeOf(ReadOnlySpan<byte> source, uint marker)
    {
        int size = (int)(marker & 0xFFFF);
        if ((marker & 0x8000_0000) == 0 || size > source.Length)
        {
            return 0;
        }

        int least = marker >> 24 == 0x90 ? HeaderLength(FlagsOf(source)) : OpaqueHeaderLength;
        return size >= least ? size : 0;
    }

    /// <summary>Offset of the time stamp; 0 when the record has none.</summary>
    internal static int TimeOffset(ReadOnlySpan<byte> source, uint marker)
    {
        bool isTimed = marker >> 24 == 0x90 && (FlagsOf(source) & (TimeStamp | PerformanceTimeStamp)) != 0;
        return isTimed ? TimeOffset(FlagsOf(source)) : 0;
    }

    internal static Guid ReadGuid(ReadOnlySpan<byte> record)
    {
        uint flags = FlagsOf(record);
        return (flags & Guid16) != 0 ? new Guid(record.Slice(GuidOffset(flags), 16)) : Guid.Empty;
    }

    internal static uint ReadThreadOrProcess(ReadOnlySpan<byte> record, int offset)
    {
        uint flags = FlagsOf(record);
        return (flags & SystemInformation) != 0
            ? BinaryPrimitives.ReadUInt32LittleEndian(record[(HeaderLength(flags) - 8 + offset)..])
            : uint.MaxValue;
    }

    static uint FlagsOf(ReadOnlySpan<byte> record) => BinaryPrimitives.ReadUInt16LittleEndian(record[6..]);

    static int GuidOffset(uint flags) => FixedLength + ((flags & Sequence) != 0 ? 4 : 0);

    static int TimeOffset(uint flags) =>
        GuidOffset(flags) + ((flags & Guid16) != 0 ? 16 : (flags & ComponentId) != 0 ? 4 : 0);

    static int HeaderLength(uint flags) =>
        TimeOffset(flags)
        + ((flags & (TimeStamp | PerformanceTimeStamp)) != 0 ? 8 : 0)
        + ((flags & SystemInformation) != 0 ? 8 : 0);
}
