using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Threading;
using TcpDiag.Analysis.Intake;
using TcpDiag.Fuzz.Tests.Segments;
using TcpDiag.Report.Dump;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Pcap;
using TcpDiag.Traces.Pcapng;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Fuzz.Tests;

/// <summary>Every reader of the product, with real and built inputs.</summary>
static class FuzzTargets
{
    const int SeedBytes = 64 << 10;

    /// <summary>The targets.</summary>
    public static IReadOnlyList<FuzzTarget> All { get; } =
    [
        new("packet", Frames(), ParsePacket),
        new("journal", JournalEntries(), DecodeJournal),
        new("pcapng", Pcapng(), input => ReadTrace(PcapngReader.Open(new MemoryTraceInput(input)))),
        new("pcap", [Pcap()], input => ReadTrace(PcapReader.Open(new MemoryTraceInput(input)))),
        new("etl", Etl(), input => ReadTrace(EtlTraceReader.Open(new MemoryTraceInput(input)))),
        new("etl-dump", Etl(), DumpEvents),
        new("etl-count", Etl(), CountEvents),
        new("description", DescriptionTarget.Seeds, DescriptionTarget.Read),
        new("analysis", [.. Pcapng(), Pcap()], AnalyzePackets),
        new("analysis-etl", Etl(), input => Analyze(EtlTraceReader.Open(new MemoryTraceInput(input)))),
        new("segments", SegmentScripts.All, SegmentTarget.Read),
        new("scores", SegmentScripts.All, ScoreTarget.Read),
        new("scores-packets", [.. Pcapng(), Pcap()], ScorePackets),
        new("redaction", [.. Pcapng(), Pcap(), .. Etl()], RedactionTarget.Read),
        new("file", Files(), ReadFile),
        new("bundle", BundleTarget.Bundles, BundleTarget.ReadBundle),
        new("manifest", BundleTarget.Manifests, BundleTarget.ReadManifest),
        new("snapshot", BundleTarget.Snapshots, BundleTarget.ReadSnapshot),
    ];

    static long ParsePacket(byte[] input)
    {
        long parsed = 0;
        var packet = default(ParsedPacket);
        foreach (LinkType link in Enum.GetValues<LinkType>())
        {
            parsed += PacketParser.TryParse(input, link, ref packet) ? 1 : 0;
        }

        return parsed;
    }

    static long ScorePackets(byte[] input)
    {
        using TraceReader reader = OpenPackets(input);
        return ScoreTarget.Score(reader, isRendered: false);
    }

    static long DecodeJournal(byte[] input) => JournalDecoder.TryDecode(input, new StackEvent()) ? 1 : 0;

    // Decodes payloads by the schemas of the trace's build, and writes them.
    static long DumpEvents(byte[] input)
    {
        using EtlFile file = EtlFile.Open(new MemoryTraceInput(input));
        using var output = new StringWriter();
        using (var dump = new EtlDump([file], new DumpFilter(), output, isJson: true))
        {
            dump.Run(CancellationToken.None);
        }

        return output.GetStringBuilder().Length > 0 ? 1 : 0;
    }

    static long CountEvents(byte[] input)
    {
        using EtlFile file = EtlFile.Open(new MemoryTraceInput(input));
        return EtlEventCounter.Count(file, threads: 1).Records;
    }

    static long AnalyzePackets(byte[] input) => Analyze(OpenPackets(input));

    static TraceReader OpenPackets(byte[] input)
    {
        bool isPcapng = input.AsSpan().StartsWith((ReadOnlySpan<byte>)[0x0A, 0x0D, 0x0D, 0x0A]);
        return isPcapng ? PcapngReader.Open(new MemoryTraceInput(input)) : PcapReader.Open(new MemoryTraceInput(input));
    }

    static long Analyze(TraceReader reader)
    {
        using (reader)
        {
            return TraceAnalyzer.Analyze(reader).Connections.Count;
        }
    }

    // By path, as commands do: format and compression are told by the first bytes.
    static long ReadFile(byte[] input)
    {
        string path = Path.Combine(Path.GetTempPath(), string.Create(CultureInfo.InvariantCulture, $"tcpdiag-fuzz-{Environment.ProcessId}.bin"));
        File.WriteAllBytes(path, input);
        try
        {
            return ReadTrace(TraceFile.Open(path));
        }
        finally
        {
            File.Delete(path);
        }
    }

    static long ReadTrace(TraceReader reader)
    {
        using (reader)
        {
            long records = 0;
            long parsed = 0;
            var record = default(TraceRecord);
            var packet = default(ParsedPacket);
            while (reader.TryRead(ref record))
            {
                records++;
                parsed += record.Kind == TraceRecordKind.Packet && PacketParser.TryParse(record.Data, record.LinkType, record.OriginalLength, ref packet) ? 1
                    : 0;
            }

            return Math.Max(parsed, Math.Max(records, reader.RecordsRead));
        }
    }

