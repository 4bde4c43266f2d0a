using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Text;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.Etl.Writing;
using TcpDiag.Traces.Schemas;
using Xunit;

namespace TcpDiag.Traces.Tests.Schemas;

/// <summary>Layouts that real manifests have and hostile ones; payloads and expected texts by hand.</summary>
public class HostileSchemaTests
{
    // One value in a payload of n bytes may cost a value, a start and an end, and the same for each field of the schema.
    const int StepsPerItem = 4;

    [Fact]
    public void Read_StructsInStructs_GivesEachElement()
    {
        var schema = new EventSchema(
        [
            new("n", InType.UInt8),
            new("outer", InType.Struct) { Count = FieldLength.In(0), MemberCount = 3 },
            new("a", InType.UInt8),
            new("inner", InType.Struct) { Count = FieldLength.Of(2), MemberCount = 1 },
            new("b", InType.UInt16),
            new("end", InType.UInt8),
        ]);

        // n = 2; a 1, b 0x0203, b 0x0405; a 6, b 0x0708, b 0x090A; end 11
        Assert.Equal(
            "n=2 outer={ a=1 inner={ b=515 } inner={ b=1029 } } outer={ a=6 inner={ b=1800 } inner={ b=2314 } } end=11",
            TextOf(schema, "02 01 0302 0504 06 0807 0A09 0B"));
    }

    [Fact]
    public void Read_Arrays_TakeTheirCountFromAnywhere()
    {
        var schema = new EventSchema(
        [
            new("two", InType.UInt16) { Count = FieldLength.Of(2) },
            new("n", InType.UInt32),
            new("counted", InType.UInt8) { Count = FieldLength.In(1) },
            new("prefixed", InType.AnsiString) { Count = FieldLength.Prefix },
            new("length", InType.UInt8),
            new("raw", InType.Binary) { Length = FieldLength.In(4) },
            new("text", InType.UnicodeString) { Length = FieldLength.In(4) },
        ]);

        Assert.Equal(
            "two=[1,2] n=3 counted=[7,8,9] prefixed=[A,BC] length=2 raw=beef text=Hi",
            TextOf(schema, "0100 0200 03000000 07 08 09 0200 4100 424300 02 BEEF 4800 6900"));
    }

    [Theory]
    [InlineData(false, 2, "Two")]
    [InlineData(false, 3, "3")]
    [InlineData(true, 3, "One|Two")]
    [InlineData(true, 6, "Two|Four")]
    [InlineData(true, 8, "8")]
    public void Read_Maps_NameValuesAndBits(bool isBitMap, byte value, string expected)
    {
        var schema = new EventSchema([new("x", InType.UInt8) { Map = new ValueMap("m", isBitMap, [1, 2, 4], ["One", "Two", "Four"]) }]);
        Assert.Equal($"x={expected}", TextOf(schema, Convert.ToHexString([value])));
    }

    /// <summary>An array of 65,535 elements in a payload of four bytes.</summary>
    [Theory]
    [InlineData(InType.UInt8)]
    [InlineData(InType.UInt64)]
    [InlineData(InType.UnicodeString)]
    [InlineData(InType.ManifestCountedBinary)]
    [InlineData(InType.Sid)]
    [InlineData(InType.WbemSid)]
    [InlineData(InType.Binary)]
    [InlineData((InType)999)]
    public void Read_CountBeyondThePayload_IsCut(InType type)
    {
        var schema = new EventSchema(
            [new("n", InType.UInt16), new("x", type) { Count = FieldLength.In(0), Length = type == InType.Binary ? FieldLength.Of(0) : FieldLength.None }]);
        Assert.InRange(StepsOf(schema, [0xFF, 0xFF, 1, 2]), 1, 2);
    }

    [Fact]
    public void Read_StructsOfNothing_EndSoon()
    {
        // 65,535 structs of 65,535 structs of an array without elements.
        var schema = new EventSchema(
        [
            new("s", InType.Struct) { Count = FieldLength.Of(65535), MemberCount = 2 },
            new("t", InType.Struct) { Count = FieldLength.Of(65535), MemberCount = 1 },
            new("x", InType.UInt8) { Count = FieldLength.Of(0) },
        ]);
        Assert.InRange(StepsOf(schema, [1, 2, 3, 4]), 1, StepsPerItem * (4 + 3 + 1));
    }

    [Fact]
    public void Read_ThousandsOfEmptyStructs_NeedsNoStack()
    {
        var fields = new FieldSchema[50_000];
        Array.Fill(fields, new FieldSchema("s", InType.Struct) { Count = FieldLength.Of(0), MemberCount = 0 });
        Assert.Equal(0, StepsOf(new EventSchema(fields), []));
    }

    /// <summary>Descriptions by TraceLogging: cut, without NUL, structs larger than the fields, counts without data.</summary>
    [Theory]
    [InlineData("")]
    [InlineData("0400")]
    [InlineData("0400FFFFFFFF")]
    [InlineData("0400004E00")]
    [InlineData("0400004E0061")]
    [InlineData("0400004E006100F8FF0000")]
    [InlineData("0400004E00610098FF")]
    [InlineData("0400004E006100987F6200987F6300987F")]
    [InlineData("0400004E0061002AFF")]
    [InlineData("0400004E0061006AFFFF0102")]
    public void TraceLogging_HostileBlob_IsReadInBoundedWork(string blob)
    {
        EventSchema schema = TraceLoggingSchema.Read(Convert.FromHexString(blob), Guid.Empty, "p");
        Assert.InRange(schema.Fields.Length, 0, 3);
        Assert.InRange(StepsOf(schema, new byte[64]), 0, StepsPerItem * (64 + 3 + 1));
    }

