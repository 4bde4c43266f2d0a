using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Text;
using System.Threading;
using TcpDiag.Redaction;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Traces.Bundles;
using TcpDiag.Traces.Inspection;

namespace TcpDiag.Fuzz.Tests;

/// <summary>Bundles, and the documents in them, as every command meets them: inspected, then redacted; what comes of a redaction must open.</summary>
static class BundleTarget
{
    static readonly RedactionKey Key = RedactionKey.TryParse(new string('5', 64), out RedactionKey? key) ? key! : throw new InvalidOperationException("no key");

    static readonly SystemSnapshot Snapshot = new(SystemSnapshot.SchemaName, DateTimeOffset.UnixEpoch, "Windows 10.0.26100", [
        new("tcp-templates", "CIM", 12, null, [new("Internet", "AutoTuningLevelLocal", "1"), new("Internet", "CongestionProvider", "CUBIC")]),
        new("dns", "CIM", 3, "no end within 2 s", [new("Ethernet 2", "ServerAddresses", "10.0.0.53 fd00::53")]),
    ]);

    /// <summary>Whole bundles: a damaged byte is most often one of the zip, or makes a hash wrong.</summary>
    public static IReadOnlyList<byte[]> Bundles { get; } = [Bundle(null, null), Bundle(null, null, isCut: true)];

    /// <summary>Manifests; the zip around them is whole.</summary>
    public static IReadOnlyList<byte[]> Manifests { get; } = [Entry(Bundles[0], BundleManifest.FileName)];

    /// <summary>Snapshots; zip and manifest around them are whole.</summary>
    public static IReadOnlyList<byte[]> Snapshots { get; } = [SnapshotJson.ToBytes(Snapshot)];

    /// <summary>Reads a bundle.</summary>
    /// <param name="input">The bundle.</param>
    public static long ReadBundle(byte[] input) => Read(input);

    /// <summary>Reads a bundle with this manifest.</summary>
    /// <param name="input">The manifest.</param>
    public static long ReadManifest(byte[] input) => Read(Bundle(null, input));

    /// <summary>Reads a bundle with this snapshot.</summary>
    /// <param name="input">The snapshot.</param>
    public static long ReadSnapshot(byte[] input) => Read(Bundle(input, null));

    static long Read(byte[] bundle)
    {
        string path = Path.Combine(Path.GetTempPath(), string.Create(CultureInfo.InvariantCulture,
            $"tcpdiag-fuzz-{Environment.ProcessId}{BundleWriter.Extension}"));
        string redacted = path + ".redacted";
        File.WriteAllBytes(path, bundle);
        try
        {
            TraceInspection trace = TraceInspector.Inspect(path);
            Redact(path, redacted);
            return Math.Max(1, trace.Records + (trace.Bundle?.FailedSections.Count ?? 0));
        }
        finally
        {
            File.Delete(path);
            File.Delete(redacted);
        }
    }

    static void Redact(string path, string redacted)
    {
        using var names = new Pseudonyms(Key);
        IReadOnlyList<TraceProblem> problems;
        using (FileStream output = File.Create(redacted))
        {
            problems = TraceRedactor.Redact(names, path, output, CancellationToken.None);
        }

        if (problems.Count == 0 && TraceBundle.ReadManifest(path) is not null && TraceInspector.Inspect(redacted).Bundle is not { Problems: [] })
        {
            throw new InvalidOperationException("the redacted bundle is damaged");
        }
    }

    // A trace, a snapshot, a journal and the manifest, as a recorder writes them; the manifest is replaced by another one at the end.
    static byte[] Bundle(byte[]? snapshot, byte[]? manifest, bool isCut = false)
    {
        using var packed = new MemoryStream();
        using (var bundle = new BundleWriter(packed))
        {
            bundle.Add("trace.pcapng", BundleManifest.TraceKind, new MemoryStream(File.ReadAllBytes(ProjectFolder.Fixture("reset.pcapng"))));
            bundle.Add(BundleManifest.SnapshotName, BundleManifest.SnapshotKind, new MemoryStream(snapshot ?? SnapshotJson.ToBytes(Snapshot)));
            bundle.Add(BundleManifest.JournalName, BundleManifest.JournalKind,
                new MemoryStream(Encoding.UTF8.GetBytes("{\"step\":\"Starting\",\"detail\":\"netsh trace start capture=yes\"}\n")));
            bundle.Complete(BundleWriter.Describe("netsh", "tcp host 10.0.0.1", "time is up",
                ["netsh cannot filter by port: packets of all ports are recorded"], DateTimeOffset.UnixEpoch));
        }

        byte[] bytes = packed.ToArray();
        return isCut ? bytes[..(bytes.Length / 2)] : manifest is null ? bytes : WithManifest(bytes, manifest);
    }

    static byte[] WithManifest(byte[] bundle, byte[] manifest)
    {
        using var packed = new MemoryStream();
        packed.Write(bundle);
        using (var archive = new ZipArchive(packed, ZipArchiveMode.Update))
        {
            archive.GetEntry(BundleManifest.FileName)!.Delete();
            using Stream entry = archive.CreateEntry(BundleManifest.FileName).Open();
            entry.Write(manifest);
        }

        return packed.ToArray();
    }

    static byte[] Entry(byte[] bundle, string name)
    {
        using var archive = new ZipArchive(new MemoryStream(bundle));
        using Stream entry = archive.Entries.Single(one => string.Equals(one.Name, name, StringComparison.Ordinal)).Open();
        using var bytes = new MemoryStream();
        entry.CopyTo(bytes);
        return bytes.ToArray();
    }
}
