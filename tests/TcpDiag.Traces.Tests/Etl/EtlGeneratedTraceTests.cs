using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using TcpDiag.Testing;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Etl.Records;
using Xunit;

namespace TcpDiag.Traces.Tests.Etl;

/// <summary>The traces of ../shared/traces/windows, made by an independent writer, against their truth.json.</summary>
public class EtlGeneratedTraceTests
{
    static readonly Dictionary<string, string> Guids = new(StringComparer.Ordinal)
    {
        ["Microsoft-Windows-TCPIP"] = "2f07e2ee-15db-40f1-90ef-9d7ba282188a",
        ["Microsoft-Windows-NDIS-PacketCapture"] = "2ed6006e-4729-4609-b423-3ee7bcd678ef",
        ["Microsoft-Windows-PktMon"] = "4d4f80d9-c8bd-4d73-bb5b-19c90402c5ac",
    };

    public static TheoryData<string> Files => EtlSamples.Generated;

    [SharedTheory]
    [MemberData(nameof(Files))]
    public void Count_GeneratedFile_GivesTheTruth(string name)
    {
        using JsonDocument truth = ReadTruth(name);
        using EtlFile file = EtlSamples.Open(EtlSamples.ReadGenerated(name));
        EtlEventCounts counts = EtlEventCounter.Count(file);
        var actual = counts.Events
            .Where(entry => entry.HeaderType == EtlHeaderType.Event)
            .ToDictionary(entry => $"{entry.Provider} {entry.Id} {entry.Version}", entry => entry.Count, StringComparer.Ordinal);
        Assert.Equal(ExpectedEvents(truth).OrderBy(pair => pair.Key, StringComparer.Ordinal), actual.OrderBy(pair => pair.Key, StringComparer.Ordinal));
        Assert.Equal(truth.RootElement.GetProperty("records").GetInt64(), counts.Records);
        Assert.Equal(Number(truth, "lastRecordFiletime"), file.Clock.ToTime(counts.LastTicks).ToFileTime());
        Assert.Empty(file.Problems);
    }

    [SharedTheory]
    [MemberData(nameof(Files))]
    public void Open_GeneratedFile_TellsItsHeader(string name)
    {
        using JsonDocument truth = ReadTruth(name);
        using EtlFile file = EtlSamples.Open(EtlSamples.ReadGenerated(name));
        Assert.Equal(Number(truth, "build"), file.Header.Build);
        Assert.Equal(Number(truth, "pointerSize"), file.Header.PointerSize);
        Assert.Equal(Number(truth, "sessionBufferSize"), file.Header.BufferSize);
        Assert.Equal(Number(truth, "buffersInFile"), file.BufferCount);
        Assert.Equal(Number(truth, "headerBuffersWritten"), file.Header.BuffersWritten);
        Assert.Equal(Number(truth, "processors"), file.Header.Processors);
        Assert.Equal(Number(truth, "clockType"), (long)file.Clock.Type);
        Assert.Equal(Number(truth, "perfFreq"), file.Clock.Frequency);
        Assert.Equal(Number(truth, "startUtcFiletime"), file.Header.StartFileTime);
        Assert.Equal(Number(truth, "logFileMode"), (long)file.Header.LogFileMode);
        Assert.Equal(Number(truth, "lostEvents"), file.Header.EventsLost);
        Assert.Equal(Number(truth, "lostBuffers"), file.Header.BuffersLost);
        Assert.Equal(truth.RootElement.GetProperty("sequenceNumbersMissing").GetArrayLength(), file.MissingBuffers);
        Assert.Equal(truth.RootElement.GetProperty("closed").GetBoolean(), file.Header.IsClosed);
    }

    [SharedTheory]
    [MemberData(nameof(Files))]
    public void Read_GeneratedFileInTimeOrder_EqualsAPlainSort(string name)
    {
        using EtlFile file = EtlSamples.Open(EtlSamples.ReadGenerated(name));
        Assert.Equal(EtlRecordPosition.Sorted(file), EtlRecordPosition.List(file, EtlReadOrder.Time));
    }

    static Dictionary<string, long> ExpectedEvents(JsonDocument truth) => truth.RootElement.GetProperty("providers").EnumerateObject()
        .SelectMany(provider => provider.Value.GetProperty("events").EnumerateArray().Select(entry => (
            Key: $"{Guids.GetValueOrDefault(provider.Name, provider.Name)} {entry.GetProperty("id").GetInt32()} {entry.GetProperty("version").GetInt32()}",
            Count: entry.GetProperty("count").GetInt64())))
        .ToDictionary(pair => pair.Key, pair => pair.Count, StringComparer.Ordinal);

    static JsonDocument ReadTruth(string name) =>
        JsonDocument.Parse(File.ReadAllText(SharedFolder.PathOf("traces", "windows", name, "truth.json")));

    static long Number(JsonDocument truth, string property) => truth.RootElement.GetProperty(property).GetInt64();
}
