using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Text;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.Etl.Writing;
using TcpDiag.Traces.Schemas;

namespace TcpDiag.Traces.Tests.Schemas;

/// <summary>A description of event 1332 as merging adds it to a trace, which differs from every bundled one: sequence number first, the Tcb last.</summary>
static class EventInfoBytes
{
    public const int PropertiesOffset = 0x70;

    const int PropertyLength = 24;
    const byte EventInfo = 32;

    static readonly Guid EventInfoClass = new("bbccf6c1-6cd1-48c4-80ff-839482e37671");

    static readonly (string Name, InType Type)[] Layout = [("SeqNo", InType.UInt32), ("BytesSent", InType.UInt32), ("Tcb", InType.Pointer)];

    public static EtlRecordHeader Header(long ticks) =>
        new() { HeaderType = EtlHeaderType.Full, Ticks = ticks, Provider = EventInfoClass, Opcode = EventInfo };

    // TRACE_EVENT_INFO: provider, event, descriptor (id 1332, version 3), source 0 = manifest, counts, properties, names.
    public static byte[] Describe(Guid provider)
    {
        int names = PropertiesOffset + (PropertyLength * Layout.Length);
        var info = new List<byte>(new byte[names]);
        foreach ((string name, _) in Layout)
        {
            info.AddRange(Encoding.Unicode.GetBytes(name + "\0"));
        }

        byte[] bytes = [.. info];
        provider.TryWriteBytes(bytes);
        BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(0x20), 1332);
        bytes[0x22] = 3;
        BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(0x64), Layout.Length);
        BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(0x68), Layout.Length);
        for (int i = 0; i < Layout.Length; i++)
        {
            Span<byte> property = bytes.AsSpan(PropertiesOffset + (PropertyLength * i));
            BinaryPrimitives.WriteInt32LittleEndian(property[4..], names);
            BinaryPrimitives.WriteUInt16LittleEndian(property[8..], (ushort)Layout[i].Type);
            BinaryPrimitives.WriteUInt16LittleEndian(property[16..], 1);
            names += 2 * (Layout[i].Name.Length + 1);
        }

        return bytes;
    }
}
