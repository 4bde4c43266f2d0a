using System;
using System.Linq;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.Schemas;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Traces.Tests.Schemas;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Traces.Tests.StackEvents;

public class WindowsStackEventDecoderTests
{
    static readonly TraceTime Now = new(42);

    public static TheoryData<int> Builds => [.. SchemaCatalog.Bundled.Builds.Select(build => build.Number)];

    /// <summary>Every event of the table, in every version, on every build, for both pointer sizes and address families.</summary>
    [Theory]
    [MemberData(nameof(Builds))]
    public void TryDecode_EveryEventOfABuild_GivesEveryMappedField(int build)
    {
        int buildIndex = SchemaCatalog.Bundled.IndexOfBuild(build);
        int checkedEvents = 0;
        foreach (StackEventMapping mapping in StackEventTable.All)
        {
            foreach (EventVariant variant in VariantsOf(mapping).Where(variant => variant.IsIn(buildIndex)))
            {
                foreach (bool is64Bit in (bool[])[true, false])
                {
                    Check(build, mapping, variant.Schema, is64Bit, isIpv6: false);
                    Check(build, mapping, variant.Schema, is64Bit, isIpv6: true);
                }

                checkedEvents++;
            }
        }

        Assert.InRange(checkedEvents, 100, 1000);
    }

    [Fact]
    public void All_EveryEvent_IsInSomeBuildOrClassic()
    {
        foreach (StackEventMapping mapping in StackEventTable.All)
        {
            bool isKnown = VariantsOf(mapping).Length > 0 || ClassicSchemas.Find(mapping.Provider, mapping.Id, 2) is not null;
            Assert.True(isKnown, $"{mapping.Provider} {mapping.Id}");
        }
    }

    [Fact]
    public void All_EveryNamedField_IsInSomeVersion()
    {
        foreach (StackEventMapping mapping in StackEventTable.All)
        {
            EventSchema[] schemas = SchemasOf(mapping);
            foreach (FieldMapping field in mapping.Fields.Where(
                _ => mapping.Provider != ClassicSchemas.TcpIp && mapping.Provider != StackEventTable.KernelNetwork))
            {
                Assert.True(schemas.Any(schema => schema.IndexOf(field.Name) >= 0), $"{mapping.Id} {field.Name}");
            }
        }
    }

    [Fact]
    public void TryDecode_1332OfEveryLength_KeepsWhatIsThere()
    {
        var decoder = new WindowsStackEventDecoder(26100);
        var target = new StackEvent();
        EventSchema schema = SchemaCatalog.Bundled.Find(26100, StackEventTable.Tcpip, 1332, 5, 112).Schema!;
        byte[] payload = PayloadBuilder.Build(schema, is64Bit: true).Bytes;
        for (int length = 0; length <= payload.Length; length++)
        {
            Assert.True(decoder.TryDecode(EtlRecordBytes.Event(StackEventTable.Tcpip, 1332, 5, payload[..length]), Now, target));
            Assert.Equal(length >= 12, target.Has(StackField.Cwnd));
            Assert.Equal(length >= 92, target.Local is not null);
            Assert.Equal(length >= 112, target.Remote is not null);
        }
    }

    [Fact]
    public void TryDecode_KernelTcpIpReceive_GivesBothEnds()
    {
        // PID 7, size 1000, daddr 1.2.3.4, saddr 10.0.0.1, dport 443, sport 50000, seqnum, connid
        byte[] payload = [7, 0, 0, 0, 0xE8, 3, 0, 0, 1, 2, 3, 4, 10, 0, 0, 1, 1, 0xBB, 0xC3, 0x50, .. new byte[12]];
        var target = new StackEvent();
        Assert.True(new WindowsStackEventDecoder(null).TryDecode(EtlRecordBytes.PerfInfo(6, 11, 2, payload), Now, target));
        Assert.Equal(StackEventKind.SegmentReceived, target.Kind);
        Assert.Equal("Kernel-TcpIp/RecvIPV4 v2", target.Source);
        Assert.Equal(7u, target.ProcessId);
        Assert.Equal("1.2.3.4:443", target.Remote.ToString());
        Assert.Equal("10.0.0.1:50000", target.Local.ToString());
        Assert.True(target.TryGet(StackField.Bytes, out long bytes));
        Assert.Equal(1000, bytes);
    }

