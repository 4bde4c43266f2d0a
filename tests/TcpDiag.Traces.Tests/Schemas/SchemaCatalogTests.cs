using System;
using System.IO;
using TcpDiag.SchemaGenerator;
using TcpDiag.Testing;
using TcpDiag.Traces.Schemas;
using Xunit;

namespace TcpDiag.Traces.Tests.Schemas;

public class SchemaCatalogTests
{
    static readonly Guid Tcpip = new("2f07e2ee-15db-40f1-90ef-9d7ba282188a");
    static readonly Guid PacketCapture = new("2ed6006e-4729-4609-b423-3ee7bcd678ef");

    [SharedFact]
    public void Bundled_GeneratedAgain_IsTheSame()
    {
        string path = Path.Combine(ProjectFolder.Root, "src", "TcpDiag.Traces", "Schemas", "Generated", "windows-events.br");
        byte[] committed = File.ReadAllBytes(path);
        byte[] generated = Generator.Generate(SharedFolder.Root);

        // Brotli may change between runtimes; what it holds may not.
        Assert.True(SchemaResource.Decompress(committed).AsSpan().SequenceEqual(SchemaResource.Decompress(generated)), "run tools/TcpDiag.SchemaGenerator");
        Assert.InRange(committed.Length, 1, 300_000);
    }

    [Fact]
    public void Bundled_Builds_AreTheSeventeen()
    {
        Assert.Equal(17, SchemaCatalog.Bundled.Builds.Count);
        Assert.Equal(new WindowsBuildEntry(10586, "Windows 10 1511"), SchemaCatalog.Bundled.Builds[0]);
        Assert.Equal(new WindowsBuildEntry(28000, "Windows 11 26H1"), SchemaCatalog.Bundled.Builds[16]);
        Assert.Equal(7, SchemaCatalog.Bundled.Providers.Count);
    }

    /// <summary>Totals of etl-format.md, 7.1, for 64-bit records: IPv4, IPv6.</summary>
    [Theory]
    [InlineData(1002, 0, 56, 80)]
    [InlineData(1300, 0, 56, 80)]
    [InlineData(1300, 1, 64, 88)]
    [InlineData(1300, 2, 68, 92)]
    [InlineData(1300, 3, 72, 96)]
    [InlineData(1332, 0, 36, 36)]
    [InlineData(1332, 1, 40, 40)]
    [InlineData(1332, 2, 44, 44)]
    [InlineData(1332, 3, 64, 64)]
    [InlineData(1332, 4, 72, 72)]
    [InlineData(1332, 5, 112, 136)]
    [InlineData(1017, 0, 60, 84)]
    [InlineData(1017, 1, 68, 92)]
    [InlineData(1031, 0, 60, 84)]
    [InlineData(1033, 1, 68, 92)]
    [InlineData(1038, 1, 68, 92)]
    [InlineData(1044, 0, 60, 84)]
    [InlineData(1330, 0, 24, 24)]
    [InlineData(1343, 0, 24, 24)]
    [InlineData(1350, 0, 16, 16)]
    [InlineData(1351, 0, 24, 24)]
    [InlineData(1351, 1, 52, 52)]
    [InlineData(1354, 0, 32, 32)]
    [InlineData(1385, 0, 33, 33)]
    [InlineData(1386, 0, 12, 12)]
    [InlineData(1547, 0, 28, 28)]
    [InlineData(1548, 0, 48, 48)]
    [InlineData(1548, 1, 52, 52)]
    [InlineData(1352, 0, 144, 144)]
    [InlineData(1477, 0, 240, 264)]
    [InlineData(1477, 1, 252, 276)]
    [InlineData(1387, 0, 36, 36)]
    [InlineData(1577, 0, 44, 44)]
    [InlineData(1585, 0, 32, 32)]
    public void Find_Tcpip_HasTheDocumentedLength(int id, int version, int ipv4, int ipv6)
    {
        EventSchema schema = SchemaCatalog.Bundled.Find(28000, Tcpip, id, version, ipv4).Schema!;
        Assert.Equal(ipv4, PayloadBuilder.Build(schema, is64Bit: true).Bytes.Length);
        Assert.Equal(ipv6, PayloadBuilder.Build(schema, is64Bit: true, isIpv6: true).Bytes.Length);
        Assert.Equal(ipv4 - 4, PayloadBuilder.Build(schema, is64Bit: false).Bytes.Length);
    }

