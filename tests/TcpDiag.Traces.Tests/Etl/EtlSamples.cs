using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.IO.Compression;
using System.Linq;
using TcpDiag.Testing;
using TcpDiag.Traces.Etl;
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
