using System;
using System.Buffers.Binary;

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