    [Fact]
    public void EventInfo_StructsInStructs_AreReadInOrder()
    {
        // top: 0 n, 1 struct (members 2 and 3); 3 is a struct of member 4
        EventSchema? schema = Describe(5, 2, (0, 0, 0), (1, 2, 2), (0, 0, 0), (1, 4, 1), (0, 0, 0));
        Assert.Equal(
            [InType.UInt8, InType.Struct, InType.UInt8, InType.Struct, InType.UInt8], Array.ConvertAll(schema!.Fields.ToArray(), field => field.InType));
        Assert.Equal([0, 3, 0, 1, 0], Array.ConvertAll(schema.Fields.ToArray(), field => field.MemberCount));
        Assert.Equal("p0=1 p1={ p2=2 p3={ p4=3 } }", TextOf(schema, "010203"));
    }

    [Fact]
    public void EventInfo_StructsThatReferToThemselvesOrOutside_AreRefused()
    {
        Assert.Null(Describe(1, 1, (1, 0, 1))); // itself
        Assert.Null(Describe(3, 1, (1, 1, 1), (1, 2, 1), (1, 1, 1))); // a loop
        Assert.Null(Describe(2, 2, (1, 1, 1), (0, 0, 0))); // a member that is top-level too
        Assert.Null(Describe(1, 1, (1, 0xFFFF, 0xFFFF))); // outside
    }

    [Fact]
    public void EventInfo_ManyPropertiesWithOneLongName_CostsItsSize()
    {
        var properties = new (int, int, int)[1300];
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Equal(1300, Describe(1300, 1300, properties, nameOffset: 0x70, spare: 30_000)!.Fields.Length);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 4 << 20);
    }

    static EventSchema? Describe(int count, int topLevel, params (int IsStruct, int First, int Members)[] properties) =>
        Describe(count, topLevel, properties, nameOffset: 0, spare: 0);

    // TRACE_EVENT_INFO of event 5 with properties u8 or structs; names "p0", "p1" … unless they share an offset.
    static EventSchema? Describe(int count, int topLevel, (int IsStruct, int First, int Members)[] properties, int nameOffset, int spare)
    {
        const int Properties = 0x70;
        int names = Properties + (24 * count);
        var text = new StringBuilder();
        byte[] info = new byte[names + (nameOffset == 0 ? 16 * count : 0) + spare];
        info.AsSpan(Math.Min(names, info.Length)).Fill((byte)(spare > 0 ? 0x41 : 0));
        BinaryPrimitives.WriteUInt16LittleEndian(info.AsSpan(0x20), 5);
        BinaryPrimitives.WriteInt32LittleEndian(info.AsSpan(0x64), count);
        BinaryPrimitives.WriteInt32LittleEndian(info.AsSpan(0x68), topLevel);
        for (int i = 0; i < properties.Length; i++)
        {
            Span<byte> property = info.AsSpan(Properties + (24 * i), 24);
            (int isStruct, int first, int members) = properties[i];
            int at = nameOffset == 0 ? names + (2 * text.Length) : names;
            BinaryPrimitives.WriteInt32LittleEndian(property, isStruct);
            BinaryPrimitives.WriteInt32LittleEndian(property[4..], at);
            BinaryPrimitives.WriteUInt16LittleEndian(property[8..], (ushort)(isStruct == 1 ? first : (int)InType.UInt8));
            BinaryPrimitives.WriteUInt16LittleEndian(property[10..], (ushort)members);
            text.Append(System.Globalization.CultureInfo.InvariantCulture, $"p{i}\0");
        }

        if (nameOffset == 0)
        {
            Encoding.Unicode.GetBytes(text.ToString()).CopyTo(info.AsSpan(names));
        }

        return Scan(info);
    }

    static EventSchema? Scan(byte[] info)
    {
        var scan = new InFileSchemaScan();
        var record = default(EtlRecord);
        byte[] bytes = new EtlRecordBuilder().Build(
            new EtlRecordHeader { HeaderType = EtlHeaderType.Full, Provider = new Guid("bbccf6c1-6cd1-48c4-80ff-839482e37671"), Opcode = 32 }, info).ToArray();
        Assert.True(EtlRecord.TryParse(bytes, ref record));
        scan.Add(record);
        byte[] told = new EtlRecordBuilder().Build(new EtlRecordHeader { Id = 5 }, []).ToArray();
        Assert.True(EtlRecord.TryParse(told, ref record));
        return scan.Schemas.Find(record);
    }

    static string TextOf(EventSchema schema, string payload)
    {
        var text = new StringBuilder();
        new EventFormatter().AppendText(text, schema, Convert.FromHexString(payload.Replace(" ", string.Empty, StringComparison.Ordinal)), is64Bit: true);
        return text.ToString();
    }

    static int StepsOf(EventSchema schema, byte[] payload)
    {
        int steps = 0;
        var reader = new PayloadReader(schema, payload, is64Bit: true);
        while (reader.TryRead(out _))
        {
            steps++;
        }

        return steps;
    }
}
