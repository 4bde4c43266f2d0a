using System;
using System.Buffers.Binary;

namespace TcpDiag.Traces.Etl;

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