    static List<byte[]> Frames() =>
    [
        new FrameBuilder().Tcp(1234, 80).Flags(FrameBuilder.Syn).Mss(1460).SackPermitted().Timestamps(1, 0).TcpOptionBytes(1).WindowScale(7).Build(),
        new FrameBuilder().Vlan(5).Ip("2001:db8::1", "2001:db8::2").Ipv6Extension(0, 1, 4, 0, 0, 0, 0).Tcp(1, 2).Sack(10, 20, 30, 40).Payload(1, 2, 3).Build(),
        new FrameBuilder().Fragment(64, more: true).Ipv4Options(7, 3, 4).Tcp(1, 2).PayloadLength(24).Build(),
        new FrameBuilder().Udp(5353, 53).Payload(DnsResponse()).Build(),
        new FrameBuilder().RawIp().Tcp(443, 50000).PayloadLength(40).Build(),
    ];

    // A question and an answer for x.yz, the name in the answer a pointer to the question (RFC 1035 §4.1.4).
    static byte[] DnsResponse() =>
    [
        0, 1, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0, 1, (byte)'x', 2, (byte)'y', (byte)'z', 0, 0, 1, 0, 1,
        0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 10, 0, 0, 1,
    ];

    static List<byte[]> JournalEntries()
    {
        var entries = new List<byte[]>();
        foreach (StackEventKind kind in Enum.GetValues<StackEventKind>())
        {
            var stackEvent = new StackEvent { Tcb = 1, ProcessId = 2, Local = new Endpoint(IpAddress.FromIpv4(0x0A000001), 80), Text = "a\nb" };
            stackEvent.Reset(kind, new TraceTime(1_000_000_000), "test");
            foreach (StackField field in Enum.GetValues<StackField>())
            {
                stackEvent.Set(field, -1);
            }

            byte[] entry = new byte[JournalEncoder.MaxLength(stackEvent)];
            entries.Add(entry[..JournalEncoder.Encode(stackEvent, entry)]);
        }

        // The binary form of a field: name, length, bytes.
        entries.Add([.. entries[0][..^1], .. "OTHER\n\u0003\0\0\0\0\0\0\0a\nb\n\n"u8]);
        return entries;
    }

    static List<byte[]> Pcapng() =>
        [.. Directory.GetFiles(ProjectFolder.PathOf("tests", "fixtures"), "*.pcapng").Order(StringComparer.Ordinal).Select(Start),
            .. SharedTraces("pcap", "*.pcapng")];

    // Microseconds, little-endian, Ethernet (draft-ietf-opsawg-pcap §4), then a packet of each frame.
    static byte[] Pcap() =>
    [
        0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 1, 0, 0, 0,
        .. Frames().SelectMany(frame => (byte[])[1, 0, 0, 0, 2, 0, 0, 0, (byte)frame.Length, 0, 0, 0, (byte)frame.Length, 0, 0, 0, .. frame]),
    ];

    static List<byte[]> Etl() =>
        [.. EtlSeeds.Make(), .. SharedTraces("etl", "*.etl"), .. SharedTraces("etl", "*.zip"), .. SharedTraces("windows", "*.etl")];

    static List<byte[]> Files()
    {
        byte[] etl = EtlSeeds.Make()[0];
        return [Gzip(Pcap()), Zip("a.pcap", Pcap()), Gzip(etl), Zip("a.etl", etl), etl, Pcap()];
    }

    static byte[] Gzip(byte[] bytes)
    {
        using var packed = new MemoryStream();
        using (var gzip = new GZipStream(packed, CompressionLevel.Fastest))
        {
            gzip.Write(bytes);
        }

        return packed.ToArray();
    }

    static byte[] Zip(string name, byte[] bytes)
    {
        using var packed = new MemoryStream();
        using (var archive = new ZipArchive(packed, ZipArchiveMode.Create))
        {
            using Stream entry = archive.CreateEntry(name, CompressionLevel.Fastest).Open();
            entry.Write(bytes);
        }

        return packed.ToArray();
    }

    static IEnumerable<byte[]> SharedTraces(string folder, string pattern) => SharedFolder.Exists
        ? Directory.GetFiles(SharedFolder.PathOf("traces", folder), pattern, SearchOption.AllDirectories).Order(StringComparer.Ordinal).Select(Start)
        : [];

    // The beginning is enough: a cut file is a case of its own.
    static byte[] Start(string path)
    {
        using FileStream file = File.OpenRead(path);
        using ZipArchive? archive = path.EndsWith(".zip", StringComparison.Ordinal) ? new ZipArchive(file) : null;
        using Stream stream = archive is null ? file : archive.Entries[0].Open();
        byte[] bytes = new byte[SeedBytes];
        return bytes[..stream.ReadAtLeast(bytes, SeedBytes, throwOnEndOfStream: false)];
    }
}
