using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using TcpDiag.Testing;
using TcpDiag.Traces.Bundles;
using TcpDiag.Traces.Input;
using TcpDiag.Traces.Inspection;
using Xunit;

namespace TcpDiag.Traces.Tests.Bundles;

public sealed class TraceBundleTests : IDisposable
{
    static readonly byte[] Trace = File.ReadAllBytes(ProjectFolder.Fixture("reset.pcapng"));
    static readonly byte[] Snapshot = SnapshotJson.ToBytes(new(SystemSnapshot.SchemaName, DateTimeOffset.UnixEpoch, "Windows", []));

    readonly string _path = Path.GetTempFileName();

    public void Dispose() => File.Delete(_path);

    [Fact]
    public void Open_Bundle_ReadsItsTrace()
    {
        Write(Manifest());

        TraceInspection inspection = TraceInspector.Inspect(_path);
        Assert.True(inspection.IsBundled);
        Assert.True(inspection.IsComplete);
        Assert.Equal(TraceInspector.Inspect(ProjectFolder.Fixture("reset.pcapng")).Packets, inspection.Packets);
        using TraceReader reader = TraceFile.Open(_path);
        Assert.Equal(TraceFormat.Pcapng, reader.Format);
    }

    [Fact]
    public void Read_Snapshot_GivesItsBytes()
    {
        Write(Manifest());

        Assert.Equal(Snapshot, TraceBundle.Read(_path, BundleManifest.SnapshotKind));
        Assert.Null(TraceBundle.Read(_path, BundleManifest.JournalKind));
        Assert.Equal("netsh", TraceBundle.ReadManifest(_path)!.Engine);
    }

    [Fact]
    public void ReadManifest_OtherFiles_AreNoBundles()
    {
        Assert.Null(TraceBundle.ReadManifest(ProjectFolder.Fixture("reset.pcapng")));
        Assert.Null(TraceBundle.ReadManifest("-"));
        using (ZipArchive zip = Create())
        {
            Add(zip, "trace.pcapng", Trace);
        }

        Assert.Null(TraceBundle.ReadManifest(_path));
        Assert.False(TraceInspector.Inspect(_path).IsBundled);
    }

    [Fact]
    public void Open_OtherHash_ReadsItAndSaysSo()
    {
        Write(Manifest(trace => trace with { Sha256 = new string('0', 64) }));

        TraceInspection inspection = TraceInspector.Inspect(_path);
        Assert.EndsWith(
            "trace.pcapng has another SHA-256 than the manifest declares: it was changed after it was recorded",
            Message(inspection),
            StringComparison.Ordinal);
        Assert.NotEqual(0, inspection.Packets);
    }

    [Theory]
    [InlineData(-5, "trace.pcapng unpacks to more than the 15467 bytes that the manifest declares")]
    [InlineData(5, "trace.pcapng has 15472 bytes, the manifest declares 15477")]
    public void Open_OtherLength_StopsThereAndSaysSo(int more, string message)
    {
        Write(Manifest(trace => trace with { Bytes = trace.Bytes + more }));

        Assert.EndsWith(message, Message(TraceInspector.Inspect(_path)), StringComparison.Ordinal);
    }

