using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.IO.Compression;
using System.Linq;
using TcpDiag.Testing;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Etl.Records;
using Xunit;

namespace TcpDiag.Traces.Tests.Etl;

/// <summary>The real traces of ../shared/traces and their oracles.</summary>
static class EtlSamples
{
    internal static TheoryData<string> Real { get; } =
    [
        "AMSITrace.etl", "SelfDescribingSingleEvent.etl", "gcevents.etl.zip", "lxcore_kernel.etl", "net.4.5.2.x64.etl.zip", "primitive-types.etl.zip",
    ];

    internal static TheoryData<string> Generated { get; } =
    [
        "sample-19041-netsh-rundown", "sample-22621-netsh", "sample-26100-pktmon",
    ];

    /// <summary>The .etl bytes of a real trace, unzipped.</summary>
    internal static byte[] ReadReal(string name) => Read(SharedFolder.PathOf("traces", "etl", name));

    /// <summary>The .etl bytes of a generated trace, unzipped.</summary>
    internal static byte[] ReadGenerated(string name)
    {
        string path = SharedFolder.PathOf("traces", "windows", name, name + ".etl");
        return Read(File.Exists(path) ? path : path + ".zip");
    }

    internal static EtlFile OpenReal(string name) => Open(ReadReal(name));

    internal static EtlFile Open(byte[] bytes) => EtlFile.Open(new MemoryTraceInput(bytes));

    /// <summary>The rows of an oracle table that concern a file, by column name.</summary>
    internal static IEnumerable<IReadOnlyDictionary<string, string>> Oracle(string table, string file)
    {
        string[][] rows = [.. File.ReadLines(SharedFolder.PathOf("traces", "etl", table)).Select(line => line.Split('\t'))];
        return rows.Skip(1).Where(row => string.Equals(row[0], file, StringComparison.Ordinal))
            .Select(row => rows[0].Zip(row).ToDictionary(pair => pair.First, pair => pair.Second, StringComparer.Ordinal));
    }

    internal static long Number(this IReadOnlyDictionary<string, string> row, string column) =>
        long.Parse(row[column], CultureInfo.InvariantCulture);

    static byte[] Read(string path)
    {
        if (!path.EndsWith(".zip", StringComparison.Ordinal))
        {
            return File.ReadAllBytes(path);
        }

        using ZipArchive archive = ZipFile.OpenRead(path);
        ZipArchiveEntry entry = archive.Entries.Single(candidate => candidate.Name.EndsWith(".etl", StringComparison.Ordinal));
        using Stream stream = entry.Open();
        var bytes = new byte[entry.Length];
        stream.ReadExactly(bytes);
        return bytes;
    }
}

/// <summary>What all records of a file add up to.</summary>
sealed class EtlTotals
{
    readonly long[] _byHeaderType = new long[Enum.GetValues<EtlHeaderType>().Length];
    uint _crc = uint.MaxValue;

    internal long Records => _byHeaderType.Sum();

    internal long ExtendedItems { get; private set; }

    internal long PayloadBytes { get; private set; }

    internal long FirstTicks { get; private set; } = long.MaxValue;

    internal long LastTicks { get; private set; } = long.MinValue;

    /// <summary>CRC-32 of all payloads, one after the other.</summary>
    internal uint PayloadCrc => ~_crc;

    internal static EtlTotals Of(EtlFile file, EtlReadOrder order, bool withPayload = true)
    {
        var totals = new EtlTotals();
        using EtlRecordCursor cursor = file.Read(order);
        var record = default(EtlRecord);
        while (cursor.TryRead(ref record))
        {
            totals.Add(record, withPayload);
        }

        return totals;
    }

    internal long By(EtlHeaderType type) => _byHeaderType[(int)type];

    void Add(scoped EtlRecord record, bool withPayload)
    {
        _byHeaderType[(int)record.HeaderType]++;
        PayloadBytes += record.Payload.Length;
        FirstTicks = Math.Min(FirstTicks, record.Ticks);
        LastTicks = Math.Max(LastTicks, record.Ticks);
        foreach (EtlExtendedItem item in new EtlExtendedItems(record.ExtendedData))
        {
            ExtendedItems += item.Type == EtlExtendedItemType.None ? 0 : 1;
        }

        foreach (byte value in withPayload ? record.Payload : default)
        {
            _crc ^= value;
            for (int bit = 0; bit < 8; bit++)
            {
                // Reflected polynomial of ISO 3309.
                _crc = (_crc >> 1) ^ ((_crc & 1) * 0xEDB8_8320);
            }
        }
    }
}

/// <summary>Which record of a file, and what it is sorted by.</summary>
readonly record struct EtlRecordPosition(long Ticks, long BufferOffset, int OffsetInBuffer, int Processor, int Length)
{
    internal static List<EtlRecordPosition> List(EtlFile file, EtlReadOrder order)
    {
        var places = new List<EtlRecordPosition>();
        using EtlRecordCursor cursor = file.Read(order);
        var record = default(EtlRecord);
        while (cursor.TryRead(ref record))
        {
            places.Add(new EtlRecordPosition(record.Ticks, record.BufferOffset, record.OffsetInBuffer, record.Processor, record.Bytes.Length));
        }

        return places;
    }

    /// <summary>All records, sorted by time stamp, sequence number of the buffer, and place in the file.</summary>
    internal static List<EtlRecordPosition> Sorted(EtlFile file)
    {
        Dictionary<long, long> sequence = file.Entries.ToDictionary(entry => entry.Offset, entry => entry.SequenceNumber);
        return
        [
            .. List(file, EtlReadOrder.File)
                .OrderBy(place => place.Ticks)
                .ThenBy(place => sequence[place.BufferOffset])
                .ThenBy(place => place.BufferOffset)
                .ThenBy(place => place.OffsetInBuffer),
        ];
    }
}

/// <summary>Orders byte arrays by content, to compare sets of records.</summary>
sealed class ByteOrder : IComparer<byte[]>
{
    internal static ByteOrder Instance { get; } = new();

    public int Compare(byte[]? x, byte[]? y) => x.AsSpan().SequenceCompareTo(y);
}
