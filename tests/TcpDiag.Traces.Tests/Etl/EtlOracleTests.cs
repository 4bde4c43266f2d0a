using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Testing;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Etl.Records;
using Xunit;

namespace TcpDiag.Traces.Tests.Etl;

/// <summary>Every real trace against what an independent parser, and Windows itself, found in it.</summary>
public class EtlOracleTests
{
    public static TheoryData<string> Files => EtlSamples.Real;

    [SharedTheory]
    [MemberData(nameof(Files))]
    public void Count_RealFile_GivesTheOraclesHistogram(string name)
    {
        using EtlFile file = EtlSamples.OpenReal(name);
        EtlEventCounts counts = EtlEventCounter.Count(file);
        var expected = EtlSamples.Oracle("oracle.tsv", name)
            .Select(row => string.Join(' ', row["provider_guid"], row["event_id"], row["version"], row["count"]))
            .Order(StringComparer.Ordinal);
        var actual = counts.Events
            .GroupBy(entry => (entry.Provider, entry.Id, entry.Version))
            .Select(group => string.Create(
                CultureInfo.InvariantCulture, $"{group.Key.Provider} {group.Key.Id} {group.Key.Version} {group.Sum(entry => entry.Count)}"))
            .Order(StringComparer.Ordinal);
        Assert.Equal(expected, actual);
        Assert.Equal(EtlSamples.Oracle("oracle-files.tsv", name).Single().Number("records"), counts.Records);
        Assert.Equal(0, counts.UncountedRecords);
        Assert.Empty(file.Problems);
    }

    [SharedTheory]
    [MemberData(nameof(Files))]
    public void Read_RealFileInFileOrder_GivesTheOraclesTotals(string name)
    {
        IReadOnlyDictionary<string, string> oracle = EtlSamples.Oracle("oracle-files.tsv", name).Single();
        using EtlFile file = EtlSamples.OpenReal(name);
        EtlTotals totals = EtlTotals.Of(file, EtlReadOrder.File);
        Assert.Equal(oracle.Number("buffers"), file.BufferCount);
        Assert.Equal(oracle.Number("compressed_buffers"), file.CompressedBufferCount);
        Assert.Equal(0, file.MissingBuffers);
        Assert.Equal(oracle.Number("records"), totals.Records);
        Assert.Equal(oracle.Number("system"), totals.By(EtlHeaderType.System));
        Assert.Equal(oracle.Number("compact"), totals.By(EtlHeaderType.Compact));
        Assert.Equal(oracle.Number("perfinfo"), totals.By(EtlHeaderType.PerfInfo));
        Assert.Equal(oracle.Number("full_header"), totals.By(EtlHeaderType.Full));
        Assert.Equal(oracle.Number("instance"), totals.By(EtlHeaderType.Instance));
        Assert.Equal(oracle.Number("event_header"), totals.By(EtlHeaderType.Event));
        Assert.Equal(oracle.Number("message"), totals.By(EtlHeaderType.Message));
        Assert.Equal(oracle.Number("extended_items"), totals.ExtendedItems);
        Assert.Equal(oracle.Number("payload_bytes"), totals.PayloadBytes);
        Assert.Equal(oracle["payload_crc32_file_order"], totals.PayloadCrc.ToString("x8", CultureInfo.InvariantCulture));
        Assert.Equal(oracle.Number("first_filetime"), file.Clock.ToTime(totals.FirstTicks).ToFileTime());
        Assert.Equal(oracle.Number("last_filetime"), file.Clock.ToTime(totals.LastTicks).ToFileTime());
    }

    [SharedTheory]
    [MemberData(nameof(Files))]
    public void Read_RealFileInTimeOrder_EqualsAPlainSort(string name)
    {
        using EtlFile file = EtlSamples.OpenReal(name);
        List<EtlRecordPosition> expected = EtlRecordPosition.Sorted(file);
        Assert.Equal(expected, EtlRecordPosition.List(file, EtlReadOrder.Time));
    }

    [SharedTheory]
    [InlineData("gcevents.etl.zip")]
    [InlineData("net.4.5.2.x64.etl.zip")]
    [InlineData("primitive-types.etl.zip")]
    public void Read_RealFile_HoldsTheEventsThatWindowsDecoded(string name)
    {
        using EtlFile file = EtlSamples.OpenReal(name);
        var found = new HashSet<(string Milliseconds, int Processor, int PayloadLength)>();
        using EtlRecordCursor cursor = file.Read(EtlReadOrder.Time);
        var record = default(EtlRecord);
        while (cursor.TryRead(ref record))
        {
            // The table rounds to a microsecond; which way a half goes is not known, so both neighbours count.
            long ticks = record.Ticks - file.Header.StartTicks;
            decimal milliseconds = ticks * 1000m / file.Clock.Frequency;
            found.Add((Round(milliseconds - 0.0001m), record.Processor, record.Payload.Length));
            found.Add((Round(milliseconds + 0.0001m), record.Processor, record.Payload.Length));
        }

        foreach (IReadOnlyDictionary<string, string> row in EtlSamples.Oracle("oracle-windows.tsv", name))
        {
            var expected = (row["msec_since_header"], (int)row.Number("processor"), (int)row.Number("payload_len"));
            Assert.True(found.Contains(expected), $"{row["name"]} at {expected} is missing");
        }
    }

    static string Round(decimal milliseconds) =>
        Math.Round(milliseconds, 3, MidpointRounding.AwayFromZero).ToString("0.000", CultureInfo.InvariantCulture);
}
