using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using TcpDiag.Testing;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.Input;
using TcpDiag.Traces.Schemas;
using TcpDiag.Traces.StackEvents;
using Xunit;

namespace TcpDiag.Traces.Tests.Schemas;

/// <summary>Real and realistic traces, decoded whole.</summary>
public class TraceSchemaTests
{
    static readonly Guid DotNet = new("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4");
    static readonly Guid PerfView = new("a8a71ac1-040f-54a2-07ca-00a89b5ab761");

    [SharedTheory]
    [InlineData("AMSITrace.etl", 19)]
    [InlineData("SelfDescribingSingleEvent.etl", 1)]
    [InlineData("lxcore_kernel.etl", 2)]
    [InlineData("primitive-types.etl.zip", 5)]
    public void Find_TraceLogging_DecodesToTheLastByte(string name, int events)
    {
        using EtlFile file = EtlFile.Open(TraceInputs.OpenSeekable(SharedFolder.PathOf("traces", "etl", name)));
        var finder = new EventSchemaFinder((int)file.Header.Build, InFileSchemaReader.Read(file));
        using EtlRecordCursor cursor = file.Read(EtlReadOrder.Time);
        var record = default(EtlRecord);
        int decoded = 0;
        while (cursor.TryRead(ref record))
        {
            if (record.HeaderType == EtlHeaderType.Event)
            {
                SchemaMatch match = finder.Find(record);
                Assert.Equal(SchemaMatchKind.InFile, match.Kind);
                AssertWhole(match.Schema!, record);
                decoded++;
            }
        }

        Assert.Equal(events, decoded);
    }

    /// <summary>Every event that a schema of the trace describes, to the last byte: merged-in descriptions and manifests of event sources.</summary>
    [SharedFact]
    public void Find_MergedTrace_DecodesWhatItDescribesToTheLastByte()
    {
        using EtlFile file = EtlFile.Open(TraceInputs.OpenSeekable(SharedFolder.PathOf("traces", "etl", "net.4.5.2.x64.etl.zip")));
        InFileSchemas inFile = InFileSchemaReader.Read(file);
        var finder = new EventSchemaFinder((int)file.Header.Build, inFile);
        using EtlRecordCursor cursor = file.Read(EtlReadOrder.Time);
        var record = default(EtlRecord);
        var decoded = new Dictionary<(Guid, int, int), int>();
        while (cursor.TryRead(ref record))
        {
            SchemaMatch match = finder.Find(record);
            if (match.Kind == SchemaMatchKind.InFile)
            {
                // PerfView wrote 8 bytes for an enumeration that its manifest says has 4: two events have 4 bytes to spare.
                AssertWhole(match.Schema!, record, extra: record.Provider == PerfView && record.Id == 13 ? 4 : 0);
                var key = (record.Provider, record.IsClassic ? record.Opcode : record.Id, record.Version);
                decoded[key] = decoded.GetValueOrDefault(key) + 1;
            }
        }

        // Counts of oracle.tsv; 82 is .NET's stack, 22 an event of PerfView's event source.
        Assert.Equal(10_382, decoded[(DotNet, 10, 3)]);
        Assert.Equal(14_983, decoded[(DotNet, 82, 0)]);
        Assert.Equal(53, decoded[(PerfView, 22, 0)]);
        Assert.InRange(decoded.Values.Sum(), 60_000, 70_000);
    }

    [SharedTheory]
    [InlineData("sample-22621-netsh", "sample-22621-netsh.etl")]
    [InlineData("sample-19041-netsh-rundown", "sample-19041-netsh-rundown.etl.zip")]
    [InlineData("sample-26100-pktmon", "sample-26100-pktmon.etl")]
    public void TryDecode_WindowsTrace_AgreesWithItsTruth(string folder, string name)
    {
        string path = SharedFolder.PathOf("traces", "windows", folder, name);
        using EtlFile file = EtlFile.Open(TraceInputs.OpenSeekable(path));
        var schemas = new EventSchemaFinder((int)file.Header.Build, new InFileSchemas());
        var decoder = new WindowsStackEventDecoder((int)file.Header.Build);
        var sums = new Dictionary<ulong, Sums>();
        var target = new StackEvent();
        using EtlRecordCursor cursor = file.Read(EtlReadOrder.Time);
        var record = default(EtlRecord);
        while (cursor.TryRead(ref record))
        {
            if (record.Provider != StackEventTable.Tcpip)
            {
                continue;
            }

            SchemaMatch match = schemas.Find(record);
            AssertWhole(match.Schema!, record);
            Assert.True(decoder.TryDecode(record, file.Clock.ToTime(record.Ticks), target), $"{record.Id} v{record.Version}");
            if (target.Tcb != 0)
            {
                sums[target.Tcb] = sums.GetValueOrDefault(target.Tcb).Add(target);
            }
        }

        AssertTruth(SharedFolder.PathOf("traces", "windows", folder, "truth.json"), sums);
    }

    static void AssertWhole(EventSchema schema, in EtlRecord record, int extra = 0)
    {
        var reader = new PayloadReader(schema, record.Payload, record.Is64Bit);
        while (reader.TryRead(out _))
        {
            continue;
        }

        Assert.False(reader.IsCut);
        Assert.Equal(extra, reader.Extra.Length);
    }

    static void AssertTruth(string path, Dictionary<ulong, Sums> sums)
    {
        using JsonDocument truth = JsonDocument.Parse(File.ReadAllText(path));
        foreach (JsonElement connection in truth.RootElement.GetProperty("connections").EnumerateArray())
        {
            Sums sum = sums[Convert.ToUInt64(connection.GetProperty("tcb").GetString(), 16)];
            JsonElement expected = connection.GetProperty("fromEvents");
            Assert.Equal(NumberOf(expected, "sends"), sum.Sends);
            Assert.Equal(NumberOf(expected, "bytesSentSum"), sum.Bytes);
            Assert.Equal(NumberOf(expected, "minCwndBytes"), sum.MinCwnd);
            Assert.Equal(NumberOf(expected, "maxCwndBytes"), sum.MaxCwnd);
            Assert.Equal(NumberOf(expected, "dsackCountSum"), sum.Dsacks);
        }

        Assert.True(truth.RootElement.GetProperty("connections").EnumerateArray().Any());
    }

    // What no event told is null.
    static long NumberOf(JsonElement element, string name) =>
        element.GetProperty(name) is { ValueKind: JsonValueKind.Number } number ? number.GetInt64() : 0;

    readonly record struct Sums(long Sends, long Bytes, long MinCwnd, long MaxCwnd, long Dsacks)
    {
        public Sums Add(StackEvent told)
        {
            told.TryGet(StackField.DsackCount, out long dsacks);
            Sums sum = this with { Dsacks = Dsacks + dsacks };
            if (told.Kind != StackEventKind.SegmentSent)
            {
                return sum;
            }

            told.TryGet(StackField.Bytes, out long bytes);
            told.TryGet(StackField.Cwnd, out long cwnd);
            return sum with
            {
                Sends = Sends + 1,
                Bytes = Bytes + bytes,
                MinCwnd = Sends == 0 ? cwnd : Math.Min(MinCwnd, cwnd),
                MaxCwnd = Math.Max(MaxCwnd, cwnd),
            };
        }
    }
}
