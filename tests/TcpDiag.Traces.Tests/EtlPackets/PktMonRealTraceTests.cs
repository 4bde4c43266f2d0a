using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Testing;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Tests.Etl;
using Xunit;

namespace TcpDiag.Traces.Tests.EtlPackets;

/// <summary>A trace that pktmon wrote on Windows Server 2022 (build 20348), against the counts of an independent parser.</summary>
public class PktMonRealTraceTests
{
    const string Trace = "demikernel-20348.etl";
    static readonly string TracePath = SharedFolder.PathOf("traces", "pktmon", Trace);

    [SharedFact]
    public void Count_Build20348_GivesTheOraclesRecordsPerProvider()
    {
        using EtlFile file = EtlSamples.Open(File.ReadAllBytes(TracePath));
        EtlEventCounts counts = EtlEventCounter.Count(file);

        IEnumerable<string> expected = File.ReadLines(SharedFolder.PathOf("traces", "pktmon", "oracle.tsv")).Skip(1)
            .Select(line => line.Split('\t')).Select(row => $"{row[1]} {row[2]}");
        IEnumerable<string> actual = counts.Events.GroupBy(entry => entry.Provider)
            .Select(group => string.Create(CultureInfo.InvariantCulture, $"{group.Key} {group.Sum(entry => entry.Count)}"));
        Assert.Equal(expected.Order(StringComparer.Ordinal), actual.Order(StringComparer.Ordinal));
        Assert.Equal(467, counts.Records);
        Assert.Equal(20348u, file.Header.Build);
        Assert.Empty(file.Problems);
    }

    [SharedFact]
    public void Open_Build20348_GivesThePacketsOfFourComponents()
    {
        using TraceReader reader = TraceFile.Open(TracePath);
        List<ReadRecord> packets = [.. ReadRecords.All(reader).Where(record => record.Kind == TraceRecordKind.Packet)];

        Assert.Equal(114, packets.Count);
        Assert.Equal(
            ["component 50 19", "mlx5.sys 19", "netvsc.sys 38", "xdp.sys 38"],
            reader.Interfaces.Select(made => string.Create(CultureInfo.InvariantCulture, $"{made.Name} {made.Packets}")).Order(StringComparer.Ordinal));
        Assert.Empty(reader.Problems);
    }
}