    /// <summary>Offsets of etl-format.md, 7.1, for 64-bit IPv4 records (L = R = 16).</summary>
    [Theory]
    [InlineData(1017, 1, "Tcb", 20 + 16 + 16)]
    [InlineData(1002, 0, "LocalAddress", 12)]
    [InlineData(1002, 0, "RemoteAddress", 16 + 16)]
    [InlineData(1332, 3, "RecoveryMax", 60)]
    [InlineData(1332, 5, "LocalAddressLength", 72)]
    [InlineData(1548, 1, "DSackCount", 36)]
    [InlineData(1548, 1, "NewSackedBytes", 48)]
    [InlineData(1352, 0, "SndLimTransRwin", 96)]
    [InlineData(1477, 1, "ConnectionTimeMs", 144)]
    [InlineData(1477, 1, "TimestampsEnabled", 152)]
    [InlineData(1477, 1, "LocalAddressLength", 180)]
    public void Find_Tcpip_HasTheDocumentedOffset(int id, int version, string field, int offset)
    {
        EventSchema schema = SchemaCatalog.Bundled.Find(28000, Tcpip, id, version, 0).Schema!;
        Assert.Equal(offset, PayloadBuilder.Build(schema, is64Bit: true).Offsets[schema.IndexOf(field)]);
    }

    [Theory]
    [InlineData(10586, 1223, 9, SchemaMatchKind.ExactBuild)]
    [InlineData(14393, 1223, 11, SchemaMatchKind.ExactBuild)]
    [InlineData(10240, 1223, 9, SchemaMatchKind.NearestBuild)]
    [InlineData(20348, 1223, 11, SchemaMatchKind.NearestBuild)]
    [InlineData(30000, 1223, 11, SchemaMatchKind.NearestBuild)]
    [InlineData(20348, 1350, 3, SchemaMatchKind.ExactBuild)]
    public void Find_ByBuild_ChoosesThatOrTheNearest(int build, int id, int fields, SchemaMatchKind kind)
    {
        SchemaMatch match = SchemaCatalog.Bundled.Find(build, Tcpip, id, 0, 0);
        Assert.Equal(fields, match.Schema!.Fields.Length);
        Assert.Equal(build == 20348 && id == 1350 ? SchemaMatchKind.SameOnAllBuilds : kind, match.Kind);
    }

    [Theory]
    [InlineData(40, 9)]
    [InlineData(47, 9)]
    [InlineData(48, 11)]
    [InlineData(60, 11)]
    public void Find_NoBuild_LengthDecides(int payloadLength, int fields)
    {
        // 1223 v0: Tcb and 8 u32 (40 bytes) on 10586, two more u32 since 14393.
        SchemaMatch match = SchemaCatalog.Bundled.Find(null, Tcpip, 1223, 0, payloadLength);
        Assert.Equal(fields, match.Schema!.Fields.Length);
        Assert.Equal(SchemaMatchKind.PayloadLength, match.Kind);
    }

    [Fact]
    public void Find_NewerVersion_FallsBackToTheOneBefore()
    {
        SchemaMatch match = SchemaCatalog.Bundled.Find(29000, Tcpip, 1332, 7, 200);
        Assert.Equal(SchemaMatchKind.OlderVersion, match.Kind);
        Assert.Equal(5, match.Schema!.Version);
    }

    [Fact]
    public void Find_Unknown_IsNone()
    {
        Assert.Equal(default, SchemaCatalog.Bundled.Find(26100, Guid.NewGuid(), 1, 0, 0));
        Assert.Equal(default, SchemaCatalog.Bundled.Find(26100, Tcpip, 999, 0, 0));
    }