    [Theory]
    [InlineData(2, true)]
    [InlineData(3, true)]
    [InlineData(4, true)]
    [InlineData(4, false)]
    public void TryDecode_ProcessStart_NamesTheProcess(byte version, bool is64Bit)
    {
        EventSchema schema = ClassicSchemas.Find(ClassicSchemas.Process, 1, version)!;
        PayloadBuilder built = PayloadBuilder.Build(schema, is64Bit);
        var target = new StackEvent();
        Assert.True(new WindowsStackEventDecoder(null).TryDecode(EtlRecordBytes.System(3, 1, version, built.Bytes, is64Bit), Now, target));
        Assert.Equal(StackEventKind.ProcessNamed, target.Kind);
        Assert.Equal((uint)built.Numbers[1], target.ProcessId);
        Assert.Equal($"text {schema.IndexOf("ImageFileName")}", target.Text);
    }

    [Theory]
    [InlineData(1084, 1)]
    [InlineData(1085, 2)]
    [InlineData(1086, 3)]
    public void TryDecode_BlackHoleDetection_GivesBothSegmentSizes(int id, int action)
    {
        // Tcb 9, BHMSS 536, OriginalMSS 1460, an empty TraceString
        byte[] payload = [9, 0, 0, 0, 0, 0, 0, 0, 0x18, 2, 0, 0, 0xB4, 5, 0, 0, 0, 0];
        var target = new StackEvent();
        Assert.True(new WindowsStackEventDecoder(22621).TryDecode(EtlRecordBytes.Event(StackEventTable.Tcpip, id, 0, payload), Now, target));
        Assert.Equal((StackEventKind.BlackHoleDetection, 9u), (target.Kind, target.Tcb));
        Assert.Equal((action, 536, 1460), (Value(target, StackField.Action), Value(target, StackField.BlackHoleMss), Value(target, StackField.OriginalMss)));
    }

    [Theory]
    [InlineData(0, StackEventKind.SendPosted)]
    [InlineData(1, StackEventKind.SendCompleted)]
    [InlineData(2, StackEventKind.None)]
    public void TryDecode_AfdSend_TellsEntryFromExit(byte enterExit, StackEventKind kind)
    {
        byte[] payload = [enterExit, 0, 0, 0, .. new byte[4], .. new byte[8], 9, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, .. new byte[8], 5, 0, 0, 0, 0, 0, 0, 0];
        var target = new StackEvent();
        bool isDecoded = new WindowsStackEventDecoder(22621).TryDecode(EtlRecordBytes.Event(StackEventTable.Afd, 1003, 0, payload), Now, target);
        Assert.Equal(kind != StackEventKind.None, isDecoded);
        Assert.Equal(kind, target.Kind);
        Assert.Equal(isDecoded, target.TryGet(StackField.Bytes, out long bytes));
        Assert.Equal(isDecoded ? 5 : 0, bytes);
        Assert.Equal(isDecoded ? 4711u : null, target.ProcessId);
    }

    [Fact]
    public void TryDecode_OtherEvents_AreRefused()
    {
        var decoder = new WindowsStackEventDecoder(22621);
        var target = new StackEvent();
        Assert.False(decoder.TryDecode(EtlRecordBytes.Event(StackEventTable.Tcpip, 1001, 0, new byte[64]), Now, target));
        Assert.False(decoder.TryDecode(EtlRecordBytes.Event(Guid.NewGuid(), 1332, 0, new byte[64]), Now, target));
        Assert.False(decoder.TryDecode(EtlRecordBytes.PerfInfo(15, 46, 2, new byte[16]), Now, target));
    }

