using System;
using System.Collections.Generic;
using System.Text;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.Etl.Writing;
using TcpDiag.Traces.Schemas;

namespace TcpDiag.Fuzz.Tests;

/// <summary>Descriptions of events that a trace brings along, and payloads read by them: each input is taken for every kind of description.</summary>
static class DescriptionTarget
{
    static readonly Guid EventInfoClass = new("bbccf6c1-6cd1-48c4-80ff-839482e37671");

    // It keeps a buffer of the largest record; the inputs' own cost is what counts.
    static readonly EtlRecordBuilder Builder = new();

    /// <summary>A self-describing event's schema, a TRACE_EVENT_INFO and a manifest.</summary>
    public static IReadOnlyList<byte[]> Seeds { get; } =
    [
        [0x20, 0, 0, (byte)'N', 0, (byte)'s', 0, 0x98, 3, (byte)'a', 0, 4, (byte)'b', 0, 0x42, (byte)'c', 0, 0x26, 2, 0, (byte)'d', 0, 0x84, 3],
        EventInfo(),
        [
            1, 1, 0, 0x5B, 1, 0, 0, 0,
            .. "<p><provider name='P'><event value='1' template='T'/><template tid='T'><data name='a' inType='win:UInt32' count='2'/></template></provider></p>"u8,
        ],
    ];

    /// <summary>Reads an input.</summary>
    /// <param name="input">A description; also the payload that is read by it.</param>
    /// <returns>The descriptions met.</returns>
    public static long Read(byte[] input)
    {
        if (input.Length > ushort.MaxValue / 4)
        {
            return 0;
        }

        var scan = new InFileSchemaScan();
        scan.Add(Parse(Builder, new EtlRecordHeader { HeaderType = EtlHeaderType.Full, Provider = EventInfoClass, Opcode = 32 }, input));
        scan.Add(Parse(Builder, new EtlRecordHeader { HeaderType = EtlHeaderType.Full, Provider = EventInfoClass, Opcode = 33 }, input));
        scan.Add(Parse(Builder, new EtlRecordHeader { Id = 0xFFFE }, input));
        var finder = new EventSchemaFinder(null, scan.Schemas);
        Builder.AddExtendedItem(EtlExtendedItemType.EventSchema, input);
        return Show(finder, Parse(Builder, default(EtlRecordHeader) with { HeaderType = EtlHeaderType.Event }, input))
            + Show(finder, Parse(Builder, new EtlRecordHeader { Id = 1 }, input));
    }

    static int Show(EventSchemaFinder finder, EtlRecord record)
    {
        if (finder.Find(record).Schema is not { } schema)
        {
            return 0;
        }

        var text = new StringBuilder();
        new EventFormatter().AppendText(text, schema, record.Payload, record.Is64Bit);
        return text.Length > 0 ? 1 : 0;
    }

    static EtlRecord Parse(EtlRecordBuilder builder, EtlRecordHeader header, byte[] payload)
    {
        var record = default(EtlRecord);
        byte[] bytes = builder.Build(header, payload).ToArray();
        return EtlRecord.TryParse(bytes, ref record) ? record : throw new InvalidOperationException("The record was built wrong.");
    }

    // Event 1 of the empty provider with a struct (property 1) of one u32 (property 2) behind a u8.
    static byte[] EventInfo()
    {
        byte[] info = new byte[0x70 + (3 * 24)];
        info[0x20] = 1;
        info[0x64] = 3;
        info[0x68] = 2;
        info[0x70 + 8] = 4;
        info[0x70 + 24] = 1;
        info[0x70 + 24 + 8] = 2;
        info[0x70 + 24 + 10] = 1;
        info[0x70 + 48 + 8] = 8;
        return info;
    }
}