    [Fact]
    public void Open_Bomb_ReadsNoMoreThanDeclared()
    {
        byte[] zeros = new byte[50_000_000];
        Trace.CopyTo(zeros, 0);
        Write(Manifest(), zeros);

        Assert.EndsWith("unpacks to more than the 15472 bytes that the manifest declares", Message(TraceInspector.Inspect(_path)), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("../../etc/passwd")]
    [InlineData("/etc/passwd")]
    [InlineData(@"C:\Windows\x")]
    [InlineData("a/b")]
    [InlineData(".hidden")]
    [InlineData("")]
    public void Open_NameThatLeadsOutside_IsRefused(string name)
    {
        Write(Manifest(trace => trace with { Name = name }));

        Assert.Equal($"{_path}: a bundle that names a file outside itself: '{name}'. It was not written by tcpdiag.", Refusal());
    }

    [Fact]
    public void Open_FileIsMissing_IsRefused()
    {
        Write(Manifest(trace => trace with { Name = "other.etl" }));
        Assert.Equal($"{_path}: a bundle without the file other.etl that its manifest names", Refusal());
    }

    [Fact]
    public void Open_NoTrace_IsRefused()
    {
        Write(Manifest(trace => trace with { Kind = "other" }));
        Assert.Equal($"{_path}: a bundle without a trace in it: its recording has recorded nothing", Refusal());
    }

    [Fact]
    public void Open_SeveralTraces_AreReadAsOneInTheOrderOfTheManifest()
    {
        WriteTraces(Trace, Trace);

        TraceInspection one = TraceInspector.Inspect(ProjectFolder.Fixture("reset.pcapng"));
        TraceInspection both = TraceInspector.Inspect(_path);
        Assert.Equal((2 * one.Packets, 2 * one.Records), (both.Packets, both.Records));
        Assert.Empty(both.Problems);
    }

    [Fact]
    public void Open_SecondTraceWasChanged_IsToldAndTheFirstIsThere()
    {
        WriteTraces([Trace, Trace], changed: 1);

        TraceInspection inspection = TraceInspector.Inspect(_path);
        Assert.InRange(inspection.Packets, TraceInspector.Inspect(ProjectFolder.Fixture("reset.pcapng")).Packets, int.MaxValue);
        Assert.Contains("trace-2.pcapng has another SHA-256 than the manifest declares", Message(inspection), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("D4C3B2A102000400")]
    [InlineData("0A0D")]
    public void Open_SeveralTracesOfMixedFormats_SaysWhatToDo(string other)
    {
        WriteTraces(Trace, Convert.FromHexString(other));
        Assert.Equal(
            $"{_path}: a bundle with several traces in it, of which trace-2.pcapng is no pcapng: "
            + "only several of pcapng, or several of .etl, are read as one. It is a plain zip: unpack it and name them.",
            Refusal());
    }

    [Fact]
    public void Open_NameTwice_IsRefused()
    {
        BundleManifest manifest = Manifest();
        Write(manifest with { Files = [.. manifest.Files, manifest.Files[0]] });
        Assert.Equal($"{_path}: a bundle whose manifest names trace.pcapng more than once. It was not written by tcpdiag.", Refusal());
    }

    [Fact]
    public void Open_EntryTwice_IsRefused()
    {
        Write(Manifest());
        using (ZipArchive zip = ZipFile.Open(_path, ZipArchiveMode.Update))
        {
            Add(zip, "trace.pcapng", Trace);
        }

        Assert.Equal($"{_path}: a bundle with several files of the name 'trace.pcapng'. It was not written by tcpdiag.", Refusal());
    }

    [Fact]
    public void Open_NegativeSize_IsRefused()
    {
        Write(Manifest(trace => trace with { Bytes = -1 }));
        Assert.Equal($"{_path}: a bundle whose manifest declares -1 bytes of trace.pcapng. It was not written by tcpdiag.", Refusal());
    }

    [Fact]
    public void Open_LaterSchema_SaysWhatToDo()
    {
        Write(Manifest() with { Schema = "tcpdiag/bundle/2" });
        Assert.Equal(
            $"{_path}: a bundle of schema 'tcpdiag/bundle/2', expected tcpdiag/bundle/1. A later tcpdiag may read it; its files are in a plain zip.",
            Refusal());
    }

    [Theory]
    [InlineData("")]
    [InlineData("{}")]
    [InlineData("null")]
    [InlineData("[1]")]
    [InlineData("""{"schema":"tcpdiag/bundle/1","tool":"","createdUtc":"2026-01-01""" +
        """T00:00:00Z","engine":"","operatingSystem":"","match":"","stopReason":"","files":[null],"remarks":[]}""")]
    public void Open_ManifestIsNone_ReadsTheTraceAndTellsIt(string text)
    {
        WriteRaw(Encoding.UTF8.GetBytes(text));
        TraceInspection inspection = TraceInspector.Inspect(_path);

        Assert.Equal(TraceInspector.Inspect(ProjectFolder.Fixture("reset.pcapng")).Packets, inspection.Packets);
        Assert.StartsWith(
            "manifest.json cannot be read, so that only the first trace of the bundle is, and without comparing its hash: "
            + "expected JSON of schema tcpdiag/bundle/1, found something else",
            Message(inspection),
            StringComparison.Ordinal);
        Assert.False(inspection.IsBundled);
    }

    [Fact]
    public void Open_EndlessManifest_IsRefused()
    {
        WriteRaw(new byte[2 << 20]);
        Assert.Equal($"{_path}: a bundle whose manifest.json is larger than 1048576 bytes", Refusal());
    }

    [Fact]
    public void Open_CutAnywhere_GivesWhatIsThereOrOneLine()
    {
        Write(Manifest());
        byte[] whole = File.ReadAllBytes(_path);
        for (int length = 1; length < whole.Length; length += 97)
        {
            File.WriteAllBytes(_path, whole[..length]);
            AssertReadOrRefused();
        }
    }

    [Fact]
    public void Open_CutBehindTheTrace_GivesAllOfIt()
    {
        Write(Manifest());
        File.WriteAllBytes(_path, File.ReadAllBytes(_path)[..^100]);

        TraceInspection inspection = TraceInspector.Inspect(_path);
        Assert.Equal("the zip archive has no end: its first trace is read as far as it goes", Message(inspection));
        Assert.Equal(TraceInspector.Inspect(ProjectFolder.Fixture("reset.pcapng")).Packets, inspection.Packets);
    }

    // What the files held is found again as far as each goes, wherever the recorder was killed.
    [Fact]
    public void CopyTo_CutAnywhere_KeepsWhatWasWritten()
    {
        byte[] trace = File.ReadAllBytes(ProjectFolder.Fixture("reset.pcapng"));
        using (var bundle = new BundleWriter(new FileStream(_path, FileMode.Create)))
        {
            bundle.Add("snapshot.json", BundleManifest.SnapshotKind, new MemoryStream(Snapshot));
            bundle.Add("trace-1.pcapng", BundleManifest.TraceKind, new MemoryStream(trace));
            bundle.Add("trace-2.pcapng", BundleManifest.TraceKind, new MemoryStream(trace));
            bundle.Complete(BundleWriter.Describe("linux", "tcp", "stopped", [], DateTimeOffset.UnixEpoch));
        }

        byte[] whole = File.ReadAllBytes(_path);
        Assert.False(CutBundle.IsCut(new MemoryStream(whole)));
        int most = 0;
        for (int length = 40; length < whole.Length; length += 41)
        {
            var cut = new MemoryStream(whole[..length]);
            Assert.True(CutBundle.IsCut(cut));
            var copy = new MemoryStream();
            using (var bundle = new BundleWriter(copy))
            {
                CutBundle.CopyTo(cut, bundle);
            }

            most = Math.Max(most, AssertBeginnings(copy, [Snapshot, trace, trace]));
        }

        Assert.Equal(3, most);
    }

    // Returns how many files are there in full.
    static int AssertBeginnings(MemoryStream bundle, byte[][] files)
    {
        using var zip = new ZipArchive(new MemoryStream(bundle.ToArray()));
        int full = 0;
        for (int i = 0; i < zip.Entries.Count; i++)
        {
            using Stream stream = zip.Entries[i].Open();
            var bytes = new MemoryStream();
            stream.CopyTo(bytes);
            Assert.Equal(files[i][..(int)bytes.Length], bytes.ToArray());
            Assert.True(bytes.Length == files[i].Length || i == zip.Entries.Count - 1);
            full += bytes.Length == files[i].Length ? 1 : 0;
        }

        return full;
    }

    [Fact]
    public void Open_DamagedAnywhere_GivesWhatIsThereOrOneLine()
    {
        Write(Manifest());
        byte[] whole = File.ReadAllBytes(_path);
        var random = new Random(20261121);
        for (int i = 0; i < 400; i++)
        {
            byte[] damaged = [.. whole];
            for (int change = 0; change < 3; change++)
            {
                // Half of the changes hit the directory and the manifest at the end.
                int from = random.Next(2) == 0 ? 0 : whole.Length - 600;
                damaged[random.Next(from, whole.Length)] = (byte)random.Next(256);
            }

            File.WriteAllBytes(_path, damaged);
            AssertReadOrRefused();
        }
    }

    void AssertReadOrRefused()
    {
        try
        {
            Assert.InRange(TraceInspector.Inspect(_path).Packets, 0, 1000);
        }
        catch (Exception exception) when (exception is TraceInputException or TraceFormatException)
        {
            Assert.StartsWith(_path, exception.Message, StringComparison.Ordinal);
        }
    }

    string Refusal() => Assert.Throws<TraceInputException>(() => TraceFile.Open(_path)).Message;

    static string Message(TraceInspection inspection) => inspection.Problems[^1].Message;

    static BundleManifest Manifest(Func<BundleFile, BundleFile>? change = null)
    {
        BundleFile trace = new("trace.pcapng", BundleManifest.TraceKind, Trace.Length, Convert.ToHexStringLower(SHA256.HashData(Trace)));
        BundleFile snapshot = new("snapshot.json", BundleManifest.SnapshotKind, Snapshot.Length, Convert.ToHexStringLower(SHA256.HashData(Snapshot)));
        return new(
            BundleManifest.SchemaName,
            "tcpdiag 0.1.0",
            DateTimeOffset.UnixEpoch,
            "netsh",
            "Windows",
            "tcp",
            "duration",
            [change?.Invoke(trace) ?? trace, snapshot],
            []);
    }

    void Write(BundleManifest manifest, byte[]? trace = null)
    {
        using ZipArchive zip = Create();
        Add(zip, "trace.pcapng", trace ?? Trace);
        Add(zip, "snapshot.json", Snapshot);
        Add(zip, "manifest.json", JsonSerializer.SerializeToUtf8Bytes(manifest, BundleJsonContext.Default.BundleManifest));
    }

    void WriteTraces(params byte[][] traces) => WriteTraces(traces, changed: -1);

    void WriteTraces(byte[][] traces, int changed)
    {
        using ZipArchive zip = Create();
        var files = new List<BundleFile>();
        foreach (byte[] trace in traces)
        {
            int number = files.Count;
            files.Add(new($"trace-{number + 1}.pcapng", BundleManifest.TraceKind, trace.Length, Convert.ToHexStringLower(SHA256.HashData(trace))));
            Add(zip, files[^1].Name, number == changed ? [.. trace[..^1], (byte)~trace[^1]] : trace);
        }

        Add(zip, "manifest.json", JsonSerializer.SerializeToUtf8Bytes(Manifest() with { Files = files }, BundleJsonContext.Default.BundleManifest));
    }

    void WriteRaw(byte[] manifest)
    {
        using ZipArchive zip = Create();
        Add(zip, "trace.pcapng", Trace);
        Add(zip, "manifest.json", manifest);
    }

    ZipArchive Create() => new(new FileStream(_path, FileMode.Create), ZipArchiveMode.Create);

    static void Add(ZipArchive zip, string name, byte[] bytes)
    {
        using Stream entry = zip.CreateEntry(name).Open();
        entry.Write(bytes);
    }
}
