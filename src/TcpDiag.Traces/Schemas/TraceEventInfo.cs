using System;
using System.Buffers.Binary;
using System.Collections.Generic;

namespace TcpDiag.Traces.Schemas;

/// <summary>Reads TRACE_EVENT_INFO as merging a trace stores it (docs/formats/etl.md, "Schemas inside the file").</summary>
static class TraceEventInfo
{
    const uint ManifestSource = 0;

    /// <summary>Adds the schema of a record; a damaged one, and one whose structs are nested oddly, is passed over.</summary>
    public static void TryAdd(ReadOnlySpan<byte> info, EventMapTable maps, InFileSchemas schemas)
    {
        if (!TraceEventInfoFields.TryRead(info, maps, out FieldSchema[] fields))
        {
            return;
        }

        bool isManifest = ReadUInt32(info, 0x30) == ManifestSource;
        int id = isManifest ? BinaryPrimitives.ReadUInt16LittleEndian(info[0x20..]) : info[0x25];
        string task = InFileText.At(info, ReadUInt32(info, 0x44)).TrimEnd();
        schemas.Add(
            new EventSchema(fields)
            {
                Provider = new Guid(info.Slice(isManifest ? 0 : 16, 16)),
                ProviderName = InFileText.At(info, ReadUInt32(info, 0x34)).TrimEnd(),
                Name = task,
                Opcode = InFileText.At(info, ReadUInt32(info, 0x48)).TrimEnd(),
                Task = task,
                Id = isManifest ? id : 0,
                Version = info[0x22],
                Level = info[0x24],
            },
            id,
            isClassic: !isManifest);
    }

    static uint ReadUInt32(ReadOnlySpan<byte> info, int offset) => BinaryPrimitives.ReadUInt32LittleEndian(info[offset..]);
}

/// <summary>
/// Reads the properties of TRACE_EVENT_INFO. There the members of a struct come after all top-level properties, and those of
/// an inner struct anywhere; a schema has them after their struct. Each property is used once, so descriptions that refer to
/// themselves end.
/// </summary>
ref struct TraceEventInfoFields
{
    const int PropertiesOffset = 0x70;
    const int PropertyLength = 24;

    // Flags of a property.
    const uint StructFlag = 1;
    const uint LengthIsIndex = 2;
    const uint CountIsIndex = 4;
    const uint FixedLength = 0x10;
    const uint FixedCount = 0x20;

    readonly ReadOnlySpan<byte> _info;
    readonly EventMapTable _maps;
    readonly Guid _provider;
    readonly List<FieldSchema> _made;

    // Where each property went; -1 while it is unused.
    readonly int[] _positions;

    TraceEventInfoFields(ReadOnlySpan<byte> info, int count, EventMapTable maps)
    {
        _info = info;
        _maps = maps;
        _provider = new Guid(info[..16]);
        _made = new List<FieldSchema>(count);
        _positions = new int[count];
        _positions.AsSpan().Fill(-1);
    }

    public static bool TryRead(ReadOnlySpan<byte> info, EventMapTable maps, out FieldSchema[] fields)
    {
        fields = [];
        if (info.Length < PropertiesOffset)
        {
            return false;
        }

        uint count = ReadUInt32(info, 0x64);
        uint topLevel = ReadUInt32(info, 0x68);
        if (count > (info.Length - PropertiesOffset) / PropertyLength || topLevel > count)
        {
            return false;
        }

        var reader = new TraceEventInfoFields(info, (int)count, maps);
        bool isRead = reader.TryAdd(0, (int)topLevel, PayloadReader.MaxDepth);
        fields = isRead ? [.. reader._made] : [];
        return isRead;
    }

    static uint ReadUInt32(ReadOnlySpan<byte> info, int offset) => BinaryPrimitives.ReadUInt32LittleEndian(info[offset..]);

    static ushort ReadUInt16(ReadOnlySpan<byte> info, int offset) => BinaryPrimitives.ReadUInt16LittleEndian(info[offset..]);

    readonly bool TryAdd(int first, int count, int levels)
    {
        if (levels < 0 || first + count > _positions.Length)
        {
            return false;
        }

        for (int i = first; i < first + count; i++)
        {
            if (_positions[i] >= 0)
            {
                return false;
            }

            ReadOnlySpan<byte> property = _info.Slice(PropertiesOffset + (PropertyLength * i), PropertyLength);
            int position = _made.Count;
            _positions[i] = position;
            FieldSchema field = Field(property);
            _made.Add(field);
            if (field.InType != InType.Struct)
            {
                continue;
            }

            if (!TryAdd(ReadUInt16(property, 8), ReadUInt16(property, 10), levels - 1))
            {
                return false;
            }

            _made[position] = field with { MemberCount = _made.Count - position - 1 };
        }

        return true;
    }

    readonly FieldSchema Field(ReadOnlySpan<byte> property)
    {
        uint flags = ReadUInt32(property, 0);
        bool isStruct = (flags & StructFlag) != 0;
        var type = isStruct ? InType.Struct : (InType)ReadUInt16(property, 8);
        return new FieldSchema(InFileText.At(_info, ReadUInt32(property, 4)), type)
        {
            OutType = isStruct ? OutType.Default : OutTypes.OfManifest(type, ReadUInt16(property, 10)),
            Map = isStruct ? null : _maps.Find(_provider, InFileText.At(_info, ReadUInt32(property, 12))),
            Length = isStruct ? FieldLength.None : LengthOf(flags, type, ReadUInt16(property, 18)),
            Count = CountOf(flags, ReadUInt16(property, 16)),
        };
    }

    // A fixed length is also given for numbers; only binaries and strings need one.
    readonly FieldLength LengthOf(uint flags, InType type, ushort length)
    {
        if ((flags & LengthIsIndex) != 0)
        {
            return FieldLength.In(PositionOf(length));
        }

        bool needsLength = type == InType.Binary || (flags & FixedLength) != 0;
        return needsLength && length > 0 ? FieldLength.Of(length) : FieldLength.None;
    }

    readonly FieldLength CountOf(uint flags, ushort count)
    {
        if ((flags & CountIsIndex) != 0)
        {
            return FieldLength.In(PositionOf(count));
        }

        return (flags & FixedCount) != 0 || count > 1 ? FieldLength.Of(count) : FieldLength.None;
    }

    readonly int PositionOf(int property) => property < _positions.Length ? _positions[property] : -1;
}
