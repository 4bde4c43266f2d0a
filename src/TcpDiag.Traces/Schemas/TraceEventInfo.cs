using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Text;

namespace TcpDiag.Traces.Schemas;

/// <summary>Reads TRACE_EVENT_INFO as merging a trace stores it (docs/formats/etl.md, "Schemas inside the file").</summary>
static class TraceEventInfo
{
    const int PropertiesOffset = 0x70;
    const int PropertyLength = 24;

    // Flags of a property.
    const uint StructFlag = 1;
    const uint LengthIsIndex = 2;
    const uint CountIsIndex = 4;
    const uint FixedLength = 0x10;
    const uint FixedCount = 0x20;

    const uint ManifestSource = 0;

    /// <summary>Adds the schema of a record; a damaged one, and one whose structs are nested oddly, is passed over.</summary>
    public static void TryAdd(ReadOnlySpan<byte> info, EventMapTable maps, InFileSchemas schemas)
    {
        if (info.Length < PropertiesOffset)
        {
            return;
        }

        uint propertyCount = ReadUInt32(info, 0x64);
        uint topLevelCount = ReadUInt32(info, 0x68);
        if (propertyCount > (info.Length - PropertiesOffset) / PropertyLength || topLevelCount > propertyCount)
        {
            return;
        }

        bool isManifest = ReadUInt32(info, 0x30) == ManifestSource;
        var provider = new Guid(info.Slice(isManifest ? 0 : 16, 16));
        if (!TryReadFields(info, (int)propertyCount, (int)topLevelCount, new Guid(info[..16]), maps, out FieldSchema[] fields))
        {
            return;
        }

        int id = isManifest ? BinaryPrimitives.ReadUInt16LittleEndian(info[0x20..]) : info[0x25];
        schemas.Add(
            new EventSchema(fields)
            {
                Provider = provider,
                ProviderName = TextAt(info, ReadUInt32(info, 0x34)).TrimEnd(),
                Name = TextAt(info, ReadUInt32(info, 0x44)).TrimEnd(),
                Opcode = TextAt(info, ReadUInt32(info, 0x48)).TrimEnd(),
                Task = TextAt(info, ReadUInt32(info, 0x44)).TrimEnd(),
                Id = isManifest ? id : 0,
                Version = info[0x22],
                Level = info[0x24],
            },
            id,
            isClassic: !isManifest);
    }

    /// <summary>Reads a text by its offset; 0 is none.</summary>
    public static string TextAt(ReadOnlySpan<byte> info, uint offset)
    {
        if (offset == 0 || offset >= info.Length)
        {
            return string.Empty;
        }

        ReadOnlySpan<byte> rest = info[(int)offset..];
        PayloadElements.TryTake(InType.UnicodeString, PayloadElements.NoLength, is64Bit: true, ref rest, out ReadOnlySpan<byte> text);
        return Encoding.Unicode.GetString(text);
    }

    static uint ReadUInt32(ReadOnlySpan<byte> info, int offset) => BinaryPrimitives.ReadUInt32LittleEndian(info[offset..]);

    static ushort ReadUInt16(ReadOnlySpan<byte> info, int offset) => BinaryPrimitives.ReadUInt16LittleEndian(info[offset..]);

    // The reader wants members behind their struct; here they stand behind all top-level properties.
    static bool TryReadFields(ReadOnlySpan<byte> info, int count, int topLevel, Guid provider, EventMapTable maps, out FieldSchema[] fields)
    {
        var made = new List<FieldSchema>(count);
        var positions = new Dictionary<int, int>();
        fields = [];
        for (int i = 0; i < topLevel; i++)
        {
            ReadOnlySpan<byte> property = info.Slice(PropertiesOffset + (PropertyLength * i), PropertyLength);
            bool isStruct = (ReadUInt32(property, 0) & StructFlag) != 0;
            int first = ReadUInt16(property, 8);
            int members = isStruct ? ReadUInt16(property, 10) : 0;
            if (isStruct && (first < topLevel || first + members > count))
            {
                return false;
            }

            positions[i] = made.Count;
            made.Add(Field(info, property, provider, maps, positions) with { MemberCount = members });
            for (int member = first; member < first + members; member++)
            {
                positions[member] = made.Count;
                made.Add(Field(info, info.Slice(PropertiesOffset + (PropertyLength * member), PropertyLength), provider, maps, positions));
            }
        }

        fields = [.. made];
        return true;
    }

    static FieldSchema Field(ReadOnlySpan<byte> info, ReadOnlySpan<byte> property, Guid provider, EventMapTable maps, Dictionary<int, int> positions)
    {
        uint flags = ReadUInt32(property, 0);
        bool isStruct = (flags & StructFlag) != 0;
        string name = TextAt(info, ReadUInt32(property, 4));
        ushort count = ReadUInt16(property, 16);
        ushort length = ReadUInt16(property, 18);
        var type = isStruct ? InType.Struct : (InType)ReadUInt16(property, 8);
        return new FieldSchema(name, type)
        {
            OutType = isStruct ? OutType.Default : OutTypeOf(ReadUInt16(property, 10)),
            Map = isStruct ? null : maps.Find(provider, TextAt(info, ReadUInt32(property, 12))),
            Length = LengthOf(flags & LengthIsIndex, flags & FixedLength, length, positions, type),
            Count = (flags & CountIsIndex) != 0
                ? FieldLength.In(positions.GetValueOrDefault(count, -1))
                : (flags & FixedCount) != 0 || count > 1 ? FieldLength.Of(count) : FieldLength.None,
        };
    }

    // A fixed length is also told for numbers; only binaries and strings need one.
    static FieldLength LengthOf(uint isIndex, uint isFixed, ushort length, Dictionary<int, int> positions, InType type)
    {
        if (isIndex != 0)
        {
            return FieldLength.In(positions.GetValueOrDefault(length, -1));
        }

        bool needsLength = type == InType.Binary || isFixed != 0;
        return needsLength && length > 0 ? FieldLength.Of(length) : FieldLength.None;
    }

    // TDH_OUT_TYPE numbers.
    static OutType OutTypeOf(ushort number) => number switch
    {
        13 => OutType.Boolean,
        16 or 17 or 18 or 19 => OutType.Hex,
        22 => OutType.Port,
        23 => OutType.Ipv4,
        24 => OutType.IpAddress,
        25 => OutType.SocketAddress,
        30 or 31 => OutType.ErrorCode,
        _ => OutType.Default,
    };
}