    [Fact]
    public void TryDecode_SecondEventOfALayout_AllocatesNothing()
    {
        var decoder = new WindowsStackEventDecoder(26100);
        var target = new StackEvent();
        EventSchema schema = SchemaCatalog.Bundled.Find(26100, StackEventTable.Tcpip, 1332, 5, 112).Schema!;
        EtlRecord record = EtlRecordBytes.Event(StackEventTable.Tcpip, 1332, 5, PayloadBuilder.Build(schema, is64Bit: true).Bytes);
        decoder.TryDecode(record, Now, target);

        long before = GC.GetAllocatedBytesForCurrentThread();
        bool isDecoded = true;
        for (int i = 0; i < 10_000; i++)
        {
            isDecoded &= decoder.TryDecode(record, Now, target);
        }

        // Whole bytes per event: now and then the runtime allocates a little for itself, while it recompiles.
        Assert.Equal(0, (GC.GetAllocatedBytesForCurrentThread() - before) / 10_000);
        Assert.True(isDecoded);
    }

    static long? Value(StackEvent stackEvent, StackField field) => stackEvent.TryGet(field, out long value) ? value : null;

    static EventVariant[] VariantsOf(StackEventMapping mapping) =>
        SchemaCatalog.Bundled.Provider(mapping.Provider)?.WithId(mapping.Id).ToArray() ?? [];

    static EventSchema[] SchemasOf(StackEventMapping mapping)
    {
        EventSchema[] bundled = [.. VariantsOf(mapping).Select(variant => variant.Schema)];
        return bundled.Length > 0 ? bundled : [ClassicSchemas.Find(mapping.Provider, mapping.Id, 4)!];
    }

    static void Check(int build, StackEventMapping mapping, EventSchema schema, bool is64Bit, bool isIpv6)
    {
        PayloadBuilder built = PayloadBuilder.Build(schema, is64Bit, isIpv6);
        byte[] payload = built.Bytes;
        if (mapping.HasExit)
        {
            payload[0] = 1;
            payload[3] = 0;
            payload[2] = 0;
        }

        var target = new StackEvent();
        EtlRecord record = EtlRecordBytes.Event(mapping.Provider, mapping.Id, schema.Version, payload, is64Bit);
        Assert.True(new WindowsStackEventDecoder(build).TryDecode(record, Now, target), $"{mapping.Id}");
        Assert.Equal(mapping.HasExit ? mapping.KindAtExit : mapping.Kind, target.Kind);
        foreach ((StackField field, long value) in mapping.Constants)
        {
            Assert.True(target.TryGet(field, out long constant));
            Assert.Equal(value, constant);
        }

        for (int i = 0; i < schema.Fields.Length; i++)
        {
            CheckField(mapping, schema, built, target, i, isIpv6);
        }
    }

    static void CheckField(StackEventMapping mapping, EventSchema schema, PayloadBuilder built, StackEvent target, int index, bool isIpv6)
    {
        string name = schema.Fields[index].Name;
        FieldMapping[] own = [.. mapping.Fields.Where(field => field.Name.Equals(name, StringComparison.Ordinal))];
        bool isNumber = built.Numbers.TryGetValue(index, out long value) && !schema.Fields.ToArray().Any(field => field.Length == FieldLength.In(index));
        if (name is "Tcb")
        {
            Assert.Equal((ulong)value, target.Tcb);
        }
        else if (name is "LocalAddress" or "LocalSockAddr" or "RemoteAddress" or "RemoteSockAddr")
        {
            Endpoint? end = name.StartsWith("Local", StringComparison.Ordinal) ? target.Local : target.Remote;
            Assert.Equal(isIpv6 ? $"[2001:db8::{index:x}]:{1000 + index}" : $"10.0.0.{index}:{1000 + index}", end.ToString());
        }
        else if (isNumber && name is "Pid" or "PID" or "ProcessId")
        {
            Assert.Equal((uint)value, target.ProcessId);
        }
        else if (isNumber && (own.Length > 0 || CommonFieldNames.Numbers.ContainsKey(name)))
        {
            FieldMapping field = own.Length > 0 ? own[0] : CommonFieldNames.Numbers[name];
            Assert.True(target.TryGet(field.Field, out long read), $"{mapping.Id} v{schema.Version} {name}");
            Assert.Equal(schema.Fields[index].InType == InType.Int32 ? (int)value * field.Factor : value * field.Factor, read);
        }
        else if (name.Equals(mapping.TextField, StringComparison.Ordinal))
        {
            Assert.Equal($"text {index}", target.Text);
        }
    }
}
