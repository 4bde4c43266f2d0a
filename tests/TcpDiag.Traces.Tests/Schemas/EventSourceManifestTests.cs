using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.Etl.Writing;
using TcpDiag.Traces.Schemas;
using Xunit;

namespace TcpDiag.Traces.Tests.Schemas;

/// <summary>Manifests that event sources log as event 65534.</summary>
public class EventSourceManifestTests
{
    const string Xml = """
        <instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events"><instrumentation><events>
        <provider name="Sun" guid="{00000000-0000-0000-0000-000000000000}">
         <maps><valueMap name="Kinds"><map value="0x1" message="$(string.map_rock)"/><map value="2" message="Gas"/></valueMap>
          <bitMap name="Marks"><map value="0x1" message="Rings"/><map value="0x2" message="Moons"/></bitMap></maps>
         <events><event value="7" version="1" level="win:Warning" symbol="Orbit" task="T" keywords="a b" template="OrbitArgs"/>
          <event value="8"/></events>
         <templates><template tid="OrbitArgs"><data name="kind" inType="win:UInt32" map="Kinds"/><data name="marks" inType="win:UInt32" map="Marks"/>
          <data name="size" inType="win:UInt32"/><data name="raw" inType="win:Binary" length="size"/>
          <data name="on" inType="win:Boolean"/><data name="name" inType="win:UnicodeString"/><data name="id" inType="win:GUID"/></template></templates>
        </provider></events></instrumentation>
        <localization><resources culture="en-US"><stringTable><string id="map_rock" value="Rock"/></stringTable></resources></localization>
        </instrumentationManifest>
        """;

    static readonly Guid Sun = new("11111111-2222-3333-4444-555555555555");

    [Theory]
    [InlineData(1, false)]
    [InlineData(3, false)]
    [InlineData(3, true)]
    public void Add_ManifestInChunks_DescribesTheEvents(int chunks, bool isReversed)
    {
        InFileSchemas schemas = Scan(Chunks(Encoding.UTF8.GetBytes(Xml), chunks, isReversed));

        EventSchema schema = Find(schemas, 7, 1)!;
        Assert.Equal(("Sun", "Orbit", "T", (byte)3), (schema.ProviderName, schema.Name, schema.Task, schema.Level));
        Assert.Equal(["a", "b"], schema.Keywords);
        Assert.Equal(0, Find(schemas, 8, 0)!.Fields.Length);

        // kind 1, marks 3, size 2, two bytes, BOOL, "Io", GUID
        byte[] payload = [1, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 0xAB, 0xCD, 1, 0, 0, 0, (byte)'I', 0, (byte)'o', 0, 0, 0, .. new byte[16]];
        var text = new StringBuilder();
        new EventFormatter().AppendText(text, schema, payload, is64Bit: true);
        Assert.Equal("kind=Rock marks=Rings|Moons size=2 raw=abcd on=true name=Io id=00000000-0000-0000-0000-000000000000", text.ToString());
    }

    [Fact]
    public void Add_CutXml_KeepsTheEventsBeforeTheCut()
    {
        string cut = Xml[..Xml.IndexOf("<templates>", StringComparison.Ordinal)];
        InFileSchemas schemas = Scan(Chunks(Encoding.UTF8.GetBytes(cut), 1, isReversed: false));
        Assert.Equal(2, schemas.Count);
        Assert.Equal(0, Find(schemas, 7, 1)!.Fields.Length);
    }

    [Fact]
    public void Add_EntityBomb_IsNotExpanded()
    {
        string bomb = """<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><provider name="&b;"><event value="1"/></provider>""";
        Assert.Equal(0, Scan(Chunks(Encoding.UTF8.GetBytes(bomb), 1, isReversed: false)).Count);
    }

    [Fact]
    public void Add_MissingChunks_DescribesNothing()
    {
        List<byte[]> chunks = Chunks(Encoding.UTF8.GetBytes(Xml), 3, isReversed: false);
        Assert.Equal(0, Scan([chunks[0], chunks[2]]).Count);
        Assert.Equal(0, Scan([[1, 1, 0, 0x5B, 0xFF, 0xFF, 0, 0]]).Count);
        Assert.Equal(0, Scan([[1, 1, 0, 0x5B, 1, 0, 1, 0, 60]]).Count);
        Assert.Equal(0, Scan([[1, 1, 0]]).Count);
    }

    static List<byte[]> Chunks(byte[] xml, int count, bool isReversed)
    {
        int size = (xml.Length + count - 1) / count;
        IEnumerable<byte[]> chunks = xml.Chunk(size).Select((part, i) => (byte[])[1, 1, 0, 0x5B, (byte)count, 0, (byte)i, 0, .. part]);
        return [.. isReversed ? chunks.Reverse() : chunks];
    }

    static InFileSchemas Scan(List<byte[]> chunks)
    {
        var scan = new InFileSchemaScan();
        foreach (byte[] chunk in chunks)
        {
            scan.Add(Parse(0xFFFE, 1, chunk));
        }

        return scan.Schemas;
    }

    static EventSchema? Find(InFileSchemas schemas, ushort id, byte version) => schemas.Find(Parse(id, version, []));

    static EtlRecord Parse(ushort id, byte version, byte[] payload)
    {
        var record = default(EtlRecord);
        byte[] bytes = new EtlRecordBuilder().Build(new EtlRecordHeader { Provider = Sun, Id = id, Version = version }, payload).ToArray();
        Assert.True(EtlRecord.TryParse(bytes, ref record));
        return record;
    }
}
