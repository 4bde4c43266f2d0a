using System;
using TcpDiag.Traces.Etl;

namespace TcpDiag.Traces.Schemas;

/// <summary>
/// Collects the schemas that a trace brings along (docs/formats/etl.md, "Schemas inside the file"): those that merging adds
/// stand at the end of the file, so it is read once in file order.
/// </summary>
public static class InFileSchemaReader
{
    // What merging a trace adds.
    static readonly Guid EventInfoClass = new("bbccf6c1-6cd1-48c4-80ff-839482e37671");

    const byte EventInfoOpcode = 32;
    const byte MapInfoOpcode = 33;

    /// <summary>Collects the schemas of a file.</summary>
    /// <param name="file">The file.</param>
    /// <returns>What was found.</returns>
    public static InFileSchemas Read(EtlFile file)
    {
        var maps = new EventMapTable();
        var schemas = new InFileSchemas();
        using EtlRecordCursor cursor = file.Read(EtlReadOrder.File);
        var record = default(EtlRecord);
        while (cursor.TryRead(ref record))
        {
            if (record.HeaderType == EtlHeaderType.Full && record.Provider == EventInfoClass)
            {
                Add(record, maps, schemas);
            }
        }

        return schemas;
    }

    static void Add(in EtlRecord record, EventMapTable maps, InFileSchemas schemas)
    {
        switch (record.Opcode)
        {
            case EventInfoOpcode:
                TraceEventInfo.TryAdd(record.Payload, maps, schemas);
                break;
            case MapInfoOpcode:
                maps.TryAdd(record.Payload);
                break;
        }
    }
}