    [Theory]
    [InlineData(1002, "NewState", 4, "EstablishedState")]
    [InlineData(1300, "State", 10, "TimeWaitState")]
    [InlineData(1064, "TimerType", 0, "RetransmitTimer")]
    [InlineData(1223, "CongestionAlgorithm", 4, "LEDBAT")]
    [InlineData(1223, "CongestionAlgorithm", 5, "CUBIC")]
    [InlineData(1477, "CongestionAlgorithm", 1, "NewReno")]
    [InlineData(1215, "Reason", 7, "NoRoute")]
    public void Find_FieldOfAMappedKind_HasTheMap(int id, string field, uint value, string text)
    {
        EventSchema schema = SchemaCatalog.Bundled.Find(28000, Tcpip, id, 0, 0).Schema!;
        string? found = schema.Fields[schema.IndexOf(field)].Map?.TextOf(value);
        Assert.Contains(text, found?.Replace(" ", string.Empty, StringComparison.Ordinal), StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>A log of a newer build says "stopping 7(SwsTimer) timer"; up to 14393 the manifest has 6 there.</summary>
    [Theory]
    [InlineData(14393, 5, "DisconnectTimer")]
    [InlineData(14393, 6, "SwsTimer")]
    [InlineData(14393, 8, "SynOrRstValidationTimer")]
    [InlineData(15063, 4, "KeepAliveTimer")]
    [InlineData(15063, 5, "PacingTimer")]
    [InlineData(20348, 6, "DisconnectTimer")]
    [InlineData(26100, 7, "SwsTimer")]
    [InlineData(26100, 9, "SynOrRstValidationTimer")]
    public void Find_TimerType_IsNumberedByBuild(int build, uint value, string timer)
    {
        foreach (int id in (int[])[1064, 1065, 1066])
        {
            EventSchema schema = SchemaCatalog.Bundled.Find(build, Tcpip, id, 0, 0).Schema!;
            Assert.Equal(timer, schema.Fields[schema.IndexOf("TimerType")].Map!.TextOf(value)!.TrimEnd());
        }
    }

    [Fact]
    public void Find_FieldsOfTheSameNameAndAnotherKind_HaveNoTcpStates()
    {
        foreach (int id in (int[])[1475, 1565, 1212])
        {
            EventSchema schema = SchemaCatalog.Bundled.Find(28000, Tcpip, id, 0, 0).Schema!;
            foreach (FieldSchema field in schema.Fields)
            {
                Assert.False(field.Map is { Name: "TCP_CONNECTION_STATE_ValueMap" });
            }
        }
    }

    [Fact]
    public void Find_PacketCapture_TakesTheFragmentLengthFromItsField()
    {
        EventSchema old = SchemaCatalog.Bundled.Find(17134, PacketCapture, 1001, 0, 0).Schema!;
        EventSchema recent = SchemaCatalog.Bundled.Find(17763, PacketCapture, 1001, 0, 0).Schema!;
        Assert.Equal(FieldLength.In(2), old.Fields[3].Length);
        Assert.Equal(4, old.Fields.Length);
        Assert.Equal(6, recent.Fields.Length);
    }

    [Fact]
    public void Variants_EveryLayout_IsReadToTheLastByteAndForBothPointerSizes()
    {
        int layouts = 0;
        foreach (ProviderCatalog provider in SchemaCatalog.Bundled.Providers)
        {
            foreach (EventVariant variant in provider.Variants)
            {
                foreach (bool is64Bit in (bool[])[true, false])
                {
                    PayloadBuilder built = PayloadBuilder.Build(variant.Schema, is64Bit);
                    var reader = new PayloadReader(variant.Schema, built.Bytes, is64Bit);
                    while (reader.TryRead(out PayloadField field))
                    {
                        Assert.Equal(built.Offsets[variant.Schema.IndexOf(field.Schema.Name)], field.Offset);
                    }

                    Assert.True(reader.Extra.IsEmpty && !reader.IsCut, $"{provider.Name} {variant.Id} v{variant.Version}");
                    layouts++;
                }
            }
        }

        Assert.InRange(layouts, 2000, 4000);
    }
}
